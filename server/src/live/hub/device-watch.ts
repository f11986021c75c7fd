import type { LiveDevice } from '@fieldwatch/contract';
import { isoDateTime } from '../../runtime/index.ts';
import type { LiveLimits } from '../limits.ts';
import type { SeenDevice } from './store.ts';

export interface Presence {
  readonly isOnline: boolean;
  readonly lastSeenAt: number | null;
}

/** The presence of a Device, from its stored state. */
export type PresenceOf = (device: {
  readonly id: string;
  readonly lastSeenAt: number | null;
  readonly isOnline: boolean;
}) => Presence;

/** Follows which Devices of an organization are online, to announce when that changes. */
export interface DeviceWatch {
  /** Adds Devices that were seen before the first stream. */
  load(devices: readonly SeenDevice[], now: number): void;
  /** Called when a Device was seen. Null when that needs no announcement. */
  seen(deviceId: string, at: number): LiveDevice | null;
  /**
   * The presence of the Device at the node that acts for it. False when that was announced before.
   */
  learn(device: LiveDevice): boolean;
  /** Devices that are no longer online. */
  offline(): LiveDevice[];
}

interface Followed {
  lastSeenAt: number;
  announcedAt: number;
}

type WatchLimits = Pick<LiveLimits, 'maxDevices' | 'deviceAnnounceMs'>;

export function createDeviceWatch(presenceOf: PresenceOf, limits: WatchLimits): DeviceWatch {
  const online = new Map<string, Followed>();

  return {
    load(devices, now) {
      for (const device of devices) {
        const { id, lastSeenAt } = device;
        if (online.has(id) || online.size >= limits.maxDevices) continue;
        if (presenceOf(device).isOnline) online.set(id, { lastSeenAt, announcedAt: now });
      }
    },
    seen(deviceId, at) {
      const known = online.get(deviceId);
      if (known) {
        known.lastSeenAt = Math.max(known.lastSeenAt, at);
        if (at - known.announcedAt < limits.deviceAnnounceMs) return null;
        known.announcedAt = at;
      }
      const presence = presenceOf({
        id: deviceId,
        lastSeenAt: known?.lastSeenAt ?? at,
        isOnline: known !== undefined,
      });
      if (!known && presence.isOnline) {
        if (online.size >= limits.maxDevices) return null;
        online.set(deviceId, { lastSeenAt: presence.lastSeenAt ?? at, announcedAt: at });
      }
      return liveDeviceOf(deviceId, presence);
    },
    learn({ deviceId, isOnline, lastSeenDateTime }) {
      const lastSeenAt = lastSeenDateTime === null ? 0 : Date.parse(lastSeenDateTime);
      const wasOnline = online.has(deviceId);
      if (!isOnline) online.delete(deviceId);
      else if (online.has(deviceId) || online.size < limits.maxDevices)
        online.set(deviceId, { lastSeenAt, announcedAt: lastSeenAt });
      return wasOnline !== isOnline;
    },
    offline() {
      const devices: LiveDevice[] = [];
      for (const [id, { lastSeenAt }] of online) {
        const presence = presenceOf({ id, lastSeenAt, isOnline: true });
        if (presence.isOnline) continue;
        online.delete(id);
        devices.push(liveDeviceOf(id, presence));
      }
      return devices;
    },
  };
}

export function liveDeviceOf(deviceId: string, { isOnline, lastSeenAt }: Presence): LiveDevice {
  const lastSeenDateTime = lastSeenAt === null ? null : isoDateTime(lastSeenAt);
  return { deviceId, isOnline, lastSeenDateTime };
}
