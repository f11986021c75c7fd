import type { Operations } from '@fieldwatch/contract';
import type { Caller, Handler } from '../../http/index.ts';
import { isoDateTime, notFound } from '../../runtime/index.ts';
import type { Storage, Transaction } from '../../storage/index.ts';
import type { Invalidate } from '../identity/index.ts';
import { ownChange } from '../memberships/index.ts';
import * as store from './store.ts';

export interface OwnSessionsDeps {
  readonly storage: Storage;
  readonly invalidate: Invalidate;
}

/** What a user sees of their own sessions, and how they end them. */
export interface OwnSessions {
  readonly list: Handler<Operations['listSessions']>;
  readonly endOthers: Handler<Operations['endSessions']>;
  readonly end: Handler<Operations['endSession']>;
}

function ended(tx: Transaction, caller: Caller, sessionId: string) {
  return ownChange(
    tx,
    { id: caller.id, email: caller.name },
    { resource: 'Session', resourceId: sessionId, before: { user: caller.name } },
  );
}

export function createOwnSessions({ storage, invalidate }: OwnSessionsDeps): OwnSessions {
  return {
    async list(_, { caller, now }) {
      const rows = await store.listSessions(storage, caller.id, now);
      const items = rows.map((row) => ({
        id: row.id,
        isCurrent: row.id === caller.sessionId,
        createdDateTime: isoDateTime(row.createdAt),
        lastUsedDateTime: isoDateTime(row.lastUsedAt),
        expiresDateTime: isoDateTime(row.expiresAt),
        address: row.address,
        userAgent: row.userAgent,
      }));
      return { body: { count: items.length, items } };
    },
    async endOthers(_, { tx, caller }) {
      const ids = await store.deleteSessions(tx, caller.id, caller.sessionId);
      tx.afterCommit(() => ids.forEach(invalidate.session));
      const changes = await Promise.all(ids.map((id) => ended(tx, caller, id)));
      return { body: undefined, changes };
    },
    async end({ params: { sessionId } }, { tx, caller }) {
      if (!(await store.deleteSession(tx, caller.id, sessionId))) throw notFound('session');
      tx.afterCommit(() => invalidate.session(sessionId));
      return { body: undefined, changes: [await ended(tx, caller, sessionId)] };
    },
  };
}
