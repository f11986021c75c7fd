import type { Keyring } from '../../runtime/index.ts';

const PURPOSE = 'phone-channel-credential';

/** Which channel a credential belongs to. */
export interface ChannelName {
  readonly organizationId: string;
  readonly id: string;
}

const bindingOf = ({ organizationId, id }: ChannelName) => [
  'phone_channels',
  'encrypted_credential',
  organizationId,
  id,
];

export function encryptCredential(
  keyring: Keyring,
  channel: ChannelName,
  credential: string | null,
): Buffer | null {
  if (credential === null) return null;
  return keyring.encrypt(PURPOSE, bindingOf(channel), Buffer.from(credential));
}

export function decryptCredential(
  keyring: Keyring,
  channel: ChannelName,
  encrypted: Buffer | null,
): string {
  return encrypted ? keyring.decrypt(PURPOSE, bindingOf(channel), encrypted).toString() : '';
}
