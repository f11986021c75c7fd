import { type Operations, ROLE_PERMISSIONS } from '@fieldwatch/contract';
import type { Handler } from '../../http/index.ts';
import { Failure, fold, invalid, type Log } from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import type { Audit } from '../audit/index.ts';
import type { Forget } from '../identity/index.ts';
import { digestOf, type Secrets } from '../secrets/index.ts';
import type { SignInLimits } from './limits.ts';
import { ownChange } from './own-change.ts';
import { judgeRefreshToken } from './refresh.ts';
import type { Sessions } from './sessions.ts';
import * as store from './store.ts';

export interface SignInDeps {
  readonly storage: Storage;
  readonly log: Log;
  readonly secrets: Secrets;
  readonly sessions: Sessions;
  readonly limits: SignInLimits;
  readonly forget: Forget;
  readonly audit: Audit;
}

export interface SignIn {
  readonly createToken: Handler<Operations['createToken']>;
  readonly refreshToken: Handler<Operations['refreshToken']>;
  readonly revokeToken: Handler<Operations['revokeToken']>;
  readonly redeemInvitation: Handler<Operations['redeemInvitation']>;
  readonly changePassword: Handler<Operations['changePassword']>;
  readonly retrieveMe: Handler<Operations['retrieveMe']>;
}

const UNKNOWN_REFRESH_TOKEN = 'The refresh token is not good, or no longer.';

export function createSignIn(deps: SignInDeps): SignIn {
  return {
    createToken: createToken(deps),
    refreshToken: refreshToken(deps),
    revokeToken: revokeToken(deps),
    redeemInvitation: redeemInvitation(deps),
    changePassword: changePassword(deps),
    retrieveMe: retrieveMe(deps),
  };
}

function createToken({ secrets, sessions, limits }: SignInDeps): SignIn['createToken'] {
  return async ({ body }, { tx, now, address }) => {
    const account = fold(body.email);
    const user = await limits.guard(account, address, async () => {
      const found = await store.findUserByEmail(tx, account);
      const isRight = await secrets.verifyPassword(found?.passwordHash ?? null, body.password);
      return found && isRight && (await store.saveSignIn(tx, found, now)) ? found : null;
    });
    if (!user) throw new Failure('UNAUTHENTICATED', 'The email or the password is wrong.');
    const session = await sessions.begin(tx, user.id, now);
    const change = await ownChange(tx, user, {
      resource: 'Session',
      resourceId: session.id,
      after: { user: user.email },
    });
    return { body: await sessions.issueTokens(tx, session, now), changes: [change] };
  };
}

function refreshToken({ sessions, forget, audit, log }: SignInDeps): SignIn['refreshToken'] {
  return async ({ body }, context) => {
    const { tx, now } = context;
    const hash = digestOf(body.refreshToken);
    const token = await store.lockRefreshToken(tx, hash);
    const verdict = token && judgeRefreshToken(token, now);
    if (token && verdict === 'REUSED') {
      await store.deleteSession(tx, token.sessionId);
      const person = { id: token.userId, email: token.email };
      const { actor: _, ...change } = await ownChange(tx, person, {
        resource: 'Session',
        resourceId: token.sessionId,
        before: { user: token.email },
      });
      await audit.recordChanges(tx, { ...context, operation: 'refreshToken' }, [change]);
      tx.afterCommit(() => {
        forget.session(token.sessionId);
        log.warn({ userId: token.userId }, 'a used refresh token came again: its session is ended');
      });
    }
    if (!token || verdict !== 'GOOD') {
      throw new Failure('UNAUTHENTICATED', UNKNOWN_REFRESH_TOKEN, { keepsWrites: true });
    }
    await store.saveRefreshTokenUse(tx, hash, now);
    const session = {
      id: token.sessionId,
      userId: token.userId,
      expiresAt: token.sessionExpiresAt,
    };
    return { body: await sessions.issueTokens(tx, session, now), changes: [] };
  };
}

function revokeToken({ forget }: SignInDeps): SignIn['revokeToken'] {
  return async ({ body }, { tx }) => {
    const token = await store.lockRefreshToken(tx, digestOf(body.refreshToken));
    if (!token) return { body: undefined, changes: [] };
    await store.deleteSession(tx, token.sessionId);
    tx.afterCommit(() => forget.session(token.sessionId));
    const person = { id: token.userId, email: token.email };
    const change = await ownChange(tx, person, {
      resource: 'Session',
      resourceId: token.sessionId,
      before: { user: token.email },
    });
    return { body: undefined, changes: [change] };
  };
}

function redeemInvitation({ secrets, sessions }: SignInDeps): SignIn['redeemInvitation'] {
  return async ({ body }, { tx, now }) => {
    const user = await store.lockInvitedUser(tx, digestOf(body.token), now);
    if (!user) {
      throw new Failure('UNAUTHENTICATED', 'The invitation is not good, or no longer.');
    }
    const passwordHash = await secrets.hashChosen(body.password);
    await store.savePassword(tx, user, passwordHash);
    await store.saveSignIn(tx, { ...user, passwordHash }, now);
    await store.deleteInvitations(tx, user.id);
    const session = await sessions.begin(tx, user.id, now);
    const change = await ownChange(tx, user, {
      resource: 'User',
      resourceId: user.id,
      before: { status: 'INVITED' },
      after: { status: 'ACTIVE', password: 'set' },
    });
    return { body: await sessions.issueTokens(tx, session, now), changes: [change] };
  };
}

function changePassword({ secrets, limits, forget }: SignInDeps): SignIn['changePassword'] {
  return async ({ body }, { tx, caller, address }) => {
    const user = await limits.guard(fold(caller.name), address, async () => {
      const found = await store.findUser(tx, caller.id);
      const isRight = await secrets.verifyPassword(
        found?.passwordHash ?? null,
        body.currentPassword,
      );
      return isRight ? found : null;
    });
    const isChanged =
      user && (await store.savePassword(tx, user, await secrets.hashChosen(body.newPassword)));
    if (!isChanged) {
      throw invalid({ path: 'currentPassword', message: 'is not the current password' });
    }
    const ended = await store.deleteOtherSessions(tx, user.id, caller.sessionId);
    tx.afterCommit(() => ended.forEach(forget.session));
    const change = await ownChange(tx, user, {
      resource: 'User',
      resourceId: user.id,
      before: { password: 'old' },
      after: { password: 'new' },
    });
    return { body: undefined, changes: [change] };
  };
}

function retrieveMe({ storage }: SignInDeps): SignIn['retrieveMe'] {
  return async (_, { caller }) => {
    const belongings = await store.listBelongings(storage, caller.id);
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
