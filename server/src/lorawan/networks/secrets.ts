import type { Keyring } from '../../runtime/index.ts';

/** Which network a secret belongs to. */
export interface NetworkName {
  readonly organizationId: string;
  readonly id: string;
}

/** A secret of networks: encrypted at rest, and bound to its network and its column. */
function secretIn(column: string, purpose: string) {
  const bindingOf = ({ organizationId, id }: NetworkName) => [
    'lorawan_networks',
    column,
    organizationId,
    id,
  ];
  return {
    encrypt: (keyring: Keyring, network: NetworkName, secret: string) =>
      keyring.encrypt(purpose, bindingOf(network), Buffer.from(secret)),
    decrypt: (keyring: Keyring, network: NetworkName, encrypted: Buffer) =>
      keyring.decrypt(purpose, bindingOf(network), encrypted).toString(),
  };
}

export const brokerPassword = secretIn('encrypted_password', 'lorawan-network-password');
export const apiToken = secretIn('encrypted_api_token', 'lorawan-network-api-token');
