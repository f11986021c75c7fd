import type { Packet } from 'mqtt-packet';
import type { Clock } from '../../../runtime/index.ts';
import type {
  ConnectOptions,
  ControlPacket,
  Frames,
  SubscribePacket,
  Will,
} from '../wire/index.ts';
import {
  type Fault,
  type PacketWriter,
  PROPERTY,
  PUBACK,
  PUBCOMP,
  PUBREC,
  type PublishHead,
  REASONS,
  type Refused,
  readPublish,
  refusedFilter,
  suback,
  subscribeFault,
  TOPIC_ALIASES,
  unsuback,
} from '../wire/index.ts';
import { Acknowledgements, type Slot } from './acknowledgements.ts';
import { Deliveries, type Undelivered } from './deliveries.ts';
import type { Delivery, QueueLimits } from './delivery-queue.ts';
import { forward } from './forwarding.ts';
import { type Outcome, TAKEN } from './outcome.ts';
import type { Publish } from './publishing.ts';
import type { Session, Sessions } from './sessions.ts';
import type { TopicAccess } from './topic-access.ts';
import { type Target, Targets } from './topic-cache.ts';

export interface DeviceSessionDeps {
  readonly access: TopicAccess;
  readonly sessions: Sessions;
  readonly publish: Publish;
  readonly outcomeOf: (session: Session, error: unknown) => Outcome;
  readonly onRefused: (what: Refused) => void;
  readonly onUndelivered: (reason: Undelivered) => void;
  readonly clock: Clock;
}

interface DeviceSessionParts {
  readonly session: Session;
  readonly options: ConnectOptions;
  readonly writer: PacketWriter;
  /** The connection is to be closed, for this reason. */
  readonly onFault: (reasonCode: number) => void;
}

/** Messages that may wait for a subscriber that takes them slowly. */
export const MESSAGE_QUEUE_LIMITS: QueueLimits = { maxMessages: 1_000, maxBytes: 1024 * 1024 };

/** Speaks with one signed-in Device: its messages, their answers, and what it subscribed to. */
export class DeviceSession {
  readonly #deps: DeviceSessionDeps;
  readonly #parts: DeviceSessionParts;
  readonly #acknowledgements: Acknowledgements;
  readonly #targets: Targets;
  readonly #deliveries: Deliveries;
  readonly #aliases = new Map<number, Target>();
  /** QoS 2 messages that the client has not released yet: the same one again is a repetition. */
  readonly #unreleased = new Set<number>();

  constructor(deps: DeviceSessionDeps, parts: DeviceSessionParts) {
    const { session, options, writer } = parts;
    this.#deps = deps;
    this.#parts = parts;
    this.#targets = new Targets((topic) => deps.access.routeOf(session, topic));
    this.#deliveries = new Deliveries({
      ...deps,
      writer,
      receiveMaximum: options.receiveMaximum,
      limits: MESSAGE_QUEUE_LIMITS,
    });
    this.#acknowledgements = new Acknowledgements({
      answer: (slot, outcome) => this.#answer(slot, outcome),
      outcomeOf: (error) => deps.outcomeOf(session, error),
    });
  }

  get undelivered(): Readonly<Record<Undelivered, number>> {
    return this.#deliveries.undelivered;
  }

  answered(): Promise<void> {
    return this.#acknowledgements.answered();
  }

  /** Takes the PUBLISH at which the frames stand. What follows waits for the promise, if any. */
  publish(frames: Frames, receivedAt: number): Promise<void> | undefined {
    const { options, onFault, session } = this.#parts;
    const head = readPublish(frames, options.version);
    if (typeof head === 'number') return void onFault(head);
    const target = this.#targetOf(frames, head);
    if (typeof target === 'number') return void onFault(target);
    const slot = this.#acknowledgements.open(head.qos, head.messageId);
    if (head.qos === 2 && this.#unreleased.has(head.messageId)) return void slot.settle(TAKEN);
    if (head.qos === 2) this.#unreleased.add(head.messageId);
    const payload = frames.bytes.subarray(head.payloadStart, frames.end);
    if (this.#isSubscribed(target)) {
      const { qos, isRetained, properties } = head;
      this.#keep(slot, target, receivedAt, {
        qos,
        isRetained,
        payload,
        properties: properties.forwarded,
        expirySeconds: properties.number(PROPERTY.messageExpiryInterval) ?? null,
      });
    }
    return this.#deps.publish({ session, target, payload, receivedAt }, slot);
  }

  #isSubscribed(target: Target): boolean {
    const { sessions } = this.#deps;
    return target.refusal === null && sessions.subscribersOf(target.device.deviceId).length > 0;
  }

  /** Subscribers get the message once it is stored. */
  #keep(slot: Slot, target: Target, receivedAt: number, published: Omit<Will, 'topic'>): void {
    const { payload, expirySeconds, qos, isRetained, properties } = published;
    slot.message = {
      target,
      payload: Buffer.from(payload),
      qos,
      isRetained,
      properties,
      expiresAt: expirySeconds === null ? null : receivedAt + 1_000 * expirySeconds,
      sender: this.#parts.session,
    };
  }

  #targetOf({ bytes }: Frames, head: PublishHead): Target | Fault {
    const { topicStart, topicEnd, alias } = head;
    if (alias > TOPIC_ALIASES) return REASONS.topicAliasInvalid;
    if (topicStart === topicEnd && alias > 0) {
      return this.#aliases.get(alias) ?? REASONS.protocolError;
    }
    const target = this.#targets.find(bytes, topicStart, topicEnd);
    if (target === null) return REASONS.topicNameInvalid;
    if (alias > 0) this.#aliases.set(alias, target);
    return target;
  }

  #answer(slot: Slot, outcome: Outcome): void {
    const { writer, options, onFault } = this.#parts;
    const { qos, messageId } = slot;
    const { kind } = outcome;
    if (kind === 'REFUSED') this.#deps.onRefused('message');
    if (kind === 'TAKEN' && slot.message) forward(this.#deps.sessions, slot.message);
    if (qos === 0) return;
    if (kind === 'UNTAKEN') {
      // Without an answer the client sends the message again when it is back.
      onFault(REASONS.serverBusy);
    } else if (kind === 'REFUSED' && options.version === 5) {
      this.#unreleased.delete(messageId);
      const { reasonCode, reason } = outcome;
      const properties = options.wantsReasons ? { properties: { reasonString: reason } } : {};
      writer.send({ cmd: qos === 1 ? 'puback' : 'pubrec', messageId, reasonCode, ...properties });
    } else {
      // Before version 5 nothing else can be said, and closing would bring the message again.
      writer.acknowledge(qos === 1 ? PUBACK : PUBREC, messageId);
    }
  }

  /** What does not fit any more the client misses, and it is counted. */
  deliver(delivery: Delivery): void {
    this.#deliveries.send(delivery);
  }

  /** Answers anything but messages. Returns why the connection is to be closed, if it is. */
  handlePacket(packet: ControlPacket): Fault | undefined {
    const { session } = this.#parts;
    const { sessions } = this.#deps;
    switch (packet.cmd) {
      case 'pingreq':
        return this.#reply({ cmd: 'pingresp' });
      case 'pubrel':
        return this.#release(packet.messageId);
      case 'puback':
      case 'pubrec':
      case 'pubcomp':
        return this.#deliveries.acknowledge(packet);
      case 'subscribe':
        return subscribeFault(packet) ?? this.#reply(this.#subscribe(packet));
      case 'unsubscribe':
        return this.#reply(unsuback(packet, (filter) => sessions.unsubscribe(session, filter)));
      default:
        return REASONS.protocolError;
    }
  }

  #subscribe({ messageId, identifier, requests }: SubscribePacket): Packet {
    const { session, options } = this.#parts;
    const { access, sessions, onRefused } = this.#deps;
    const granted = requests.map(({ filter, ...wanted }) => {
      if (!access.maySubscribe(session, filter)) {
        onRefused('subscription');
        return refusedFilter(filter, options.version);
      }
      sessions.subscribe(session, filter, { ...wanted, identifier });
      return wanted.qos;
    });
    return suback(messageId, granted);
  }

  #reply(answer: Packet | Fault): Fault | undefined {
    if (typeof answer === 'number') return answer;
    return this.#parts.writer.send(answer) ? undefined : REASONS.packetTooLarge;
  }

  /** Also of a message that was taken before a restart: its PUBREC said that it is durable. */
  #release(messageId: number): undefined {
    this.#unreleased.delete(messageId);
    this.#parts.writer.acknowledge(PUBCOMP, messageId);
  }

  /** The connection is gone; what the client wanted to be said then is a message like any other. */
  end(will: Will | null, receivedAt: number): void {
    const { session } = this.#parts;
    this.#deps.sessions.close(session);
    if (!will) return;
    const target = this.#deps.access.routeOf(session, will.topic);
    const slot = this.#acknowledgements.open(0, 0);
    if (this.#isSubscribed(target)) this.#keep(slot, target, receivedAt, will);
    const { payload } = will;
    void this.#deps.publish({ session, target, payload, receivedAt }, slot);
  }
}
