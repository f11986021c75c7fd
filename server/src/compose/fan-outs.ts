import type { AlarmAnnouncement } from '../live/index.ts';
import type { PresenceListener } from '../presence/index.ts';

/** Passes each event that can change the presence of a Device to every subscriber, in order. */
export interface PresenceFanOut extends PresenceListener {
  subscribe(listener: PresenceListener): void;
}

export function createPresenceFanOut(): PresenceFanOut {
  const listeners: PresenceListener[] = [];
  return {
    subscribe: (listener) => void listeners.push(listener),
    readingSeen(device, at) {
      for (const listener of listeners) listener.readingSeen(device, at);
    },
    sessionChanged(device, at) {
      for (const listener of listeners) listener.sessionChanged(device, at);
    },
  };
}

/** Receives the changes of alarm events of the organizations that it follows. */
export interface AlarmListener {
  isFollowed(organizationId: string): boolean;
  announceAlarm(organizationId: string, change: AlarmAnnouncement): void;
}

/** Passes each change of an alarm event to every subscriber, in order. */
export interface AlarmFanOut extends AlarmListener {
  subscribe(listener: AlarmListener): void;
}

export function createAlarmFanOut(): AlarmFanOut {
  const listeners: AlarmListener[] = [];
  return {
    subscribe: (listener) => void listeners.push(listener),
    isFollowed: (organizationId) => listeners.some((each) => each.isFollowed(organizationId)),
    announceAlarm(organizationId, change) {
      for (const listener of listeners) listener.announceAlarm(organizationId, change);
    },
  };
}
