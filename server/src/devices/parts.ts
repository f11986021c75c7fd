import type { Operations } from '@fieldwatch/contract';
import type { Handler } from '../http/index.ts';
import type { Keyring, NewId } from '../runtime/index.ts';
import type { Storage } from '../storage/index.ts';
import type { AppKeys } from './app-keys.ts';

export interface DevicesDeps {
  readonly storage: Storage;
  readonly newId: NewId;
  readonly keyring: Keyring;
}

/** What the operations on Devices share. */
export interface DevicesParts extends DevicesDeps {
  readonly appKeys: AppKeys;
}

export interface Devices {
  readonly list: Handler<Operations['listDevices']>;
  readonly listByCursor: Handler<Operations['listDevicesByCursor']>;
  readonly retrieve: Handler<Operations['retrieveDevice']>;
  readonly create: Handler<Operations['createDevice']>;
  readonly update: Handler<Operations['updateDevice']>;
  readonly delete: Handler<Operations['deleteDevice']>;
  readonly archive: Handler<Operations['archiveDevice']>;
  readonly restore: Handler<Operations['restoreDevice']>;
  readonly rotateCredentials: Handler<Operations['rotateDeviceCredentials']>;
}
