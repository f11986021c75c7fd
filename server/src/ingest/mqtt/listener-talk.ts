import type { ISubscribePacket, IUnsubscribePacket, Packet } from 'mqtt-packet';
import { Deliveries } from './deliveries.ts';
import { type Follower, type Followers, organizationIn } from './followers.ts';
import type { Frames } from './frames.ts';
import type { Introduction } from './handshake.ts';
import { type Outlet, PUBACK, PUBCOMP, PUBREC } from './outlet.ts';
import { type Fault, readPublish } from './publish-packet.ts';
import { REASONS, type Refused } from './reasons.ts';
import { isFilter } from './topic.ts';

interface ListenerParts {
  readonly authorization: string;
  readonly address: string;
  readonly introduction: Introduction;
  readonly outlet: Outlet;
  readonly followers: Followers;
  readonly onRefused: (what: Refused) => void;
  /** The connection is to be closed, for this reason. */
  readonly onFault: (reasonCode: number) => void;
}

/** What was refused before version 5 had reasons. */
const REFUSED = 0x80;
const NO_SUBSCRIPTION = 0x11;

/** Speaks with a client that signed in with an API key: it hears alarm events, and says nothing. */
export class ListenerTalk implements Follower {
  readonly authorization: string;
  readonly address: string;
  readonly subscriptions = new Map<string, 0 | 1>();
  readonly #parts: ListenerParts;
  readonly #deliveries: Deliveries;

  constructor(parts: ListenerParts) {
    const { authorization, address, outlet, introduction, followers } = parts;
    this.authorization = authorization;
    this.address = address;
    this.#parts = parts;
    this.#deliveries = new Deliveries(outlet, introduction);
    followers.join(this);
  }

  async answered(): Promise<void> {}

  send(topic: string, payload: Buffer, qos: 0 | 1): void {
    this.#deliveries.send(topic, payload, qos);
  }

  close(reasonCode: number): void {
    this.#parts.onFault(reasonCode);
  }

  end(): void {
    this.#parts.followers.leave(this);
  }

  /** Nothing is taken; version 5 says so, and before it nothing could. */
  publish(frames: Frames): undefined {
    const { outlet, introduction, onFault, onRefused } = this.#parts;
    const head = readPublish(frames, introduction.version);
    if (typeof head === 'number') return void onFault(head);
    onRefused('message');
    const { qos, messageId } = head;
    if (qos === 0) return undefined;
    if (introduction.version < 5) outlet.acknowledge(qos === 1 ? PUBACK : PUBREC, messageId);
    else {
      const cmd = qos === 1 ? 'puback' : 'pubrec';
      outlet.send({ cmd, messageId, reasonCode: REASONS.notAuthorized });
    }
    return undefined;
  }

  hear(packet: Packet): Fault | undefined {
    const { outlet } = this.#parts;
    switch (packet.cmd) {
      case 'pingreq':
        outlet.send({ cmd: 'pingresp' });
        return undefined;
      case 'pubrel':
        outlet.acknowledge(PUBCOMP, packet.messageId ?? 0);
        return undefined;
      case 'puback':
        this.#deliveries.acknowledged(packet.messageId ?? 0);
        return undefined;
      case 'subscribe':
        return this.#subscribe(packet);
      case 'unsubscribe':
        return this.#unsubscribe(packet);
      default:
        return REASONS.protocolError;
    }
  }

  #subscribe({ messageId, subscriptions, properties }: ISubscribePacket): Fault | undefined {
    const { outlet, onFault } = this.#parts;
    if (!messageId || subscriptions.length === 0) return REASONS.protocolError;
    if (properties?.subscriptionIdentifier !== undefined) {
      return REASONS.subscriptionIdentifiersNotSupported;
    }
    if (!subscriptions.every(({ topic }) => isFilter(topic))) return REASONS.topicFilterInvalid;
    Promise.all(subscriptions.map(({ topic, qos }) => this.#grant(topic, qos === 0 ? 0 : 1))).then(
      (granted) => outlet.send({ cmd: 'suback', messageId, granted }),
      () => onFault(REASONS.serverBusy),
    );
    return undefined;
  }

  async #grant(filter: string, qos: 0 | 1): Promise<number> {
    const { followers, introduction, onRefused } = this.#parts;
    const organizationId = organizationIn(filter);
    if (organizationId && (await followers.subscribe(this, organizationId, qos))) return qos;
    onRefused('subscription');
    return introduction.version === 5 ? REASONS.notAuthorized : REFUSED;
  }

  #unsubscribe({ messageId, unsubscriptions }: IUnsubscribePacket): Fault | undefined {
    if (!messageId || unsubscriptions.length === 0) return REASONS.protocolError;
    if (!unsubscriptions.every(isFilter)) return REASONS.topicFilterInvalid;
    const granted = unsubscriptions.map((filter) =>
      this.subscriptions.delete(organizationIn(filter) ?? '') ? 0 : NO_SUBSCRIPTION,
    );
    this.#parts.outlet.send({ cmd: 'unsuback', messageId, granted });
    return undefined;
  }
}
