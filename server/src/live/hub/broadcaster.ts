import type { LiveDevice } from '@fieldwatch/contract';
import type { AlarmAnnouncement, LiveReading } from '../announcement.ts';
import type { LiveLimits } from '../limits.ts';
import type { Stream } from '../stream/index.ts';
import { alarmText, deviceText, type Interest, interestOf } from '../stream/index.ts';
import { createBatchTimer } from './batch-timer.ts';
import { createDeviceWatch, type PresenceOf } from './device-watch.ts';
import { createFreshValues } from './fresh-values.ts';
import type { SeenDevice } from './store.ts';

/** The streams of one organization, and the events that are broadcast to them. */
export interface Broadcaster {
  readonly streams: Set<Stream>;
  /** Called when streams were added or removed, or a filter changed. */
  filtersChanged(): void;
  putReading(reading: LiveReading): void;
  putDevice(deviceId: string, at: number): void;
  putAlarm(alarm: AlarmAnnouncement): void;
  /** Schedules a batch. */
  arm(): void;
  /** Adds Devices that were seen before the first stream. */
  loadDevices(devices: readonly SeenDevice[], now: number): void;
  tick(now: number): void;
  close(): void;
}

/** How often Devices are checked for having gone offline. */
const OFFLINE_CHECK_MS = 2_000;

export function createBroadcaster(presenceOf: PresenceOf, limits: LiveLimits): Broadcaster {
  const streams = new Set<Stream>();
  const watch = createDeviceWatch(presenceOf, limits);
  const fresh = createFreshValues(limits.maxFreshValues);
  let checkedAt = 0;
  // No stream follows most readings: this one check saves further work for them.
  let interest: Interest | null = null;
  const batchTimer = createBatchTimer(limits.batchMs, () => {
    shareValues();
    let hasMore = false;
    for (const stream of streams) hasMore = stream.flush() || hasMore;
    return hasMore;
  });

  function shareValues(): void {
    const values = fresh.take();
    if (values.size === 0) return;
    for (const stream of streams) stream.putValues(values);
  }

  function broadcastDevice(device: LiveDevice): void {
    const text = deviceText(device);
    for (const stream of streams) stream.putDevice(device.deviceId, text);
    batchTimer.arm();
  }

  return {
    streams,
    arm: batchTimer.arm,
    filtersChanged() {
      interest = null;
    },
    putReading(reading) {
      interest ??= interestOf([...streams].map((stream) => stream.filter()));
      if (!interest.has(reading.variable)) return;
      if (!fresh.put(reading)) shareValues();
      batchTimer.arm();
    },
    putDevice(deviceId, at) {
      const device = watch.seen(deviceId, at);
      if (device) broadcastDevice(device);
    },
    putAlarm(alarm) {
      const text = alarmText(alarm);
      for (const stream of streams) stream.putAlarm(alarm, text);
    },
    loadDevices: watch.load,
    tick(now) {
      for (const stream of streams) stream.tick(now);
      if (now - checkedAt < OFFLINE_CHECK_MS) return;
      checkedAt = now;
      for (const device of watch.offline()) broadcastDevice(device);
    },
    close: batchTimer.close,
  };
}
