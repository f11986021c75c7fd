import type { LiveDevice } from '@fieldwatch/contract';
import type { AlarmAnnouncement, LiveReading } from './announcement.ts';
import { createDeviceWatch, type PresenceOf } from './device-watch.ts';
import type { LiveLimits } from './limits.ts';
import { createPace } from './pace.ts';
import type { SeenDevice } from './store.ts';
import type { Stream } from './stream.ts';
import { alarmText, deviceText, type SharedValue } from './text.ts';

/** The streams of one organization, and what they are about to be told. */
export interface Channel {
  readonly streams: Set<Stream>;
  putReading(reading: LiveReading): void;
  putDevice(deviceId: string, at: number): void;
  putAlarm(alarm: AlarmAnnouncement): void;
  /** Batches wait for readers. */
  arm(): void;
  /** Devices that were seen before anybody listened. */
  loadDevices(devices: readonly SeenDevice[], now: number): void;
  tick(now: number): void;
  close(): void;
}

/** How often it is looked for Devices that went away. */
const GONE_EVERY_MS = 2_000;

export function createChannel(presenceOf: PresenceOf, limits: LiveLimits): Channel {
  const streams = new Set<Stream>();
  const watch = createDeviceWatch(presenceOf, limits);
  /** The newest value of each Variable since the last batch: one entry, however many streams. */
  let fresh = new Map<string, LiveReading>();
  let lookedAt = 0;
  const pace = createPace(limits.batchMs, () => {
    share();
    let hasMore = false;
    for (const stream of streams) hasMore = stream.flush() || hasMore;
    return hasMore;
  });

  function share(): void {
    if (fresh.size === 0) return;
    const values = new Map<string, SharedValue>();
    for (const [id, reading] of fresh) values.set(id, { reading, text: null });
    fresh = new Map();
    for (const stream of streams) stream.putValues(values);
  }

  function tell(device: LiveDevice): void {
    const text = deviceText(device);
    for (const stream of streams) stream.putDevice(device.deviceId, text);
    pace.arm();
  }

  return {
    streams,
    arm: pace.arm,
    putReading(reading) {
      const { id } = reading.variable;
      const known = fresh.get(id);
      if (known !== undefined && known.at > reading.at) return;
      fresh.set(id, reading);
      if (fresh.size >= limits.maxFresh) share();
      pace.arm();
    },
    putDevice(deviceId, at) {
      const device = watch.seen(deviceId, at);
      if (device) tell(device);
    },
    putAlarm(alarm) {
      const text = alarmText(alarm);
      for (const stream of streams) stream.putAlarm(alarm, text);
    },
    loadDevices: watch.load,
    tick(now) {
      for (const stream of streams) stream.tick(now);
      if (now - lookedAt < GONE_EVERY_MS) return;
      lookedAt = now;
      for (const device of watch.gone()) tell(device);
    },
    close: pace.close,
  };
}
