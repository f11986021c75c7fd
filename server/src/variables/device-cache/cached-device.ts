import type { Placed, Places } from '../../presence/index.ts';
import type { VariableRef } from '../ref.ts';
import type { EntryRow } from './store.ts';

/** What a reading meets on its way: its Device, and the Variables of it by their paths. */
export interface DeviceEntry extends Placed {
  readonly parentDeviceId: string | null;
  /** False when it is switched off or archived: it takes no readings and its password is refused. */
  readonly takesReadings: boolean;
  readonly passwordHash: string;
  readonly variables: ReadonlyMap<string, VariableRef>;
}

export function entryOf(row: EntryRow, places: Places): DeviceEntry {
  const { organizationId } = row;
  const place = places.of(row.deviceId);
  // The one copy of its text, however often it is loaded.
  const deviceId = places.idAt(place);
  return {
    place,
    deviceId,
    organizationId,
    parentDeviceId: row.parentDeviceId,
    takesReadings: row.isActive && row.archivedAt === null,
    passwordHash: row.passwordHash,
    variables: new Map(
      row.variables.map(({ seriesId, id, type, isLoggingEnabled, ...variable }) => {
        const path = shared(variable.path);
        // In full, not spread from parts: only so do all refs have one shape, and reading a field of
        // them costs a tenth. What every reading looks at comes first.
        const ref: VariableRef = {
          seriesId,
          type: TYPES[type],
          isLoggingEnabled,
          path,
          id,
          organizationId,
          deviceId,
        };
        return [path, ref];
      }),
    ),
  };
}

/** Names of types that are compared by looking at where they are, not at what they say. */
const TYPES = { NUMBER: 'NUMBER', STRING: 'STRING', BOOLEAN: 'BOOLEAN' } as const;

/**
 * The one copy of this text that keys of objects use. Thousands of Devices share a few paths, and the
 * keys of a parsed payload are found among them without a look at their characters.
 */
function shared(path: string): string {
  const [key = path] = Object.keys({ [path]: true });
  return key;
}
