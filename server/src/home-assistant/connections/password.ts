import type { Keyring } from '../../runtime/index.ts';

const PURPOSE = 'home-assistant-password';

/** Which connection a password belongs to. */
export interface ConnectionName {
  readonly organizationId: string;
  readonly id: string;
}

const bindingOf = ({ organizationId, id }: ConnectionName) => [
  'home_assistant_connections',
  'encrypted_password',
  organizationId,
  id,
];

export function encryptPassword(
  keyring: Keyring,
  connection: ConnectionName,
  password: string | null,
): Buffer | null {
  if (password === null) return null;
  return keyring.encrypt(PURPOSE, bindingOf(connection), Buffer.from(password));
}

export function decryptPassword(
  keyring: Keyring,
  connection: ConnectionName,
  encrypted: Buffer,
): string {
  return keyring.decrypt(PURPOSE, bindingOf(connection), encrypted).toString();
}
