import type { Operations, ReplyBody } from '@fieldwatch/contract';
import type { NewId } from '../../runtime/index.ts';
import type { Transaction } from '../../storage/index.ts';
import { type AccessTokens, digestOf, generateSecret } from '../secrets/index.ts';
import { SESSION_LIVES_MS, tokenExpiries } from './refresh.ts';
import { insertRefreshToken, insertSession } from './store.ts';

type Tokens = ReplyBody<Operations['createToken']>;

export interface Session {
  readonly id: string;
  readonly userId: string;
  readonly expiresAt: number;
}

/** Where a session begins, as the request that begins it tells. */
export interface SessionOrigin {
  readonly now: number;
  readonly address: string;
  readonly userAgent: string | null;
}

/** Makes sessions and the tokens that they are used with. */
export interface Sessions {
  /** The identity provider has vouched for the email of those that are `byProvider`. */
  begin(
    tx: Transaction,
    userId: string,
    origin: SessionOrigin,
    options?: { readonly byProvider: boolean },
  ): Promise<Session>;
  issueTokens(tx: Transaction, session: Session, now: number): Promise<Tokens>;
}

export function createSessions(accessTokens: AccessTokens, newId: NewId): Sessions {
  return {
    async begin(tx, userId, { now, address, userAgent }, { byProvider } = { byProvider: false }) {
      const session = { id: newId(), userId, expiresAt: now + SESSION_LIVES_MS };
      await insertSession(tx, { ...session, now, address, userAgent, byProvider });
      return session;
    },
    async issueTokens(tx, session, now) {
      const expiries = tokenExpiries(now, session.expiresAt);
      const refreshToken = generateSecret();
      await insertRefreshToken(tx, {
        hash: digestOf(refreshToken),
        sessionId: session.id,
        now,
        expiresAt: expiries.refresh,
      });
      return {
        accessToken: await accessTokens.issue(
          { userId: session.userId, sessionId: session.id },
          expiries.access,
        ),
        tokenType: 'Bearer',
        expiresIn: Math.floor((expiries.access - now) / 1000),
        refreshToken,
      };
    },
  };
}
