import type { LiveDevice } from '@fieldwatch/contract';
import type { AlarmAnnouncement, LiveReading } from '../announcement.ts';
import type { LiveLimits } from '../limits.ts';
import type { Stream } from '../stream/index.ts';
import { alarmText, deviceText, type Interest, interestOf } from '../stream/index.ts';
import { createPace } from './batch-timer.ts';
import { createDeviceWatch, type PresenceOf } from './device-watch.ts';
import { createFreshValues } from './fresh-values.ts';
import type { SeenDevice } from './store.ts';

/** The streams of one organization, and what they are about to be told. */
export interface Channel {
  readonly streams: Set<Stream>;
  /** Streams came or went, or have another filter. */
  filtersChanged(): void;
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
  const fresh = createFreshValues(limits.maxFresh);
  let lookedAt = 0;
  // Most readings are followed by nobody: one look spares them all the rest.
  let interest: Interest | null = null;
  const pace = createPace(limits.batchMs, () => {
    share();
    let hasMore = false;
    for (const stream of streams) hasMore = stream.flush() || hasMore;
    return hasMore;
  });

  function share(): void {
    const values = fresh.take();
    if (values.size === 0) return;
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
    filtersChanged() {
      interest = null;
    },
    putReading(reading) {
      interest ??= interestOf([...streams].map((stream) => stream.filter()));
      if (!interest.has(reading.variable)) return;
      if (!fresh.put(reading)) share();
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
