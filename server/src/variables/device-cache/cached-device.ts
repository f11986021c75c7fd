import type { DeviceIndex, IndexedDevice } from '../../presence/index.ts';
import { BoundedMap } from '../../runtime/index.ts';
import { DeviceVariables, Layouts, type VariablesByPath } from './device-variables.ts';
import type { CachedDeviceRow } from './store.ts';

/** The state of a Device that its readings need, with its Variables by their paths. */
export interface CachedDevice extends IndexedDevice {
  readonly parentDeviceId: string | null;
  /** False when the Device is inactive or archived: its readings and its password are refused. */
  readonly takesReadings: boolean;
  readonly passwordHash: string;
  readonly variables: VariablesByPath;
}

/** Strings that many Devices have in common: the organization, and the gateway above them. */
const MAX_SHARED_TEXTS = 4_096;

/** Makes cached Devices of rows, which share the strings and tables that are equal. */
export class CachedDevices {
  readonly #deviceIndex: DeviceIndex;
  readonly #layouts = new Layouts();
  readonly #texts = new BoundedMap<string, string>(MAX_SHARED_TEXTS);

  constructor(deviceIndex: DeviceIndex) {
    this.#deviceIndex = deviceIndex;
  }

  /** `requestedId` is the id of the Device, of which one copy stays in memory. */
  of(requestedId: string, row: CachedDeviceRow): CachedDevice {
    const index = this.#deviceIndex.indexOf(requestedId);
    // The copy of the first time, however often the Device is loaded.
    const deviceId = this.#deviceIndex.idAt(index);
    const organizationId = this.#shared(row.organizationId);
    return {
      index,
      deviceId,
      organizationId,
      parentDeviceId: row.parentDeviceId === null ? null : this.#shared(row.parentDeviceId),
      takesReadings: row.isActive && row.archivedAt === null,
      passwordHash: row.passwordHash,
      variables: new DeviceVariables({ deviceId, organizationId }, row.variables, this.#layouts),
    };
  }

  #shared(text: string): string {
    const known = this.#texts.get(text);
    if (known === undefined) this.#texts.set(text, text);
    return known ?? text;
  }
}
