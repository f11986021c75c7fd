import type { Keyring } from '../../runtime/index.ts';

const PURPOSE = 'lorawan-network-password';

/** Which network a password belongs to. */
export interface NetworkName {
  readonly organizationId: string;
  readonly id: string;
}

const bindingOf = ({ organizationId, id }: NetworkName) => [
  'lorawan_networks',
  'encrypted_password',
  organizationId,
  id,
];

export function encryptPassword(
  keyring: Keyring,
  network: NetworkName,
  password: string | null,
): Buffer | null {
  if (password === null) return null;
  return keyring.encrypt(PURPOSE, bindingOf(network), Buffer.from(password));
}

export function decryptPassword(keyring: Keyring, network: NetworkName, encrypted: Buffer): string {
  return keyring.decrypt(PURPOSE, bindingOf(network), encrypted).toString();
}
