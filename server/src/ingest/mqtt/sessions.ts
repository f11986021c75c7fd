import type { Client } from 'aedes';
import { createInOrder, type InOrder } from './in-order.ts';
import type { Outcome } from './outcome.ts';
import { deviceTopic } from './topic.ts';

/** A signed-in connection of a Device. */
export interface Session {
  readonly client: Client;
  readonly deviceId: string;
  readonly organizationId: string;
  readonly topic: string;
  /** Of the password it signed in with. */
  readonly passwordHash: string;
  readonly device: DeviceSessions;
  /** Acknowledgements go out in the order of the messages. */
  readonly acknowledgements: InOrder<Outcome>;
  isRevoked: boolean;
  subscribedQos: QoS;
}

type QoS = 0 | 1 | 2;

/** The sessions of one Device, which share its rate. */
export interface DeviceSessions {
  readonly open: Set<Session>;
  /** When the messages so far are paid for at the greatest rate. */
  paidUntil: number;
}

export interface Sessions {
  readonly count: number;
  of(client: Client): Session | undefined;
  open(client: Client, device: SignedIn): Session;
  close(client: Client): void;
  ofDevice(deviceId: string): readonly Session[];
  all(): readonly Session[];
}

/** What is known of a Device that has signed in. */
export interface SignedIn {
  readonly deviceId: string;
  readonly organizationId: string;
  readonly passwordHash: string;
}

/** Told of the first session of a Device and of the end of its last one. */
export interface SessionListener {
  sessionOpened(deviceId: string): void;
  sessionClosed(deviceId: string): void;
}

export function createSessions(listener: SessionListener): Sessions {
  const byClient = new Map<Client, Session>();
  const byDevice = new Map<string, DeviceSessions>();

  function deviceOf(deviceId: string): DeviceSessions {
    const known = byDevice.get(deviceId);
    if (known) return known;
    const device = { open: new Set<Session>(), paidUntil: 0 };
    byDevice.set(deviceId, device);
    listener.sessionOpened(deviceId);
    return device;
  }

  return {
    get count() {
      return byClient.size;
    },
    of: (client) => byClient.get(client),
    open(client, { deviceId, organizationId, passwordHash }) {
      const device = deviceOf(deviceId);
      const session: Session = {
        client,
        deviceId,
        organizationId,
        passwordHash,
        topic: deviceTopic(organizationId, deviceId),
        device,
        acknowledgements: createInOrder(),
        isRevoked: false,
        subscribedQos: 0,
      };
      device.open.add(session);
      byClient.set(client, session);
      return session;
    },
    close(client) {
      const session = byClient.get(client);
      if (!session) return;
      byClient.delete(client);
      session.device.open.delete(session);
      if (session.device.open.size > 0) return;
      byDevice.delete(session.deviceId);
      listener.sessionClosed(session.deviceId);
    },
    ofDevice: (deviceId) => [...(byDevice.get(deviceId)?.open ?? [])],
    all: () => [...byClient.values()],
  };
}
