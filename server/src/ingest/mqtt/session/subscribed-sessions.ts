import type { QoS } from '../wire/index.ts';

export interface Subscription {
  readonly qos: QoS;
  /** The client does not want its own messages. */
  readonly isNoLocal: boolean;
  readonly isRetainAsPublished: boolean;
  readonly identifier: number | null;
}

/** A session that may subscribe to topics of its Device. */
interface Subscriber {
  readonly deviceId: string;
  /** Keyed by filter. */
  readonly subscriptions: Map<string, Subscription>;
}

/** The sessions that have subscribed to anything. */
export class SubscribedSessions {
  readonly #sessions = new Set<Subscriber>();
  readonly #onChanged: (deviceId: string) => void;

  /** The callback is called when a Device may have its first subscriber, or have lost its last one. */
  constructor(onChanged: (deviceId: string) => void) {
    this.#onChanged = onChanged;
  }

  get isEmpty(): boolean {
    return this.#sessions.size === 0;
  }

  devices(): ReadonlySet<string> {
    return new Set([...this.#sessions].map(({ deviceId }) => deviceId));
  }

  subscribe(session: Subscriber, filter: string, subscription: Subscription): void {
    session.subscriptions.set(filter, subscription);
    if (this.#sessions.has(session)) return;
    this.#sessions.add(session);
    this.#onChanged(session.deviceId);
  }

  /** False when there was no such subscription. */
  unsubscribe(session: Subscriber, filter: string): boolean {
    const isRemoved = session.subscriptions.delete(filter);
    if (session.subscriptions.size === 0) this.leave(session);
    return isRemoved;
  }

  leave(session: Subscriber): void {
    if (this.#sessions.delete(session)) this.#onChanged(session.deviceId);
  }
}
