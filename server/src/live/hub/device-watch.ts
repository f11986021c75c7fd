import type { LiveDevice } from '@fieldwatch/contract';
import { isoDateTime } from '../../runtime/index.ts';
import type { LiveLimits } from '../limits.ts';
import type { SeenDevice } from './store.ts';

export interface Presence {
  readonly isOnline: boolean;
  readonly lastSeenAt: number | null;
}

/** What is said of a Device at the moment, of which storage knows this much. */
export type PresenceOf = (device: {
  readonly id: string;
  readonly lastSeenAt: number | null;
}) => Presence;

/** Which Devices of an organization are online, to tell when one comes or goes. */
export interface DeviceWatch {
  /** Devices that were seen before anybody listened. */
  load(devices: readonly SeenDevice[], now: number): void;
  /** A Device was heard of; null when that is not worth telling. */
  seen(deviceId: string, at: number): LiveDevice | null;
  /** Those that are no longer online. */
  gone(): LiveDevice[];
}

interface Followed {
  lastSeenAt: number;
  toldAt: number;
}

type WatchLimits = Pick<LiveLimits, 'maxDevices' | 'deviceToldMs'>;

export function createDeviceWatch(presenceOf: PresenceOf, limits: WatchLimits): DeviceWatch {
  const online = new Map<string, Followed>();

  return {
    load(devices, now) {
      for (const { id, lastSeenAt } of devices) {
        if (online.has(id) || online.size >= limits.maxDevices) continue;
        if (presenceOf({ id, lastSeenAt }).isOnline) online.set(id, { lastSeenAt, toldAt: now });
      }
    },
    seen(deviceId, at) {
      const known = online.get(deviceId);
      if (known) {
        known.lastSeenAt = Math.max(known.lastSeenAt, at);
        if (at - known.toldAt < limits.deviceToldMs) return null;
        known.toldAt = at;
      }
      const presence = presenceOf({ id: deviceId, lastSeenAt: known?.lastSeenAt ?? at });
      if (!known && presence.isOnline) {
        if (online.size >= limits.maxDevices) return null;
        online.set(deviceId, { lastSeenAt: presence.lastSeenAt ?? at, toldAt: at });
      }
      return toldOf(deviceId, presence);
    },
    gone() {
      const told: LiveDevice[] = [];
      for (const [id, { lastSeenAt }] of online) {
        const presence = presenceOf({ id, lastSeenAt });
        if (presence.isOnline) continue;
        online.delete(id);
        told.push(toldOf(id, presence));
      }
      return told;
    },
  };
}

function toldOf(deviceId: string, { isOnline, lastSeenAt }: Presence): LiveDevice {
  const lastSeenDateTime = lastSeenAt === null ? null : isoDateTime(lastSeenAt);
  return { deviceId, isOnline, lastSeenDateTime };
}
