import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { Clock } from '../../runtime/index.ts';
import { emailClaim, type IssuedIdentity, signInTime, subjectIn } from './claims.ts';
import { type Discovery, issuerUnavailable } from './discovery.ts';

/** An OpenID Connect issuer whose tokens are accepted. */
export interface IssuerSettings {
  readonly issuer: string;
  readonly audience: string;
  /** Takes an email for verified when the issuer does not say whether it is. */
  readonly trustsEmail: boolean;
}

export interface Issuer {
  /** Null when the token is not good. */
  read(token: string): Promise<IssuedIdentity | null>;
}

const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
const CLOCK_SKEW_SECONDS = 30;

/** Requests that wait for the keys of a slow issuer; other requests must still find room. */
const MAX_CONCURRENT_READS = 500;

export function createIssuer(settings: IssuerSettings, discovery: Discovery, clock: Clock): Issuer {
  let reads = 0;
  return {
    async read(token) {
      if (reads >= MAX_CONCURRENT_READS) {
        throw issuerUnavailable(new Error('too many requests wait for the keys'));
      }
      reads += 1;
      try {
        const claims = await claimsOf(token, settings, discovery, clock.now());
        return claims && bearerOf(claims, settings, clock.now());
      } finally {
        reads -= 1;
      }
    },
  };
}

/**
 * Whom a token speaks for; null when that is not known. A token may leave the email out, as access
 * tokens do: then its subject has to be bound already. One that it names must be verified.
 */
export function bearerOf(
  claims: JWTPayload,
  { issuer, trustsEmail }: Pick<IssuerSettings, 'issuer' | 'trustsEmail'>,
  now: number,
): IssuedIdentity | null {
  const subject = subjectIn(claims);
  const claim = emailClaim(claims, trustsEmail);
  if (subject === null || claim.kind === 'UNVERIFIED' || claim.kind === 'UNSTATED') return null;
  const email = claim.kind === 'VERIFIED' ? claim.email : null;
  return { issuer, subject, email, signedInAt: signInTime(claims, now) };
}

/** What a token of the issuer says that is meant for this audience; null when it is not good. */
export async function claimsOf(
  token: string,
  { issuer, audience }: Pick<IssuerSettings, 'issuer' | 'audience'>,
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
