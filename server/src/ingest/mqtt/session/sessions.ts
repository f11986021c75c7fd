import type { IndexedDevice, NewSession } from '../../../presence/index.ts';
import { deviceTopic, REASONS } from '../wire/index.ts';
import type { Delivery } from './delivery-queue.ts';
import { SubscribedSessions, type Subscription } from './subscribed-sessions.ts';

/** A signed-in connection of a Device. */
export interface Session extends IndexedDevice {
  readonly link: Link;
  readonly topic: string;
  /** The hash of the password of the sign-in. */
  readonly passwordHash: string;
  readonly device: DeviceSessions;
  /** Identifies the session among those of its Device. */
  readonly clientId: string;
  isRevoked: boolean;
  /** Keyed by filter. */
  readonly subscriptions: Map<string, Subscription>;
  /** Reports the end of the session. */
  readonly onClosed: () => void;
}

/** The connection of a session. */
export interface Link {
  close(reasonCode: number): void;
  deliver(delivery: Delivery): void;
}

/** The sessions of one Device, which share its message rate. */
export interface DeviceSessions {
  readonly open: Set<Session>;
  /** When the messages so far would have arrived at the maximum rate (GCRA). */
  theoreticalArrivalAt: number;
  /** The end of the last wait of a message: the time of the Device is not before it. */
  waitedUntil: number;
}

export interface Sessions {
  readonly count: number;
  open(link: Link, clientId: string, device: SignedIn): Session;
  close(session: Session): void;
  ofDevice(deviceId: string): readonly Session[];
  /** The session that a client with this identifier takes over. */
  find(deviceId: string, clientId: string): Session | undefined;
  /** The sessions of a Device that have subscribed to anything. */
  subscribersOf(deviceId: string): readonly Session[];
  /** The Devices that have subscribers. */
  subscribedDevices(): Iterable<string>;
  subscribe(session: Session, filter: string, subscription: Subscription): void;
  /** False when there was no such subscription. */
  unsubscribe(session: Session, filter: string): boolean;
}

/** A Device that has signed in. */
export interface SignedIn extends IndexedDevice {
  readonly passwordHash: string;
}

/** Learns of each session of a Device. */
export interface SessionListener {
  /** Returns a function that reports the end of the session. */
  sessionOpened(session: NewSession): () => void;
}

const NO_SESSIONS: readonly Session[] = [];

export function createSessions(
  listener: SessionListener,
  onSubscribersChanged: (deviceId: string) => void,
): Sessions {
  const byDevice = new Map<string, DeviceSessions>();
  const subscribers = new SubscribedSessions(onSubscribersChanged);
  let count = 0;

  function deviceOf({ deviceId }: SignedIn): DeviceSessions {
    const known = byDevice.get(deviceId);
    if (known) return known;
    const device = { open: new Set<Session>(), theoreticalArrivalAt: 0, waitedUntil: 0 };
    byDevice.set(deviceId, device);
    return device;
  }

  const ofDevice = (deviceId: string) => [...(byDevice.get(deviceId)?.open ?? [])];

  return {
    get count() {
      return count;
    },
    open(link, clientId, signedIn) {
      const { index, deviceId, organizationId, passwordHash } = signedIn;
      const device = deviceOf(signedIn);
      const takeOver = () => link.close(REASONS.sessionTakenOver);
      const session: Session = {
        link,
        clientId,
        index,
        deviceId,
        organizationId,
        passwordHash,
        topic: deviceTopic(organizationId, deviceId),
        device,
        isRevoked: false,
        subscriptions: new Map(),
        onClosed: listener.sessionOpened({ deviceId, organizationId, clientId, takeOver }),
      };
      device.open.add(session);
      count += 1;
      return session;
    },
    close(session) {
      if (!session.device.open.delete(session)) return;
      count -= 1;
      subscribers.leave(session);
      if (session.device.open.size === 0) byDevice.delete(session.deviceId);
      session.onClosed();
    },
    ofDevice,
    find: (deviceId, clientId) => ofDevice(deviceId).find((each) => each.clientId === clientId),
    subscribersOf(deviceId) {
      // Subscriptions are rare, and the lookup is skipped without any.
      if (subscribers.isEmpty) return NO_SESSIONS;
      return ofDevice(deviceId).filter((each) => each.subscriptions.size > 0);
    },
    subscribedDevices: () => subscribers.devices(),
    subscribe: (...subscribed) => subscribers.subscribe(...subscribed),
    unsubscribe: (session, filter) => subscribers.unsubscribe(session, filter),
  };
}
