import type { Operations } from '@fieldwatch/contract';
import type { PreparedHandler } from '../../http/index.ts';
import { Failure, type Log } from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import type { Audit } from '../audit/index.ts';
import type { Invalidate } from '../identity/index.ts';
import { ownChange } from '../memberships/index.ts';
import { digestOf } from '../secrets/index.ts';
import {
  COOKIE_GRACE_MS,
  deleteSession,
  findRefreshToken,
  judgeRefreshToken,
  lockRefreshToken,
  type Sessions,
  saveRefresh,
} from '../sessions/index.ts';
import type { SignInLimits } from './limits.ts';

export interface RefreshTokensDeps {
  readonly storage: Storage;
  readonly log: Log;
  readonly sessions: Sessions;
  readonly limits: SignInLimits;
  readonly invalidate: Invalidate;
  readonly audit: Audit;
}

/** What a refresh token is good for. An unknown one never gets as far as a transaction. */
export interface RefreshTokens {
  readonly refresh: PreparedHandler<Operations['refreshToken']>;
  readonly revoke: PreparedHandler<Operations['revokeToken']>;
}

export function createRefreshTokens(deps: RefreshTokensDeps): RefreshTokens {
  return { refresh: refresh(deps), revoke: revoke(deps) };
}

function unknownToken(): Failure {
  return new Failure('UNAUTHENTICATED', 'The refresh token is invalid or has expired.', {
    keepsWrites: true,
  });
}

function refresh(deps: RefreshTokensDeps): RefreshTokens['refresh'] {
  const { storage, limits, sessions, invalidate, audit, log } = deps;
  return {
    async prepare({ body }, origin) {
      const { refreshToken, form } = sessions.cookie.presented(body, origin.browser);
      const graceMs = form === 'COOKIE' ? COOKIE_GRACE_MS : 0;
      const hash = digestOf(refreshToken);
      const find = () => findRefreshToken(storage.anonymous, hash);
      if (!(await limits.guardToken(origin.address, find))) throw unknownToken();
      return async (context) => {
        const { tx, now, address, userAgent } = context;
        const token = await lockRefreshToken(tx, hash);
        const verdict = token && judgeRefreshToken(token, now, graceMs);
        if (token && verdict === 'REUSED') {
          const { sessionId, userId, email } = token;
          await deleteSession(tx, userId, sessionId);
          const { actor: _, ...change } = await ownChange(
            tx,
            { id: userId, email },
            { resource: 'Session', resourceId: sessionId, before: { user: email } },
          );
          await audit.recordChanges(tx, { ...context, operation: 'refreshToken' }, [change]);
          tx.afterCommit(() => {
            invalidate.session(sessionId);
            log.warn({ userId }, 'a used refresh token came again: its session is ended');
          });
        }
        if (!token || verdict !== 'GOOD') throw unknownToken();
        const { sessionId: id, userId, sessionExpiresAt: expiresAt } = token;
        await saveRefresh(tx, { hash, sessionId: id, now, address, userAgent });
        const delivery = { now, form, browser: origin.browser };
        const answer = await sessions.issueTokens(tx, { id, userId, expiresAt }, delivery);
        return { ...answer, changes: [] };
      };
    },
  };
}

function revoke({
  storage,
  limits,
  sessions,
  invalidate,
}: RefreshTokensDeps): RefreshTokens['revoke'] {
  return {
    async prepare({ body }, { address, browser }) {
      const { refreshToken, form } = sessions.cookie.presented(body, browser);
      const answer =
        form === 'COOKIE'
          ? { body: undefined, cookie: sessions.cookie.cleared(browser) }
          : { body: undefined };
      const hash = digestOf(refreshToken);
      const found = await limits.guardToken(address, () =>
        findRefreshToken(storage.anonymous, hash),
      );
      if (!found) return answer;
      return async ({ tx }) => {
        const token = await lockRefreshToken(tx, hash);
        if (!token) return { ...answer, changes: [] };
        const { sessionId, userId, email } = token;
        await deleteSession(tx, userId, sessionId);
        tx.afterCommit(() => invalidate.session(sessionId));
        const change = await ownChange(
          tx,
          { id: userId, email },
          { resource: 'Session', resourceId: sessionId, before: { user: email } },
        );
        return { ...answer, changes: [change] };
      };
    },
  };
}
