import type { Operations } from '@fieldwatch/contract';
import type { Answer, Browser } from '../../http/index.ts';
import type { NewId } from '../../runtime/index.ts';
import type { Transaction } from '../../storage/index.ts';
import { type AccessTokens, digestOf, generateSecret } from '../secrets/index.ts';
import { SESSION_LIVES_MS, tokenExpiries } from './refresh.ts';
import type { RefreshCookie, TokenForm } from './refresh-cookie.ts';
import { insertRefreshToken, insertSession } from './store.ts';

export interface Session {
  readonly id: string;
  readonly userId: string;
  readonly expiresAt: number;
}

/** The origin of a session, from the request that begins it. */
export interface SessionOrigin {
  readonly now: number;
  readonly address: string;
  readonly userAgent: string | null;
}

/** How the tokens get to the client. */
export interface TokenDelivery {
  readonly now: number;
  readonly form: TokenForm;
  readonly browser: Browser;
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
  issueTokens(
    tx: Transaction,
    session: Session,
    delivery: TokenDelivery,
  ): Promise<Answer<Operations['createToken']>>;
  readonly cookie: RefreshCookie;
}

export function createSessions(
  accessTokens: AccessTokens,
  newId: NewId,
  cookie: RefreshCookie,
): Sessions {
  return {
    cookie,
    async begin(tx, userId, { now, address, userAgent }, { byProvider } = { byProvider: false }) {
      const session = { id: newId(), userId, expiresAt: now + SESSION_LIVES_MS };
      await insertSession(tx, { ...session, now, address, userAgent, byProvider });
      return session;
    },
    async issueTokens(tx, session, { now, form, browser }) {
      const expiries = tokenExpiries(now, session.expiresAt);
      const refreshToken = generateSecret();
      await insertRefreshToken(tx, {
        hash: digestOf(refreshToken),
        sessionId: session.id,
        now,
        expiresAt: expiries.refresh,
      });
      const tokens = {
        accessToken: await accessTokens.issue(
          { userId: session.userId, sessionId: session.id },
          expiries.access,
        ),
        tokenType: 'Bearer' as const,
        expiresIn: Math.floor((expiries.access - now) / 1000),
        refreshToken,
      };
      return cookie.answer(tokens, form, browser);
    },
  };
}
