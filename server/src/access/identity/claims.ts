import type { JWTPayload } from 'jose';

/** Whom the issuer vouches for, by its own name for them. */
export interface IssuedIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** A verified address; null when the issuer names none. */
  readonly email: string | null;
  readonly signedInAt: number;
}

export type EmailClaim =
  | { readonly kind: 'VERIFIED'; readonly email: string }
  /** There is an address, and nothing is said about its verification. */
  | { readonly kind: 'UNSTATED' }
  | { readonly kind: 'UNVERIFIED' }
  | { readonly kind: 'ABSENT' };

type Claims = Readonly<Record<string, unknown>>;

/** The limit of OpenID Connect for `sub`. */
const MAX_SUBJECT_LENGTH = 255;
const MAX_EMAIL_LENGTH = 254;
const LONE_SURROGATE = /\p{Cs}/u;

/** What the claims say about the email. With `trustsEmail` an address needs no statement. */
export function emailClaim(claims: Claims, trustsEmail: boolean): EmailClaim {
  const { email, email_verified: verified } = claims;
  if (email === undefined || email === null) return { kind: 'ABSENT' };
  if (!isText(email, MAX_EMAIL_LENGTH)) return { kind: 'UNVERIFIED' };
  if (verified === true || verified === 'true') return { kind: 'VERIFIED', email };
  if (verified !== undefined) return { kind: 'UNVERIFIED' };
  return trustsEmail ? { kind: 'VERIFIED', email } : { kind: 'UNSTATED' };
}

/** `sub`, when it is one. */
export function subjectIn({ sub }: Claims): string | null {
  return isText(sub, MAX_SUBJECT_LENGTH) ? sub : null;
}

/** When the issuer says that the person signed in: never in the future. */
export function signInTime({ iat }: JWTPayload, now: number): number {
  return typeof iat === 'number' && iat > 0 ? Math.min(iat * 1000, now) : now;
}

function isText(value: unknown, maxLength: number): value is string {
  return (
    typeof value === 'string' &&
    value.length > 0 &&
    value.length <= maxLength &&
    !value.includes('\0') &&
    !LONE_SURROGATE.test(value)
  );
}
