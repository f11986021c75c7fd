import { randomBytes } from 'node:crypto';
import type { Keyring } from '../../runtime/index.ts';

/** Standard Webhooks asks for 24 to 64. */
const SECRET_BYTES = 32;
const PURPOSE = 'webhook-secret';
/** How long the secret before a rotation signs along. */
export const PREVIOUS_SECRET_MS = 24 * 3_600_000;

/** A new signing secret: as its owner is told it, and as it is stored. */
export interface IssuedSecret {
  readonly secret: string;
  readonly sealedSecret: Buffer;
}

export function issueSecret(keyring: Keyring): IssuedSecret {
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  return { secret, sealedSecret: keyring.seal(PURPOSE, Buffer.from(secret)) };
}

/** The secret as its owner was told it. */
export function openSecret(keyring: Keyring, sealedSecret: Buffer): string {
  return keyring.open(PURPOSE, sealedSecret).toString();
}
