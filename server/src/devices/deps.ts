import type { Device, Operations } from '@fieldwatch/contract';
import type { Caller, Handler, JsonHandler } from '../http/index.ts';
import type { Presence, RecordedPresence } from '../presence/index.ts';
import type { Keyring, NewId } from '../runtime/index.ts';
import type { Storage, Transaction } from '../storage/index.ts';
import type { AppKeys } from './app-keys.ts';
import type { DeviceRow } from './device.ts';
import type { DeviceSearch } from './search/index.ts';

export interface DevicesDeps {
  readonly storage: Storage;
  readonly newId: NewId;
  readonly keyring: Keyring;
  readonly presence: Presence;
  readonly recordedPresence: RecordedPresence;
  readonly search: DeviceSearch;
  /** Called within the transaction of each edit and deletion of a Device. */
  readonly onSaving: (
    tx: Transaction,
    organizationId: string,
    saved: {
      readonly deviceId: string;
      readonly before: DeviceRow;
      readonly after: DeviceRow | null;
    },
  ) => Promise<void>;
  /** Called after the commit of each change of a Device, its creation and deletion included. */
  readonly onChanged: (deviceId: string) => void;
  /** Awaited after the commit of a new Device, so that it can publish as soon as the client knows it. */
  readonly onCreated: (device: {
    readonly organizationId: string;
    readonly deviceId: string;
  }) => Promise<void>;
  /** Called after the commit that deleted Variables, with the series of their history. */
  readonly onVariablesDeleted: (seriesIds: readonly number[]) => void;
}

/** What the operations on Devices share. */
export interface DeviceHandlerDeps extends Omit<DevicesDeps, 'onChanged'> {
  readonly appKeys: AppKeys;
  /** Called after the commit of each change of a Device. */
  onChanged(organizationId: string, deviceId: string): void;
  /** The record as this caller may see it. */
  recordFor(caller: Caller, organizationId: string): (row: DeviceRow) => Device;
}

export interface Devices {
  readonly list: JsonHandler<Operations['listDevices']>;
  readonly search: Handler<Operations['searchDevices']>;
  readonly listByCursor: Handler<Operations['listDevicesByCursor']>;
  readonly retrieve: Handler<Operations['retrieveDevice']>;
  readonly create: Handler<Operations['createDevice']>;
  readonly update: Handler<Operations['updateDevice']>;
  readonly delete: Handler<Operations['deleteDevice']>;
  readonly archive: Handler<Operations['archiveDevice']>;
  readonly restore: Handler<Operations['restoreDevice']>;
  readonly rotateCredentials: Handler<Operations['rotateDeviceCredentials']>;
  readonly listOnlineWindows: Handler<Operations['listOnlineWindows']>;
  readonly retrieveOnlineWindow: Handler<Operations['retrieveOnlineWindow']>;
  readonly updateOnlineWindow: Handler<Operations['updateOnlineWindow']>;
}
