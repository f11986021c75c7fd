import type { Caller } from '../http/index.ts';
import type { Binding, Keyring } from '../runtime/index.ts';
import { reencrypt, type Transactions } from '../storage/index.ts';
import { masked, type RevealAppKey } from './device.ts';
import type { SealAppKey } from './edit.ts';

const PURPOSE = 'device-app-key';
const [TABLE, COLUMN] = ['devices', 'sealed_app_key'];

const bindingOf = (organizationId: string, deviceId: string): Binding => [
  TABLE,
  COLUMN,
  organizationId,
  deviceId,
];

/** The application keys of LoRaWAN Devices: encrypted at rest, shown to those who may change them. */
export interface AppKeys {
  sealFor(organizationId: string, deviceId: string): SealAppKey;
  revealedTo(caller: Caller, organizationId: string): RevealAppKey;
}

export function createAppKeys(keyring: Keyring): AppKeys {
  /** One that cannot be read, as after the loss of a key, is masked: the Device is shown all the same. */
  function reveal(organizationId: string, deviceId: string, sealed: Buffer): string {
    try {
      return keyring.decrypt(PURPOSE, bindingOf(organizationId, deviceId), sealed).toString();
    } catch {
      return masked(sealed, deviceId);
    }
  }
  return {
    sealFor: (organizationId, deviceId) => (appKey) =>
      keyring.encrypt(PURPOSE, bindingOf(organizationId, deviceId), Buffer.from(appKey)),
    revealedTo: (caller, organizationId) =>
      caller.permissionsIn(organizationId)?.has('UpdateDevice')
        ? (sealed, deviceId) => reveal(organizationId, deviceId, sealed)
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
