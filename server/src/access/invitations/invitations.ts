import type { Operations } from '@fieldwatch/contract';
import type { Caller, Handler } from '../../http/index.ts';
import { Failure, invalid, isoDateTime, notFound } from '../../runtime/index.ts';
import type { Queries, Storage } from '../../storage/index.ts';
import type { Invalidate } from '../identity/index.ts';
import { digestOf } from '../secrets/index.ts';
import { deleteSessions, isByProvider } from '../sessions/index.ts';
import { deleteMembership } from '../users/index.ts';
import { judgeAcceptance } from './consent.ts';
import { membershipChange } from './membership-change.ts';
import * as store from './store.ts';

export interface InvitationsDeps {
  readonly storage: Storage;
  readonly invalidate: Invalidate;
}

/** A signed-in user's own invitations. */
export interface Invitations {
  readonly list: Handler<Operations['listInvitations']>;
  readonly accept: Handler<Operations['acceptInvitation']>;
  readonly decline: Handler<Operations['declineInvitation']>;
}

/** A caller without a session of ours brought a token of the issuer, which vouches for the email. */
async function signedInByProvider(db: Queries, { sessionId }: Caller): Promise<boolean> {
  return sessionId === null || isByProvider(db, sessionId);
}

export function createInvitations(deps: InvitationsDeps): Invitations {
  return {
    async list(_, { caller, now }) {
      const [rows, byProvider] = await Promise.all([
        store.listOpen(deps.storage, caller.id, now),
        signedInByProvider(deps.storage, caller),
      ]);
      const items = rows.map((row) => ({
        id: row.id,
        organization: { id: row.organizationId, name: row.organizationName },
        role: row.role,
        needsToken:
          judgeAcceptance({ ...row, hasToken: false, isByProvider: byProvider }) === 'NEEDS_TOKEN',
        createdDateTime: isoDateTime(row.createdAt),
        expiresDateTime: isoDateTime(row.expiresAt),
      }));
      return { body: { count: items.length, items } };
    },
    accept: accept(deps),
    decline: decline(deps),
  };
}

function accept({ invalidate }: InvitationsDeps): Invitations['accept'] {
  return async ({ params: { invitationId }, body }, { tx, now, caller }) => {
    const row = await store.lockInvitation(tx, { id: invitationId, userId: caller.id }, now);
    if (row?.status !== 'INVITED') throw notFound('invitation');
    const hasToken = body.token !== undefined && digestOf(body.token).equals(row.tokenHash);
    if (body.token !== undefined && !hasToken) {
      throw invalid({ path: 'token', message: 'is not the token of this invitation' });
    }
    const isVouched = await signedInByProvider(tx, caller);
    const verdict = judgeAcceptance({ ...row, hasToken, isByProvider: isVouched });
    if (verdict === 'NEEDS_TOKEN' || verdict === 'CHANGE_PASSWORD_FIRST') throw refusal(verdict);
    if (verdict === 'ACCEPT_AND_DROP_PASSWORD') {
      await store.setPassword(tx, caller.id, null);
      const ended = await deleteSessions(tx, caller.id, caller.sessionId);
      tx.afterCommit(() => ended.forEach(invalidate.session));
    }
    const { organizationId: id, organizationName: name, role } = row;
    await store.activateMembership(tx, id, caller.id, now);
    await store.deleteInvitations(tx, id, caller.id);
    tx.afterCommit(() => invalidate.person({ id: caller.id }));
    const change = membershipChange(id, row, { before: 'INVITED', after: 'ACTIVE' });
    return { body: { id, name, role }, changes: [change] };
  };
}

function refusal(verdict: 'NEEDS_TOKEN' | 'CHANGE_PASSWORD_FIRST'): Failure {
  return new Failure(
    'CONFLICT',
    verdict === 'NEEDS_TOKEN'
      ? 'The email of this account is not verified: send the token of the invitation too.'
      : 'An administrator chose the password of this account: change it first.',
  );
}

function decline({ invalidate }: InvitationsDeps): Invitations['decline'] {
  return async ({ params: { invitationId } }, { tx, now, caller }) => {
    const row = await store.lockInvitation(tx, { id: invitationId, userId: caller.id }, now);
    if (row?.status !== 'INVITED') throw notFound('invitation');
    await deleteMembership(tx, row.organizationId, caller.id);
    tx.afterCommit(() => invalidate.person({ id: caller.id }));
    const change = membershipChange(row.organizationId, row, { before: 'INVITED' });
    return { body: undefined, changes: [change] };
  };
}
