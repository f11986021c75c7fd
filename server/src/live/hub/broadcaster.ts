import type { LiveDevice } from '@fieldwatch/contract';
import type { AlarmAnnouncement, LiveReading } from '../announcement.ts';
import type { LiveLimits } from '../limits.ts';
import type { LiveNews } from '../news.ts';
import type { Stream } from '../stream/index.ts';
import { alarmText, deviceText, type Interest, interestOf } from '../stream/index.ts';
import { createBatchTimer } from './batch-timer.ts';
import { createDeviceWatch, type DeviceWatch, type PresenceOf } from './device-watch.ts';
import { createFreshValues } from './fresh-values.ts';
import type { SeenDevice } from './store.ts';

/** The streams of one organization, and the events that are broadcast to them. */
export interface Broadcaster {
  readonly streams: Set<Stream>;
  /** Called when streams were added or removed, or a filter changed. */
  filtersChanged(): void;
  putReading(reading: LiveReading): void;
  putDevice(deviceId: string, at: number): void;
  /** The Device may have come online or gone offline. */
  putPresence(device: LiveDevice): void;
  putAlarm(alarm: AlarmAnnouncement): void;
  /** Values and Devices of another node. */
  putNews(news: LiveNews): void;
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
  const fresh = createFreshValues(limits.maxFreshValues);
  // No stream follows most readings: this one check saves further work for them.
  let interest: Interest | null = null;
  const batchTimer = createBatchTimer(limits.batchMs, () => {
    shareValues();
    let hasMore = false;
    for (const stream of streams) hasMore = stream.flush() || hasMore;
    return hasMore;
  });
  const { putDevice, putPresence, putReported, loadDevices, checkOffline } = createDeviceEvents(
    createDeviceWatch(presenceOf, limits),
    { streams, arm: batchTimer.arm },
  );

  function shareValues(): void {
    const values = fresh.take();
    if (values.size === 0) return;
    for (const stream of streams) stream.putValues(values);
  }

  function putReading(reading: LiveReading): void {
    interest ??= interestOf([...streams].map((stream) => stream.filter()));
    if (!interest.has(reading.variable)) return;
    if (!fresh.put(reading)) shareValues();
    batchTimer.arm();
  }

  return {
    ...{ streams, putReading, putDevice, putPresence, loadDevices },
    arm: batchTimer.arm,
    filtersChanged() {
      interest = null;
    },
    putAlarm(alarm) {
      const text = alarmText(alarm);
      for (const stream of streams) stream.putAlarm(alarm, text);
    },
    putNews({ readings, devices, missed }) {
      for (const reading of readings) putReading(reading);
      for (const device of devices) putReported(device);
      if (missed === 0) return;
      for (const stream of streams) stream.putMissed(missed);
      batchTimer.arm();
    },
    tick(now) {
      for (const stream of streams) stream.tick(now);
      checkOffline(now);
    },
    close: batchTimer.close,
  };
}

/** The events about Devices. */
function createDeviceEvents(
  watch: DeviceWatch,
  { streams, arm }: { readonly streams: ReadonlySet<Stream>; readonly arm: () => void },
) {
  let checkedAt = 0;

  function broadcast(device: LiveDevice): void {
    const text = deviceText(device);
    for (const stream of streams) stream.putDevice(device.deviceId, text);
    arm();
  }

  return {
    putDevice(deviceId: string, at: number): void {
      const device = watch.seen(deviceId, at);
      if (device) broadcast(device);
    },
    putPresence(device: LiveDevice): void {
      if (watch.learn(device)) broadcast(device);
    },
    /** Another node decides when it announces a Device. */
    putReported(device: LiveDevice): void {
      watch.learn(device);
      broadcast(device);
    },
    loadDevices: watch.load,
    checkOffline(now: number): void {
      if (now - checkedAt < OFFLINE_CHECK_MS) return;
      checkedAt = now;
      for (const device of watch.offline()) broadcast(device);
    },
  };
}
