import { describe, expect, it } from 'vitest';
import { partsOf } from './changed-parts.ts';
import type { DeviceWatch, WatchedReading } from './variable-watches.ts';
import type { WatchChange } from './watch-update.ts';

const watchOf = (deviceId: string): DeviceWatch => ({
  ...{
    organizationId: 'one',
    deviceId,
    variables: null,
    busy: undefined,
    onAwaited: undefined,
    isInvalid: false,
  },
});

const changeOf = (deviceId: string) => ({ stored: { deviceId } }) as WatchChange;
const readingOf = (device: DeviceWatch) => ({ device }) as WatchedReading;

/** A batch with a reading of each Device, and so many changes of alarms of each. */
function divide(changesOf: Readonly<Record<string, number>>, maxChanges: number) {
  const watches = Object.keys(changesOf).map(watchOf);
  const changed = watches.filter(({ deviceId }) => changesOf[deviceId] !== 0);
  const changes = changed.flatMap(({ deviceId }) =>
    Array.from({ length: changesOf[deviceId] ?? 0 }, () => changeOf(deviceId)),
  );
  const judged = { changes, devices: new Set(changed) };
  return partsOf(watches.map(readingOf), judged, maxChanges).map((part) => ({
    changes: part.changes.length,
    readings: part.watchedReadings.map(({ device }) => device.deviceId),
    deviceIds: part.deviceIds && [...part.deviceIds],
  }));
}

describe('the changes of a batch', () => {
  it('are one part with all Devices when they are few', () => {
    expect(divide({ a: 1, b: 0, c: 1 }, 2)).toEqual([
      { changes: 2, readings: ['a', 'b', 'c'], deviceIds: null },
    ]);
  });

  it('are divided by Devices when they are many, after a part of the Devices without a change', () => {
    expect(divide({ a: 2, b: 0, c: 1, d: 2 }, 3)).toEqual([
      { changes: 0, readings: ['b'], deviceIds: null },
      { changes: 3, readings: ['a', 'c'], deviceIds: ['a', 'c'] },
      { changes: 2, readings: ['d'], deviceIds: ['d'] },
    ]);
  });

  it('of one Device are never divided', () => {
    expect(divide({ a: 5, b: 1 }, 2).map(({ changes }) => changes)).toEqual([0, 5, 1]);
  });
});
