import type { Caller } from '../http/index.ts';
import type { Keyring } from '../runtime/index.ts';
import { masked, type RevealAppKey } from './device.ts';
import type { SealAppKey } from './edit.ts';

const PURPOSE = 'device-app-key';

/** The application keys of LoRaWAN Devices: sealed at rest, shown to those who may change them. */
export interface AppKeys {
  readonly seal: SealAppKey;
  revealedTo(caller: Caller, organizationId: string): RevealAppKey;
}

export function createAppKeys(keyring: Keyring): AppKeys {
  const reveal: RevealAppKey = (sealed) => keyring.open(PURPOSE, sealed).toString();
  return {
    seal: (appKey) => keyring.seal(PURPOSE, Buffer.from(appKey)),
    revealedTo: (caller, organizationId) =>
      caller.permissionsIn(organizationId)?.has('UpdateDevice') ? reveal : masked,
  };
}
