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

interface SubscriberSessionDeps {
  readonly authorization: string;
  readonly address: string;
  readonly options: ConnectOptions;
  readonly writer: PacketWriter;
  readonly alarmSubscribers: AlarmSubscribers;
  readonly clock: Clock;
  readonly onRefused: (what: Refused) => void;
  readonly onUndelivered: (reason: Undelivered) => void;
  /** Closes the connection with this reason code. */
  readonly onFault: (reasonCode: number) => void;
}

interface Announcement {
  readonly organizationId: string;
  readonly payload: Buffer;
}

/** The queue of alarm events. A client that falls further behind is disconnected. */
const ALARM_QUEUE_LIMITS: QueueLimits = {
  maxMessages: 10_000,
  maxBytes: 64 * 1024 * 1024,
};
const NO_BYTES = Buffer.alloc(0);

/** The session of a client with an API key: it receives alarm events and publishes nothing. */
export class SubscriberSession implements AlarmSubscriber {
  readonly subscriptions = new Map<string, AlarmSubscription>();
  readonly #deps: SubscriberSessionDeps;
  readonly #deliveries: Deliveries;
  /** Alarm events for which the key has not been checked yet, in their order. */
  readonly #unchecked: Announcement[] = [];
  #isChecking = false;
  #isEnded = false;

  constructor(deps: SubscriberSessionDeps) {
    const { options } = deps;
    this.#deps = deps;
    this.#deliveries = new Deliveries({
      ...deps,
      receiveMaximum: options.receiveMaximum,
      limits: ALARM_QUEUE_LIMITS,
    });
    deps.alarmSubscribers.join(this);
  }

  get undelivered(): Readonly<Record<Undelivered, number>> {
    return this.#deliveries.undelivered;
  }

  async answered(): Promise<void> {}

  end(): void {
    this.#isEnded = true;
    this.#deps.alarmSubscribers.leave(this);
  }

  announce(organizationId: string, payload: Buffer): void {
    if (this.#unchecked.length >= ALARM_QUEUE_LIMITS.maxMessages) {
      this.#deps.onFault(REASONS.quotaExceeded);
      return;
    }
    this.#unchecked.push({ organizationId, payload });
    if (!this.#isChecking) void this.#deliverUnchecked();
  }

  /**
   * Checks the key after each event and before its delivery: a key that was revoked or lost its
   * permission gets nothing more. Events that are announced during a check share the next one, so
   * that their order is preserved.
   */
  async #deliverUnchecked(): Promise<void> {
    const { alarmSubscribers, authorization, address, onFault } = this.#deps;
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
      // The key cannot be checked: the client reconnects and reads the events it missed over HTTP.
      onFault(REASONS.serverBusy);
    } finally {
      this.#isChecking = false;
    }
  }

  /** No alarm event is skipped: a client whose queue is full is disconnected and reads the history. */
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
    if (!isQueued) this.#deps.onFault(REASONS.quotaExceeded);
  }

  /** Messages are refused; before version 5 there is no negative acknowledgement. */
  publish(frames: Frames): undefined {
    const { writer, options, onFault, onRefused } = this.#deps;
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
        this.#deps.writer.acknowledge(PUBCOMP, packet.messageId);
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
    return this.#deps.writer.send(answer) ? undefined : REASONS.packetTooLarge;
  }

  #subscribe({ messageId, identifier, requests }: SubscribePacket): undefined {
    const { onFault } = this.#deps;
    Promise.all(requests.map((request) => this.#grant(request, identifier))).then(
      (granted) => {
        const fault = this.#reply(suback(messageId, granted));
        if (fault !== undefined) onFault(fault);
      },
      () => onFault(REASONS.serverBusy),
    );
  }

  async #grant({ filter, qos }: SubscriptionRequest, identifier: number | null): Promise<number> {
    const { alarmSubscribers, authorization, address, options, onRefused } = this.#deps;
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
