import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

const SECRET_BYTES = 32;
const PREFIX = 'sha256:';

/** A random secret that cannot be guessed, and so needs no slow hash. */
export function generateSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** For secrets that are looked up by what they are. */
export function digestOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** How a generated secret is stored. */
export function quickHash(secret: string): string {
  return PREFIX + digestOf(secret).toString('base64url');
}

export function isQuickHash(stored: string): boolean {
  return stored.startsWith(PREFIX);
}

export function matchesQuickHash(stored: string, presented: string): boolean {
  const expected = Buffer.from(stored.slice(PREFIX.length), 'base64url');
  const actual = digestOf(presented);
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
