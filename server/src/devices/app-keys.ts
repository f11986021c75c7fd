import type { Caller } from '../http/index.ts';
import type { Binding, Keyring } from '../runtime/index.ts';
import { reencrypt, type Transactions } from '../storage/index.ts';
import { masked, type RevealAppKey } from './device.ts';
import type { EncryptAppKey } from './edit.ts';

const PURPOSE = 'device-app-key';
const [TABLE, COLUMN] = ['devices', 'sealed_app_key'];

const bindingOf = (organizationId: string, deviceId: string): Binding => [
  TABLE,
  COLUMN,
  organizationId,
  deviceId,
];

/** The application key of a LoRaWAN Device, for its registration at a network server. */
export function decryptAppKey(
  keyring: Keyring,
  organizationId: string,
  deviceId: string,
  encrypted: Buffer,
): string {
  return keyring.decrypt(PURPOSE, bindingOf(organizationId, deviceId), encrypted).toString();
}

/** The application keys of LoRaWAN Devices: encrypted at rest, shown to those who may change them. */
export interface AppKeys {
  encryptionFor(organizationId: string, deviceId: string): EncryptAppKey;
  revealedTo(caller: Caller, organizationId: string): RevealAppKey;
  isShownTo(caller: Caller, organizationId: string): boolean;
}

export function createAppKeys(keyring: Keyring): AppKeys {
  /** A key that cannot be decrypted, as after the loss of the secret, is masked, so that the Device is still shown. */
  function reveal(organizationId: string, deviceId: string, encrypted: Buffer): string {
    try {
      return decryptAppKey(keyring, organizationId, deviceId, encrypted);
    } catch {
      return masked(encrypted, deviceId);
    }
  }
  function isShownTo(caller: Caller, organizationId: string): boolean {
    return caller.permissionsIn(organizationId)?.has('UpdateDevice') ?? false;
  }
  return {
    isShownTo,
    encryptionFor: (organizationId, deviceId) => (appKey) =>
      keyring.encrypt(PURPOSE, bindingOf(organizationId, deviceId), Buffer.from(appKey)),
    revealedTo: (caller, organizationId) =>
      isShownTo(caller, organizationId)
        ? (encrypted, deviceId) => reveal(organizationId, deviceId, encrypted)
        : masked,
  };
}

/** Binds the keys that an older version encrypted to their Devices. */
export function reencryptAppKeys(storage: Transactions, keyring: Keyring): Promise<number> {
  return reencrypt(storage, {
    table: TABLE,
    column: COLUMN,
    rebind({ organizationId, id }, value) {
      const binding = bindingOf(organizationId, id);
      return keyring.encrypt(PURPOSE, binding, keyring.decrypt(PURPOSE, binding, value));
    },
  });
}
