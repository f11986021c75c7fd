import { createSecretKey, type KeyObject } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { BoundedMap, type Clock, type Keyring, type NewId } from '../../runtime/index.ts';
import { digestOf } from './secret.ts';

/** The user and session of an access token. */
export interface TokenBearer {
  readonly userId: string;
  readonly sessionId: string;
}

/** Short-lived signed tokens. They identify a user and carry no permissions. */
export interface AccessTokens {
  issue(bearer: TokenBearer, expiresAt: number): Promise<string>;
  /** Null when the token was not issued here or has expired. */
  read(token: string): Promise<TokenBearer | null>;
}

const NAME = 'fieldwatch';
const ALGORITHM = 'HS256';
const TYPE = 'at+jwt';

const MAX_VERIFIED_TOKENS = 10_000;

interface Verified extends TokenBearer {
  readonly expiresAt: number;
}

export function createAccessTokens(keyring: Keyring, clock: Clock, newId: NewId): AccessTokens {
  const key = createSecretKey(keyring.derive('access-token'));
  // A valid signature stays valid, so it is verified once; the expiry is checked at every use.
  const verified = new BoundedMap<string, Verified>(MAX_VERIFIED_TOKENS);

  return {
    issue: ({ userId, sessionId }, expiresAt) =>
      new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
        .setIssuer(NAME)
        .setAudience(NAME)
        .setSubject(userId)
        .setJti(newId())
        .setIssuedAt(Math.floor(clock.now() / 1000))
        .setExpirationTime(Math.floor(expiresAt / 1000))
        .sign(key),
    async read(token) {
      const mark = digestOf(token).toString('base64');
      const known = verified.get(mark) ?? (await verify(token, key, clock.now()));
      if (!known) return null;
      if (known.expiresAt <= clock.now()) {
        verified.delete(mark);
        return null;
      }
      if (!verified.has(mark)) verified.set(mark, known);
      return { userId: known.userId, sessionId: known.sessionId };
    },
  };
}

async function verify(token: string, key: KeyObject, now: number): Promise<Verified | null> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer: NAME,
      audience: NAME,
      requiredClaims: ['sub', 'sid', 'jti', 'iat', 'exp'],
      currentDate: new Date(now),
    });
    const { sub, sid, exp } = payload;
    if (typeof sub !== 'string' || typeof sid !== 'string' || exp === undefined) return null;
    return { userId: sub, sessionId: sid, expiresAt: exp * 1000 };
  } catch {
    return null;
  }
}
