import type { Keyring } from '../../runtime/index.ts';
import type { WebhookName } from './secret.ts';

const PURPOSE = 'webhook-credential';

const bindingOf = ({ organizationId, id }: WebhookName) => [
  'webhooks',
  'encrypted_credential',
  organizationId,
  id,
];

export function encryptCredential(
  keyring: Keyring,
  webhook: WebhookName,
  credential: string | null,
): Buffer | null {
  if (credential === null) return null;
  return keyring.encrypt(PURPOSE, bindingOf(webhook), Buffer.from(credential));
}

export function decryptCredential(
  keyring: Keyring,
  webhook: WebhookName,
  encrypted: Buffer,
): string {
  return keyring.decrypt(PURPOSE, bindingOf(webhook), encrypted).toString();
}
