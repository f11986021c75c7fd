import { randomBytes } from 'node:crypto';
import type { Binding, Keyring } from '../../runtime/index.ts';
import { reencrypt, type Transactions } from '../../storage/index.ts';

/** Standard Webhooks asks for 24 to 64. */
const SECRET_BYTES = 32;
const PURPOSE = 'webhook-secret';
/** How long the secret before a rotation signs along. */
export const PREVIOUS_SECRET_MS = 24 * 3_600_000;

/** A new signing secret: in plain text for its owner, and encrypted for storage. */
export interface IssuedSecret {
  readonly secret: string;
  readonly encryptedSecret: Buffer;
}

/** Which webhook a secret belongs to. */
export interface WebhookName {
  readonly organizationId: string;
  readonly id: string;
}

/** The same for both columns: a rotation moves the value from the one to the other. */
const bindingOf = ({ organizationId, id }: WebhookName): Binding => [
  'webhooks',
  'sealed_secret',
  organizationId,
  id,
];

export function issueSecret(keyring: Keyring, webhook: WebhookName): IssuedSecret {
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  const encryptedSecret = keyring.encrypt(PURPOSE, bindingOf(webhook), Buffer.from(secret));
  return { secret, encryptedSecret };
}

/** The secret in plain text, as its owner knows it. */
export function openSecret(
  keyring: Keyring,
  webhook: WebhookName,
  encryptedSecret: Buffer,
): string {
  return keyring.decrypt(PURPOSE, bindingOf(webhook), encryptedSecret).toString();
}

/** Binds the secrets that an older version encrypted to their webhooks. */
export async function reencryptSecrets(storage: Transactions, keyring: Keyring): Promise<number> {
  let unreadable = 0;
  for (const column of ['sealed_secret', 'previous_sealed_secret']) {
    unreadable += await reencrypt(storage, {
      table: 'webhooks',
      column,
      rebind(webhook, value) {
        const binding = bindingOf(webhook);
        return keyring.encrypt(PURPOSE, binding, keyring.decrypt(PURPOSE, binding, value));
      },
    });
  }
  return unreadable;
}
