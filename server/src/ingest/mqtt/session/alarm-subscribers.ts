import type { Authenticate, Caller } from '../../../http/index.ts';
import { Failure } from '../../../runtime/index.ts';
import type { QoS } from '../wire/index.ts';

/** A client that signed in with an API key. */
export interface AlarmSubscriber {
  /** Organizations whose alarm events it subscribed to. */
  readonly subscriptions: ReadonlyMap<string, AlarmSubscription>;
  /** Queues an alarm event for the client. */
  announce(organizationId: string, payload: Buffer): void;
}

export interface AlarmSubscription {
  readonly qos: QoS;
  readonly identifier: number | null;
}

/** A change of an alarm event. */
export interface AlarmChange {
  readonly id: string;
  readonly change: string;
  readonly event: object;
}

/** The clients that subscribe to alarm events over MQTT. */
export interface AlarmSubscribers {
  /** The caller with these credentials; null when they are not valid. */
  callerOf(authorization: string, address: string): Promise<Caller | null>;
  join(subscriber: AlarmSubscriber): void;
  leave(subscriber: AlarmSubscriber): void;
  /** Resolves when every change from now on is announced. */
  begin(organizationId: string): Promise<unknown>;
  isFollowed(organizationId: string): boolean;
  announceAlarm(organizationId: string, change: AlarmChange): void;
}

export interface AlarmSubscribersDeps {
  readonly authenticate: Authenticate;
  /** From its resolution on, changes of the organization are announced. */
  readonly begin: (organizationId: string) => Promise<unknown>;
}

export function alarmTopic(organizationId: string): string {
  return `fieldwatch/${organizationId}/events/alarms`;
}

const TOPIC = /^fieldwatch\/([^/+#]+)\/events\/alarms$/;

/** The organization whose alarm events a filter names; null for any other filter. */
export function organizationIn(filter: string): string | null {
  return TOPIC.exec(filter)?.[1] ?? null;
}

export function mayReadAlarms(caller: Caller | null, organizationId: string): boolean {
  return caller?.permissionsIn(organizationId)?.has('ReadAlarmConfigurations') ?? false;
}

export function createAlarmSubscribers(deps: AlarmSubscribersDeps): AlarmSubscribers {
  const { authenticate, begin } = deps;
  const all = new Set<AlarmSubscriber>();

  async function callerOf(authorization: string, address: string): Promise<Caller | null> {
    try {
      return await authenticate(authorization, address);
    } catch (error) {
      if (error instanceof Failure && error.status < 500) return null;
      throw error;
    }
  }

  const subscribersOf = (organizationId: string) =>
    [...all].filter(({ subscriptions }) => subscriptions.has(organizationId));

  return {
    callerOf,
    join: (subscriber) => all.add(subscriber),
    leave: (subscriber) => all.delete(subscriber),
    begin,
    isFollowed: (organizationId) => subscribersOf(organizationId).length > 0,
    announceAlarm(organizationId, change) {
      const subscribers = subscribersOf(organizationId);
      if (subscribers.length === 0) return;
      const payload = Buffer.from(JSON.stringify(change));
      for (const subscriber of subscribers) subscriber.announce(organizationId, payload);
    },
  };
}
