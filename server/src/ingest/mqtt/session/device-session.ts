import type { Packet } from 'mqtt-packet';
import type { Clock } from '../../../runtime/index.ts';
import type { Message, Relay } from '../relay/index.ts';
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
import { Acknowledgements, type PendingAcknowledgement } from './acknowledgements.ts';
import { Deliveries, type Undelivered } from './deliveries.ts';
import type { Delivery, QueueLimits } from './delivery-queue.ts';
import { forward } from './forwarding.ts';
import { type Outcome, STORED } from './outcome.ts';
import type { Publish } from './publishing.ts';
import type { Session, Sessions } from './sessions.ts';
import type { TopicAccess } from './topic-access.ts';
import { TopicCache, type TopicRoute } from './topic-cache.ts';

export interface DeviceSessionDeps {
  readonly access: TopicAccess;
  readonly sessions: Sessions;
  readonly relay: Relay;
  readonly publish: Publish;
  readonly outcomeOf: (session: Session, error: unknown) => Outcome;
  readonly onRefused: (what: Refused) => void;
  readonly onUndelivered: (reason: Undelivered) => void;
  readonly clock: Clock;
}

interface DeviceConnection {
  readonly session: Session;
  readonly options: ConnectOptions;
  readonly writer: PacketWriter;
  /** Closes the connection with this reason code. */
  readonly onFault: (reasonCode: number) => void;
}

/** The queue of a subscriber that reads slowly. */
const MESSAGE_QUEUE_LIMITS: QueueLimits = { maxMessages: 1_000, maxBytes: 1024 * 1024 };

/** The session of one signed-in Device: its messages, their acknowledgements, and its subscriptions. */
export class DeviceSession {
  readonly #deps: DeviceSessionDeps;
  readonly #connection: DeviceConnection;
  readonly #acknowledgements: Acknowledgements;
  readonly #topics: TopicCache;
  readonly #deliveries: Deliveries;
  readonly #aliases = new Map<number, TopicRoute>();
  /** QoS 2 messages that the client has not released yet: the same identifier again is a duplicate. */
  readonly #unreleased = new Set<number>();
  /** The last acknowledgement that waits until its message is at the nodes of its subscribers. */
  #held: Promise<void> | undefined;

  constructor(deps: DeviceSessionDeps, connection: DeviceConnection) {
    const { session, options, writer } = connection;
    this.#deps = deps;
    this.#connection = connection;
    this.#topics = new TopicCache((topic) => deps.access.routeOf(session, topic));
    this.#deliveries = new Deliveries({
      ...deps,
      writer,
      receiveMaximum: options.receiveMaximum,
      limits: MESSAGE_QUEUE_LIMITS,
    });
    this.#acknowledgements = new Acknowledgements({
      send: (acknowledgement, outcome) => this.#acknowledge(acknowledgement, outcome),
      outcomeOf: (error) => deps.outcomeOf(session, error),
    });
  }

  get undelivered(): Readonly<Record<Undelivered, number>> {
    return this.#deliveries.undelivered;
  }

  async answered(): Promise<void> {
    await this.#acknowledgements.answered();
    await this.#held;
  }

  /** Handles the current PUBLISH of the frames. Later packets wait for the promise, if any. */
  publish(frames: Frames, receivedAt: number): Promise<void> | undefined {
    const { options, onFault, session } = this.#connection;
    const head = readPublish(frames, options.version);
    if (typeof head === 'number') return void onFault(head);
    const route = this.#routeOf(frames, head);
    if (typeof route === 'number') return void onFault(route);
    const acknowledgement = this.#acknowledgements.open(head.qos, head.messageId);
    if (head.qos === 2 && this.#unreleased.has(head.messageId))
      return void acknowledgement.complete(STORED);
    if (head.qos === 2) this.#unreleased.add(head.messageId);
    const payload = frames.bytes.subarray(head.payloadStart, frames.end);
    if (this.#isSubscribed(route)) {
      const { qos, isRetained, properties } = head;
      this.#holdForSubscribers(acknowledgement, route, receivedAt, {
        qos,
        isRetained,
        payload,
        properties: properties.forwarded,
        expirySeconds: properties.number(PROPERTY.messageExpiryInterval) ?? null,
      });
    }
    return this.#deps.publish({ session, route, payload, receivedAt }, acknowledgement);
  }

  #isSubscribed({ refusal, device: { deviceId } }: TopicRoute): boolean {
    const { sessions, relay } = this.#deps;
    if (refusal !== null) return false;
    return sessions.subscribersOf(deviceId).length > 0 || relay.hasSubscribers(deviceId);
  }

  /** Subscribers get the message once it is stored. */
  #holdForSubscribers(
    acknowledgement: PendingAcknowledgement,
    route: TopicRoute,
    receivedAt: number,
    published: Omit<Will, 'topic'>,
  ): void {
    const { payload, expirySeconds, qos, isRetained, properties } = published;
    acknowledgement.message = {
      deviceId: route.device.deviceId,
      topic: route.topic,
      payload: Buffer.from(payload),
      qos,
      isRetained,
      properties,
      expiresAt: expirySeconds === null ? null : receivedAt + 1_000 * expirySeconds,
    };
  }

  #routeOf({ bytes }: Frames, head: PublishHead): TopicRoute | Fault {
    const { topicStart, topicEnd, alias } = head;
    if (alias > TOPIC_ALIASES) return REASONS.topicAliasInvalid;
    if (topicStart === topicEnd && alias > 0) {
      return this.#aliases.get(alias) ?? REASONS.protocolError;
    }
    const route = this.#topics.find(bytes, topicStart, topicEnd);
    if (route === null) return REASONS.topicNameInvalid;
    if (alias > 0) this.#aliases.set(alias, route);
    return route;
  }

  #acknowledge(acknowledgement: PendingAcknowledgement, outcome: Outcome): void {
    const { message } = acknowledgement;
    acknowledgement.message = undefined;
    if (outcome.kind === 'REFUSED') this.#deps.onRefused('message');
    const passed = outcome.kind === 'STORED' && message ? this.#forward(message) : undefined;
    if (acknowledgement.qos === 0) return;
    if (passed === undefined && this.#held === undefined) {
      this.#answer(acknowledgement, outcome);
      return;
    }
    const held = Promise.all([this.#held, passed]).then(() => {
      this.#answer(acknowledgement, outcome);
      if (this.#held === held) this.#held = undefined;
    });
    this.#held = held;
  }

  /** To the subscribers here, and to the nodes of the others; resolves when it is there. */
  #forward(message: Message): Promise<void> | undefined {
    const { sessions, relay } = this.#deps;
    forward(sessions, message, this.#connection.session);
    return relay.pass(message);
  }

  #answer({ qos, messageId }: PendingAcknowledgement, outcome: Outcome): void {
    const { writer, options, onFault } = this.#connection;
    const { kind } = outcome;
    if (kind === 'NOT_STORED') {
      // Without an acknowledgement the client sends the message again after it reconnects.
      onFault(REASONS.serverBusy);
    } else if (kind === 'REFUSED' && options.version === 5) {
      this.#unreleased.delete(messageId);
      const { reasonCode, reason } = outcome;
      const properties = options.wantsReasons ? { properties: { reasonString: reason } } : {};
      writer.send({ cmd: qos === 1 ? 'puback' : 'pubrec', messageId, reasonCode, ...properties });
    } else {
      // Before version 5 there is no negative acknowledgement, and a closed connection would make the
      // client send the message again.
      writer.acknowledge(qos === 1 ? PUBACK : PUBREC, messageId);
    }
  }

  /** A message that does not fit into the queue is dropped and counted. */
  deliver(delivery: Delivery): void {
    this.#deliveries.send(delivery);
  }

  /** Handles any packet but PUBLISH. Returns the reason to close the connection, if there is one. */
  handlePacket(packet: ControlPacket): Fault | undefined {
    const { session } = this.#connection;
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
        return subscribeFault(packet) ?? this.#subscribe(packet);
      case 'unsubscribe':
        return this.#reply(unsuback(packet, (filter) => sessions.unsubscribe(session, filter)));
      default:
        return REASONS.protocolError;
    }
  }

  /** Acknowledged when messages that are published at other nodes reach the client too. */
  #subscribe({ messageId, identifier, requests }: SubscribePacket): Fault | undefined {
    const { session, options, onFault } = this.#connection;
    const { access, sessions, relay, onRefused } = this.#deps;
    const granted = requests.map(({ filter, ...wanted }) => {
      if (!access.maySubscribe(session, filter)) {
        onRefused('subscription');
        return refusedFilter(filter, options.version);
      }
      sessions.subscribe(session, filter, { ...wanted, identifier });
      return wanted.qos;
    });
    const reply = suback(messageId, granted);
    const announced = relay.announced();
    if (announced === undefined) return this.#reply(reply);
    void announced.then(() => {
      const fault = this.#reply(reply);
      if (fault !== undefined) onFault(fault);
    });
    return undefined;
  }

  #reply(answer: Packet | Fault): Fault | undefined {
    if (typeof answer === 'number') return answer;
    return this.#connection.writer.send(answer) ? undefined : REASONS.packetTooLarge;
  }

  /** Also for a message that was stored before a restart: its PUBREC confirmed that. */
  #release(messageId: number): undefined {
    this.#unreleased.delete(messageId);
    this.#connection.writer.acknowledge(PUBCOMP, messageId);
  }

  /** The connection is closed; the Will of the client is published like any other message. */
  end(will: Will | null, receivedAt: number): void {
    const { session } = this.#connection;
    this.#deps.sessions.close(session);
    if (!will) return;
    const route = this.#deps.access.routeOf(session, will.topic);
    const acknowledgement = this.#acknowledgements.open(0, 0);
    if (this.#isSubscribed(route))
      this.#holdForSubscribers(acknowledgement, route, receivedAt, will);
    const { payload } = will;
    void this.#deps.publish({ session, route, payload, receivedAt }, acknowledgement);
  }
}
