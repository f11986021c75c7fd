import type { Packet } from 'mqtt-packet';
import type { Clock } from '../../../runtime/index.ts';
import type {
  ConnectOptions,
  ControlPacket,
  Frames,
  SubscribePacket,
  SubscriptionRequest,
} from '../wire/index.ts';
import {
  type Fault,
  type PacketWriter,
  PUBACK,
  PUBCOMP,
  PUBREC,
  REASONS,
  type Refused,
  readPublish,
  refusedFilter,
  suback,
  subscribeFault,
  unsuback,
} from '../wire/index.ts';
import {
  type AlarmSubscriber,
  type AlarmSubscribers,
  type AlarmSubscription,
  alarmTopic,
  mayReadAlarms,
  organizationIn,
} from './alarm-subscribers.ts';
import { Deliveries, type Undelivered } from './deliveries.ts';
import type { QueueLimits } from './delivery-queue.ts';

interface SubscriberSessionParts {
  readonly authorization: string;
  readonly address: string;
  readonly options: ConnectOptions;
  readonly writer: PacketWriter;
  readonly alarmSubscribers: AlarmSubscribers;
  readonly clock: Clock;
  readonly onRefused: (what: Refused) => void;
  readonly onUndelivered: (reason: Undelivered) => void;
  /** The connection is to be closed, for this reason. */
  readonly onFault: (reasonCode: number) => void;
}

interface Announcement {
  readonly organizationId: string;
  readonly payload: Buffer;
}

/** Alarm events that may wait for a client. One that falls behind further is disconnected. */
export const ALARM_QUEUE_LIMITS: QueueLimits = {
  maxMessages: 10_000,
  maxBytes: 64 * 1024 * 1024,
};
const NO_BYTES = Buffer.alloc(0);

/** Speaks with a client that signed in with an API key: it gets alarm events and publishes nothing. */
export class SubscriberSession implements AlarmSubscriber {
  readonly subscriptions = new Map<string, AlarmSubscription>();
  readonly #parts: SubscriberSessionParts;
  readonly #deliveries: Deliveries;
  /** Alarm events for which the key has not been checked yet, in their order. */
  readonly #unchecked: Announcement[] = [];
  #isChecking = false;
  #isEnded = false;

  constructor(parts: SubscriberSessionParts) {
    const { options } = parts;
    this.#parts = parts;
    this.#deliveries = new Deliveries({
      ...parts,
      receiveMaximum: options.receiveMaximum,
      limits: ALARM_QUEUE_LIMITS,
    });
    parts.alarmSubscribers.join(this);
  }

  get undelivered(): Readonly<Record<Undelivered, number>> {
    return this.#deliveries.undelivered;
  }

  async answered(): Promise<void> {}

  end(): void {
    this.#isEnded = true;
    this.#parts.alarmSubscribers.leave(this);
  }

  announce(organizationId: string, payload: Buffer): void {
    if (this.#unchecked.length >= ALARM_QUEUE_LIMITS.maxMessages) {
      this.#parts.onFault(REASONS.quotaExceeded);
      return;
    }
    this.#unchecked.push({ organizationId, payload });
    if (!this.#isChecking) void this.#deliverUnchecked();
  }

  /**
   * Checks the key after each event and before its delivery: one that was revoked or lowered gets
   * nothing more. Events that came in meanwhile share the next check, so that their order is kept.
   */
  async #deliverUnchecked(): Promise<void> {
    const { alarmSubscribers, authorization, address, onFault } = this.#parts;
    this.#isChecking = true;
    try {
      while (this.#unchecked.length > 0 && !this.#isEnded) {
        const count = this.#unchecked.length;
        const caller = await alarmSubscribers.callerOf(authorization, address);
        for (const { organizationId, payload } of this.#unchecked.splice(0, count)) {
          if (this.#isEnded) return;
          if (mayReadAlarms(caller, organizationId)) this.#deliver(organizationId, payload);
          else onFault(REASONS.notAuthorized);
        }
      }
    } catch {
      // The key cannot be looked up: the client comes again, and finds what it missed by search.
      onFault(REASONS.serverBusy);
    } finally {
      this.#isChecking = false;
    }
  }

  /** No alarm event is left out: a client that cannot take it is told to read the history instead. */
  #deliver(organizationId: string, payload: Buffer): void {
    const subscription = this.subscriptions.get(organizationId);
    if (!subscription) return;
    const isQueued = this.#deliveries.send({
      topic: alarmTopic(organizationId),
      payload,
      qos: subscription.qos,
      isRetained: false,
      properties: NO_BYTES,
      expiresAt: null,
      subscriptionIdentifiers: subscription.identifier === null ? [] : [subscription.identifier],
    });
    if (!isQueued) this.#parts.onFault(REASONS.quotaExceeded);
  }

  /** Nothing is taken; version 5 says so, and before it nothing could. */
  publish(frames: Frames): undefined {
    const { writer, options, onFault, onRefused } = this.#parts;
    const head = readPublish(frames, options.version);
    if (typeof head === 'number') return void onFault(head);
    onRefused('message');
    const { qos, messageId } = head;
    if (qos === 0) return undefined;
    if (options.version < 5) writer.acknowledge(qos === 1 ? PUBACK : PUBREC, messageId);
    else {
      const cmd = qos === 1 ? 'puback' : 'pubrec';
      writer.send({ cmd, messageId, reasonCode: REASONS.notAuthorized });
    }
    return undefined;
  }

  handlePacket(packet: ControlPacket): Fault | undefined {
    switch (packet.cmd) {
      case 'pingreq':
        return this.#reply({ cmd: 'pingresp' });
      case 'pubrel':
        this.#parts.writer.acknowledge(PUBCOMP, packet.messageId);
        return undefined;
      case 'puback':
      case 'pubrec':
      case 'pubcomp':
        return this.#deliveries.acknowledge(packet);
      case 'subscribe':
        return subscribeFault(packet) ?? this.#subscribe(packet);
      case 'unsubscribe':
        return this.#reply(
          unsuback(packet, (filter) => this.subscriptions.delete(organizationIn(filter) ?? '')),
        );
      default:
        return REASONS.protocolError;
    }
  }

  #reply(answer: Packet | Fault): Fault | undefined {
    if (typeof answer === 'number') return answer;
    return this.#parts.writer.send(answer) ? undefined : REASONS.packetTooLarge;
  }

  #subscribe({ messageId, identifier, requests }: SubscribePacket): undefined {
    const { onFault } = this.#parts;
    Promise.all(requests.map((request) => this.#grant(request, identifier))).then(
      (granted) => {
        const fault = this.#reply(suback(messageId, granted));
        if (fault !== undefined) onFault(fault);
      },
      () => onFault(REASONS.serverBusy),
    );
  }

  async #grant({ filter, qos }: SubscriptionRequest, identifier: number | null): Promise<number> {
    const { alarmSubscribers, authorization, address, options, onRefused } = this.#parts;
    const organizationId = organizationIn(filter);
    const caller = organizationId && (await alarmSubscribers.callerOf(authorization, address));
    if (!organizationId || !caller || !mayReadAlarms(caller, organizationId)) {
      onRefused('subscription');
      return refusedFilter(filter, options.version);
    }
    this.subscriptions.set(organizationId, { qos, identifier });
    await alarmSubscribers.begin(organizationId);
    return qos;
  }
}
