import type { DeviceIndex, IndexedDevice } from '../../presence/index.ts';
import type { VariableRef } from '../ref.ts';
import type { CachedDeviceRow } from './store.ts';

/** The state of a Device that its readings need, with its Variables by their paths. */
export interface CachedDevice extends IndexedDevice {
  readonly parentDeviceId: string | null;
  /** False when the Device is inactive or archived: its readings and its password are refused. */
  readonly takesReadings: boolean;
  readonly passwordHash: string;
  readonly variables: ReadonlyMap<string, CachedVariable>;
}

export interface CachedVariable extends VariableRef {
  /** The Variable of the same Device that followed it last time: messages repeat their keys. */
  next?: CachedVariable | undefined;
}

export function cachedDeviceOf(row: CachedDeviceRow, deviceIndex: DeviceIndex): CachedDevice {
  const { organizationId } = row;
  const index = deviceIndex.indexOf(row.deviceId);
  // One copy of the id in memory, however often the Device is loaded.
  const deviceId = deviceIndex.idAt(index);
  return {
    index,
    deviceId,
    organizationId,
    parentDeviceId: row.parentDeviceId,
    takesReadings: row.isActive && row.archivedAt === null,
    passwordHash: row.passwordHash,
    variables: new Map(
      row.variables.map(({ seriesId, id, type, isLoggingEnabled, ...variable }) => {
        const path = interned(variable.path);
        // Built in full, without a spread, so that all refs have one hidden class and access to a
        // field costs a tenth. The fields that every reading needs come first.
        const ref: CachedVariable = {
          seriesId,
          type: TYPES[type],
          isLoggingEnabled,
          path,
          id,
          organizationId,
          deviceId,
          next: undefined,
        };
        return [path, ref];
      }),
    ),
  };
}

/** One copy of each name of a type, so that names are compared by reference. */
const TYPES = { NUMBER: 'NUMBER', STRING: 'STRING', BOOLEAN: 'BOOLEAN' } as const;

/**
 * The interned copy of a path that keys of objects use. Thousands of Devices share a few paths, and
 * the keys of a parsed payload are compared with them by reference.
 */
function interned(path: string): string {
  const [key = path] = Object.keys({ [path]: true });
  return key;
}
