import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from 'jose';
import { type Clock, Failure } from '../../runtime/index.ts';
import { type CoolDown, createCoolDown, fetchLimited, isSafeUrl } from './limited-fetch.ts';

/** An OpenID Connect issuer whose tokens are accepted. */
export interface IssuerSettings {
  readonly issuer: string;
  readonly audience: string;
}

/** Whom a token speaks for. */
export interface IssuedBearer {
  readonly email: string;
  readonly signedInAt: number;
}

export interface Issuer {
  /** Null when the token is not good. */
  read(token: string): Promise<IssuedBearer | null>;
}

type KeySet = ReturnType<typeof createRemoteJWKSet>;

const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
const TIMEOUT_MS = 5_000;
const COOL_DOWN_MS = 10_000;
const KEYS_LIVE_MS = 10 * 60_000;
const DISCOVERY_LIVES_MS = 60 * 60_000;
const CLOCK_SKEW_SECONDS = 30;

export function createIssuer({ issuer, audience }: IssuerSettings, clock: Clock): Issuer {
  const coolDown = createCoolDown(clock, COOL_DOWN_MS);
  let discovery: { readonly at: number; readonly keys: Promise<KeySet> } | null = null;

  function keySet(): Promise<KeySet> {
    const now = clock.now();
    if (discovery && now - discovery.at < DISCOVERY_LIVES_MS) return discovery.keys;
    const begun = { at: now, keys: coolDown(() => discover(issuer, coolDown)) };
    begun.keys.catch(() => {
      if (discovery === begun) discovery = null;
    });
    discovery = begun;
    return begun.keys;
  }

  return {
    async read(token) {
      try {
        const { payload } = await jwtVerify(token, await keySet(), {
          algorithms: ALGORITHMS,
          issuer,
          audience,
          requiredClaims: ['exp'],
          clockTolerance: CLOCK_SKEW_SECONDS,
          currentDate: new Date(clock.now()),
        });
        return issuedBearer(payload, clock.now());
      } catch (error) {
        if (isTokenFault(error)) return null;
        throw away(error);
      }
    },
  };
}

/** Claims whose signature was found good, by whom it speaks for; null when that cannot be told. */
export function issuedBearer(claims: JWTPayload, now: number): IssuedBearer | null {
  const { email, email_verified: verified, iat } = claims;
  const isUsable = typeof email === 'string' && email.length <= 254 && !email.includes('\0');
  if (!isUsable || verified === false) return null;
  const isToldWhen = typeof iat === 'number' && iat > 0;
  return { email, signedInAt: isToldWhen ? Math.min(iat * 1000, now) : now };
}

async function discover(issuer: string, coolDown: CoolDown): Promise<KeySet> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetchLimited(url, AbortSignal.timeout(TIMEOUT_MS));
  const document: unknown = await response.json();
  return createRemoteJWKSet(new URL(keysUrl(document, issuer)), {
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration: COOL_DOWN_MS,
    cacheMaxAge: KEYS_LIVE_MS,
    [customFetch]: (url, { signal }) => coolDown(() => fetchLimited(url, signal)),
  });
}

/** Where the keys are, from a discovery document that is really the issuer's. */
export function keysUrl(document: unknown, issuer: string): string {
  const { issuer: named, jwks_uri: url } = Object(document) as Record<string, unknown>;
  if (named !== issuer) throw new Error('the discovery document names another issuer');
  if (typeof url !== 'string' || !isSafeUrl(url)) throw new Error('jwks_uri is not a https URL');
  return url;
}

function isTokenFault(error: unknown): boolean {
  return (
    error instanceof errors.JWTClaimValidationFailed ||
    error instanceof errors.JWTExpired ||
    error instanceof errors.JWTInvalid ||
    error instanceof errors.JWSInvalid ||
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JOSEAlgNotAllowed ||
    error instanceof errors.JOSENotSupported ||
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys
  );
}

function away(cause: unknown): Failure {
  return new Failure('ISSUER_AWAY', 'The OpenID Connect issuer does not answer at the moment.', {
    cause,
    retryAfterSeconds: COOL_DOWN_MS / 1000,
  });
}
