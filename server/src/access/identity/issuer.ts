import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { Clock } from '../../runtime/index.ts';
import { type Discovery, issuerUnavailable } from './discovery.ts';

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

const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
const CLOCK_SKEW_SECONDS = 30;

export function createIssuer(settings: IssuerSettings, discovery: Discovery, clock: Clock): Issuer {
  return {
    async read(token) {
      const claims = await claimsOf(token, settings, discovery, clock.now());
      return claims && issuedBearer(claims, clock.now());
    },
  };
}

/** What a token of the issuer says that is meant for this audience; null when it is not good. */
export async function claimsOf(
  token: string,
  { issuer, audience }: IssuerSettings,
  discovery: Discovery,
  now: number,
): Promise<JWTPayload | null> {
  const { keys } = await discovery();
  try {
    const { payload } = await jwtVerify(token, keys, {
      algorithms: ALGORITHMS,
      issuer,
      audience,
      requiredClaims: ['exp'],
      clockTolerance: CLOCK_SKEW_SECONDS,
      currentDate: new Date(now),
    });
    return payload;
  } catch (error) {
    if (isTokenFault(error)) return null;
    throw issuerUnavailable(error);
  }
}

/** Claims whose signature was found good, by whom it speaks for; null when that cannot be told. */
export function issuedBearer(claims: JWTPayload, now: number): IssuedBearer | null {
  const { email, email_verified: verified, iat } = claims;
  const isUsable = typeof email === 'string' && email.length <= 254 && !email.includes('\0');
  if (!isUsable || verified === false) return null;
  const isToldWhen = typeof iat === 'number' && iat > 0;
  return { email, signedInAt: isToldWhen ? Math.min(iat * 1000, now) : now };
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
