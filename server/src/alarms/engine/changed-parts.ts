import type { DeviceWatch, Judged, WatchedReading } from './variable-watches.ts';
import type { WatchChange } from './watch-update.ts';

/** The changes of some Devices of a batch, to be committed together. */
export interface ChangedPart {
  readonly watchedReadings: readonly WatchedReading[];
  readonly changes: readonly WatchChange[];
  /** The Devices whose alarms change. */
  readonly devices: ReadonlySet<DeviceWatch>;
  /** The Devices of the part; null for all Devices that no other part has. */
  readonly deviceIds: ReadonlySet<string> | null;
}

/**
 * Divides the changes of a batch by Devices, so that no part has many more than `maxChanges`: only
 * the last Device of a part may exceed it. Few changes are one part. Otherwise the first part has the
 * readings of all Devices without a change.
 */
export function partsOf(
  watchedReadings: readonly WatchedReading[],
  { changes, devices }: Judged,
  maxChanges: number,
): readonly ChangedPart[] {
  if (changes.length <= maxChanges) {
    return [{ watchedReadings, changes, devices, deviceIds: null }];
  }
  const changesOf = grouped(changes, ({ stored }) => stored.deviceId);
  const readingsOf = grouped(watchedReadings, ({ device }) => device);
  const calm = watchedReadings.filter(({ device }) => !devices.has(device));
  const parts: ChangedPart[] = [
    { watchedReadings: calm, changes: [], devices: new Set(), deviceIds: null },
  ];
  let part: OpenPart = emptyPart();
  for (const device of devices) {
    part.devices.add(device);
    part.deviceIds.add(device.deviceId);
    part.watchedReadings.push(...(readingsOf.get(device) ?? []));
    part.changes.push(...(changesOf.get(device.deviceId) ?? []));
    if (part.changes.length < maxChanges) continue;
    parts.push(part);
    part = emptyPart();
  }
  if (part.devices.size > 0) parts.push(part);
  return parts;
}

interface OpenPart {
  readonly watchedReadings: WatchedReading[];
  readonly changes: WatchChange[];
  readonly devices: Set<DeviceWatch>;
  readonly deviceIds: Set<string>;
}

function emptyPart(): OpenPart {
  return { watchedReadings: [], changes: [], devices: new Set(), deviceIds: new Set() };
}

function grouped<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
