import type { MqttClient } from 'mqtt';
import type { Harness } from './harness.ts';
import { openMqtt } from './senders.ts';
import { KEY, ORGANIZATION_ID } from './service.ts';
import type { Timeline } from './timeline.ts';

const TOPIC = `fieldwatch/${ORGANIZATION_ID}/events/alarms`;

/** One subscription, from its SUBACK to the end of its connection. */
export interface Session {
  readonly from: number;
  /** Infinity while it lasts. */
  to: number;
  /** The reason code of a DISCONNECT; null when there was none. */
  reason: number | null;
  /** `<event id> <change>`, and the times at which it came. */
  readonly received: Map<string, number[]>;
}

export interface SubscriberKind {
  readonly name: string;
  readonly version: 4 | 5;
  readonly receiveMaximum?: number;
  /** How long it takes over each message. */
  readonly slownessMs: number;
}

export const SUBSCRIBERS: readonly SubscriberKind[] = [
  { name: 'MQTT 3.1.1', version: 4, slownessMs: 0 },
  { name: 'MQTT 5', version: 5, slownessMs: 0 },
  { name: 'MQTT 5, Receive Maximum 1', version: 5, receiveMaximum: 1, slownessMs: 0 },
  { name: 'MQTT 3.1.1, slow', version: 4, slownessMs: 15 },
  { name: 'MQTT 5, Receive Maximum 5, slow', version: 5, receiveMaximum: 5, slownessMs: 15 },
];

/** A client that follows alarm events at QoS 1, and subscribes again after each lost connection. */
export class Subscriber {
  readonly kind: SubscriberKind;
  readonly sessions: Session[] = [];
  readonly #client: MqttClient;
  readonly #timeline: Timeline;
  #current: Session | null = null;
  #reason: number | null = null;

  constructor(harness: Harness, kind: SubscriberKind) {
    this.kind = kind;
    this.#timeline = harness.timeline;
    const { version, receiveMaximum, slownessMs } = kind;
    const credentials = { username: KEY.apiKeyId, password: KEY.apiKeySecret };
    const properties = version === 5 && receiveMaximum ? { receiveMaximum } : {};
    this.#client = openMqtt(harness, credentials, { version, transport: 'tcp' }, properties);
    const client = this.#client;
    client.options.resubscribe = false;
    client.on('connect', () => void this.#subscribe());
    client.on('disconnect', ({ reasonCode }) => {
      this.#reason = reasonCode ?? null;
    });
    client.on('close', () => this.#close());
    client.on('message', (_, payload) => this.#note(payload));
    if (slownessMs > 0) {
      client.handleMessage = (_, done) => {
        setTimeout(() => done(), slownessMs);
      };
    }
  }

  get isSubscribed(): boolean {
    return this.#current !== null;
  }

  async end(): Promise<void> {
    await this.#client.endAsync(true);
  }

  async #subscribe(): Promise<void> {
    const granted = await this.#client.subscribeAsync(TOPIC, { qos: 1 }).catch(() => []);
    if (granted[0]?.qos !== 1) {
      this.#client.reconnect();
      return;
    }
    this.#current = {
      from: Date.now(),
      to: Number.POSITIVE_INFINITY,
      reason: null,
      received: new Map(),
    };
    this.sessions.push(this.#current);
  }

  #close(): void {
    if (this.#current) {
      this.#current.to = this.#timeline.endOfConnection(Date.now());
      this.#current.reason = this.#reason;
    }
    this.#current = null;
    this.#reason = null;
  }

  #note(payload: Buffer): void {
    const { change, event } = JSON.parse(payload.toString());
    const name = `${event.id} ${change}`;
    const received = this.#current?.received;
    received?.set(name, [...(received.get(name) ?? []), Date.now()]);
  }
}

/** A change of an alarm event that a reading caused, and when that was sent and acknowledged. */
export interface Change {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** What a broken connection may have cost: what was not yet delivered when it broke. */
const IN_FLIGHT_MS = 5_000;
const SLOW_IN_FLIGHT_MS = 30_000;

/** Changes that a session should have got and did not, and those that it got twice. */
export function faultsOfSessions(
  { kind, sessions }: Pick<Subscriber, 'kind' | 'sessions'>,
  changes: readonly Change[],
): string[] {
  const faults: string[] = [];
  const isSlow = kind.slownessMs > 0 || kind.receiveMaximum !== undefined;
  for (const { from, to, reason, received } of sessions) {
    const inFlight = isSlow ? SLOW_IN_FLIGHT_MS : IN_FLIGHT_MS;
    const slack = to === Number.POSITIVE_INFINITY ? 0 : inFlight;
    // The client was informed that something is left out; the rest is in the history.
    const isInformed = reason === 0x97;
    for (const change of changes) {
      const isWithin = change.from > from && change.to < to - slack;
      if (isWithin && !isInformed && !received.has(change.name)) {
        const [since, until] = [(change.from - from) / 1_000, (to - change.to) / 1_000];
        const when = `${since} s after SUBACK, ${until} s before the end (${reason ?? 'no reason'})`;
        faults.push(`${kind.name}: ${change.name} was not delivered: ${when}`);
      }
    }
    for (const [name, { length }] of received) {
      if (length > 1) faults.push(`${kind.name}: ${name} was delivered ${length} times`);
    }
  }
  return faults;
}
