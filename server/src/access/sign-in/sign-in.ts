import { type Operations, ROLE_PERMISSIONS } from '@fieldwatch/contract';
import type { Handler, PreparedHandler } from '../../http/index.ts';
import { Failure, foldEmail, invalid, rateLimitKey } from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import type { Invalidate } from '../identity/index.ts';
import { listBelongings, ownChange } from '../memberships/index.ts';
import { requireGoodPassword } from '../passwords/index.ts';
import type { Secrets } from '../secrets/index.ts';
import { deleteSessions, type Sessions } from '../sessions/index.ts';
import type { SignInLimits } from './limits.ts';
import * as store from './store.ts';

export interface SignInDeps {
  readonly storage: Storage;
  readonly secrets: Secrets;
  readonly sessions: Sessions;
  readonly limits: SignInLimits;
  readonly invalidate: Invalidate;
}

export interface SignIn {
  readonly createToken: PreparedHandler<Operations['createToken']>;
  readonly changePassword: PreparedHandler<Operations['changePassword']>;
  readonly retrieveMe: Handler<Operations['retrieveMe']>;
}

export function createSignIn(deps: SignInDeps): SignIn {
  return {
    createToken: createToken(deps),
    changePassword: changePassword(deps),
    retrieveMe: retrieveMe(deps),
  };
}

function wrongPassword(): Failure {
  return new Failure('UNAUTHENTICATED', 'The email or the password is wrong.');
}

function createToken({ storage, secrets, sessions, limits }: SignInDeps): SignIn['createToken'] {
  return {
    async prepare({ body }, origin) {
      const { now, address, browser } = origin;
      const form = sessions.cookie.formOf(body, browser);
      const account = foldEmail(body.email);
      const addressKey = rateLimitKey(address);
      const check = async () => {
        const found = await store.findUserByEmail(storage.anonymous, account);
        const isRight = await secrets.verifyPassword(found?.passwordHash ?? null, body.password);
        return isRight ? found : null;
      };
      const isKnownAddress = () => store.isKnownAddress(storage.anonymous, account, addressKey);
      const user = await limits.admit(address, () =>
        limits.guard(account, address, check, { isKnownAddress }),
      );
      if (!user) throw wrongPassword();
      return async ({ tx }) => {
        if (!(await store.saveSignIn(tx, user, now))) throw wrongPassword();
        await store.saveKnownAddress(tx, user.id, addressKey, now);
        const session = await sessions.begin(tx, user.id, origin);
        const change = await ownChange(tx, user, {
          resource: 'Session',
          resourceId: session.id,
          after: { user: user.email },
        });
        const answer = await sessions.issueTokens(tx, session, { now, form, browser });
        return { ...answer, changes: [change] };
      };
    },
  };
}

function wrongCurrentPassword(): Failure {
  return invalid({ path: 'currentPassword', message: 'is not the current password' });
}

function changePassword(deps: SignInDeps): SignIn['changePassword'] {
  const { storage, secrets, limits, invalidate } = deps;
  return {
    async prepare({ body }, { caller, address }) {
      requireGoodPassword('newPassword', body.newPassword, caller.name);
      const check = async () => {
        const found = await store.findUser(storage, caller.id);
        const stored = found?.passwordHash ?? null;
        return (await secrets.verifyPassword(stored, body.currentPassword)) ? found : null;
      };
      const user = await limits.guard(foldEmail(caller.name), address, check, {
        isKnownAddress: async () => true,
      });
      if (!user) throw wrongCurrentPassword();
      const passwordHash = await secrets.hashChosen(body.newPassword);
      return async ({ tx }) => {
        if (!(await store.savePassword(tx, user, passwordHash))) throw wrongCurrentPassword();
        const ended = await deleteSessions(tx, user.id, caller.sessionId);
        tx.afterCommit(() => ended.forEach(invalidate.session));
        const change = await ownChange(tx, user, {
          resource: 'User',
          resourceId: user.id,
          before: { password: 'old' },
          after: { password: 'new' },
        });
        return { body: undefined, changes: [change] };
      };
    },
  };
}

function retrieveMe({ storage }: SignInDeps): SignIn['retrieveMe'] {
  return async (_, { caller }) => {
    const belongings = await listBelongings(storage, caller.id);
    return {
      body: {
        id: caller.id,
        email: caller.name,
        name: belongings.find(({ name }) => name !== null)?.name ?? null,
        organizations: belongings.map(({ organizationId, organizationName, role }) => ({
          id: organizationId,
          name: organizationName,
          role,
          permissions: [...ROLE_PERMISSIONS[role]],
        })),
      },
    };
  };
}
