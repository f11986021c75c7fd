import type { Operations } from '@fieldwatch/contract';
import type { Change, PreparedHandler } from '../../http/index.ts';
import { Failure, foldEmail, invalid } from '../../runtime/index.ts';
import type { Storage, Transaction } from '../../storage/index.ts';
import type { Invalidate } from '../identity/index.ts';
import { lockOrganization } from '../organizations/index.ts';
import { requireGoodPassword } from '../passwords/index.ts';
import { digestOf, type Secrets } from '../secrets/index.ts';
import { deleteSessions, type Sessions } from '../sessions/index.ts';
import type { SignInLimits } from '../sign-in/index.ts';
import { isLastAdministrator } from '../users/index.ts';
import { judgeRedemption, type Redemption } from './consent.ts';
import { membershipChange } from './membership-change.ts';
import * as store from './store.ts';

export interface RedeemDeps {
  readonly storage: Storage;
  readonly secrets: Secrets;
  readonly sessions: Sessions;
  readonly limits: SignInLimits;
  readonly invalidate: Invalidate;
}

export type RedeemInvitation = PreparedHandler<Operations['redeemInvitation']>;

/** Accepts an invitation for the holder of its token, with the account's password or a new one. */
export function createRedeemInvitation(deps: RedeemDeps): RedeemInvitation {
  const { storage, limits } = deps;
  return {
    async prepare({ body }, origin) {
      const { now, address, browser } = origin;
      const form = deps.sessions.cookie.formOf(body, browser);
      const tokenHash = digestOf(body.token);
      const row = await limits.guardToken(address, () =>
        store.findByToken(storage.anonymous, tokenHash, now),
      );
      if (!row) throw badInvitation();
      requireGoodPassword('password', body.password, row.email);
      const passwordHash = await limits.admit(address, () =>
        newPasswordHash(deps, row, body.password, address),
      );
      return async ({ tx }) => {
        const changes = await redeem(deps, tx, row, { passwordHash, now });
        const session = await deps.sessions.begin(tx, row.userId, origin);
        const answer = await deps.sessions.issueTokens(tx, session, { now, form, browser });
        return { ...answer, changes };
      };
    },
  };
}

/** Null when the invitation is accepted with the password that the account has. */
async function newPasswordHash(
  deps: RedeemDeps,
  row: store.InvitationRow,
  password: string,
  address: string,
): Promise<string | null> {
  const isPasswordRight = await knowsPassword(deps, row, password, address);
  const verdict = judgeRedemption({ ...row, isPasswordRight });
  if (verdict === 'SIGN_IN_FIRST' || verdict === 'CHOOSE_ANOTHER_PASSWORD') throw refusal(verdict);
  return verdict === 'ACCEPT' ? null : deps.secrets.hashChosen(password);
}

/** A wrong guess counts as a failed sign-in where the account has a password that could be guessed. */
async function knowsPassword(
  { secrets, limits }: RedeemDeps,
  { email, passwordHash, isEmailProved }: store.InvitationRow,
  password: string,
  address: string,
): Promise<boolean> {
  if (passwordHash === null) return false;
  const verify = () => secrets.verifyPassword(passwordHash, password);
  if (!isEmailProved) return verify();
  const check = async () => ((await verify()) ? true : null);
  return (await limits.guard(foldEmail(email), address, check)) ?? false;
}

function badInvitation(): Failure {
  return new Failure('UNAUTHENTICATED', 'The invitation is invalid or has expired.');
}

function refusal(verdict: Exclude<Redemption, 'ACCEPT' | 'TAKE_OVER'>): Failure {
  return verdict === 'SIGN_IN_FIRST'
    ? new Failure('CONFLICT', 'There is an account with this email: sign in and accept there.')
    : invalid({ path: 'password', message: 'must differ from the one an administrator chose' });
}

/** The decision was made from what `seen` says, and holds only while that is so. */
async function redeem(
  deps: RedeemDeps,
  tx: Transaction,
  seen: store.InvitationRow,
  { passwordHash, now }: { passwordHash: string | null; now: number },
): Promise<Change[]> {
  const { organizationId, userId } = seen;
  const row = await store.lockInvitation(tx, seen, now);
  if (!row) throw badInvitation();
  if (row.passwordHash !== seen.passwordHash || row.isEmailProved !== seen.isEmailProved) {
    throw new Failure('CONFLICT', 'The account has just changed; try again.');
  }
  const changes: Change[] = [];
  if (passwordHash !== null) {
    changes.push(...(await suspendElsewhere(tx, row, now)));
    await store.setPassword(tx, userId, passwordHash);
    const ended = await deleteSessions(tx, userId);
    tx.afterCommit(() => ended.forEach(deps.invalidate.session));
  }
  await store.activateMembership(tx, organizationId, userId, now);
  await store.deleteInvitations(tx, organizationId, userId);
  await store.saveSignIn(tx, userId, now);
  tx.afterCommit(() => deps.invalidate.person({ id: userId }));
  const { actor, ...change } = membershipChange(organizationId, row, {
    before: 'INVITED',
    after: 'ACTIVE',
  });
  const password = passwordHash === null ? {} : { password: 'set' };
  changes.push({ ...change, after: { ...change.after, ...password }, ...(actor ? { actor } : {}) });
  return changes;
}

/**
 * Whoever holds this token need not be whom other organizations know by this email, so what those
 * have given waits until they, too, are accepted.
 */
async function suspendElsewhere(
  tx: Transaction,
  row: store.InvitationRow,
  now: number,
): Promise<Change[]> {
  const { organizationId, userId } = row;
  const others = await store.listOtherMemberships(tx, organizationId, userId);
  for (const other of others) {
    await lockOrganization(tx, other.organizationId);
    if (await isLastAdministrator(tx, other.organizationId, userId)) {
      throw new Failure(
        'CONFLICT',
        'This account is the last administrator of another organization: sign in and accept there.',
      );
    }
    await store.suspendMembership(tx, other.organizationId, userId, now);
  }
  return others.map(({ organizationId: other }) => {
    const { actor: _, ...change } = membershipChange(other, row, {
      before: 'ACTIVE',
      after: 'INVITED',
    });
    return change;
  });
}
