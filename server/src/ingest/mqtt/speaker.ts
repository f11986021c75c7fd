import type { Packet } from 'mqtt-packet';
import type { Clock } from '../../runtime/index.ts';
import type { DeviceEntries } from '../../variables/index.ts';
import { Acknowledgements, type Slot } from './acknowledgements.ts';
import { Deliveries } from './deliveries.ts';
import type { Message } from './delivery.ts';
import type { Frames } from './frames.ts';
import { type Introduction, TOPIC_ALIASES, type Will } from './handshake.ts';
import { type Outcome, TAKEN } from './outcome.ts';
import { type Outlet, PUBACK, PUBCOMP, PUBREC } from './outlet.ts';
import { type Fault, type PublishHead, readPublish } from './publish-packet.ts';
import type { Publish } from './publishing.ts';
import { REASONS, type Refused } from './reasons.ts';
import type { Session, Sessions } from './sessions.ts';
import { subscribed, unsubscribed } from './subscribing.ts';
import { type Target, Targets } from './targets.ts';
import { isPublishable } from './topic.ts';

export interface SpeakerDeps {
  readonly entries: Pick<DeviceEntries, 'handle'>;
  readonly sessions: Sessions;
  readonly publish: Publish;
  readonly outcomeOf: (session: Session, error: unknown) => Outcome;
  readonly onRefused: (what: Refused) => void;
  readonly clock: Clock;
}

interface SpeakerParts {
  readonly session: Session;
  readonly introduction: Introduction;
  readonly outlet: Outlet;
  /** The connection is to be closed, for this reason. */
  readonly onFault: (reasonCode: number) => void;
}

/** Speaks with one signed-in client: its messages, their answers, and what it subscribed to. */
export class Speaker {
  readonly #deps: SpeakerDeps;
  readonly #parts: SpeakerParts;
  readonly #acknowledgements: Acknowledgements;
  readonly #targets: Targets;
  readonly #deliveries: Deliveries;
  readonly #aliases = new Map<number, Target>();
  /** QoS 2 messages that the client has not released yet: the same one again is a repetition. */
  readonly #unreleased = new Set<number>();

  constructor(deps: SpeakerDeps, parts: SpeakerParts) {
    const { session, introduction } = parts;
    this.#deps = deps;
    this.#parts = parts;
    this.#targets = new Targets(deps.entries, session);
    this.#deliveries = new Deliveries(parts.outlet, introduction);
    this.#acknowledgements = new Acknowledgements({
      answer: (slot, outcome) => this.#answer(slot, outcome),
      outcomeOf: (error) => deps.outcomeOf(session, error),
    });
  }

  answered(): Promise<void> {
    return this.#acknowledgements.answered();
  }

  /** Takes the PUBLISH at which the frames stand. What follows waits for the promise, if any. */
  publish(frames: Frames, receivedAt: number): Promise<void> | undefined {
    const { introduction, onFault } = this.#parts;
    const head = readPublish(frames, introduction.version);
    if (typeof head === 'number') return void onFault(head);
    const target = this.#targetOf(frames, head);
    if (typeof target === 'number') return void onFault(target);
    const slot = this.#acknowledgements.open(head.qos, head.messageId);
    if (head.qos === 2 && this.#unreleased.has(head.messageId)) return void slot.settle(TAKEN);
    if (head.qos === 2) this.#unreleased.add(head.messageId);
    return this.#take(
      target,
      frames.bytes.subarray(head.payloadStart, frames.end),
      receivedAt,
      slot,
    );
  }

  #take(
    target: Target,
    payload: Buffer,
    receivedAt: number,
    slot: Slot,
  ): Promise<void> | undefined {
    const { session } = this.#parts;
    const { sessions, publish } = this.#deps;
    if (target.refusal === null && sessions.subscribersOf(target.device.deviceId).length > 0) {
      slot.message = { target, payload, qos: slot.qos, sender: session };
    }
    return publish({ session, target, payload, receivedAt }, slot);
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
    const { outlet, introduction, onFault } = this.#parts;
    const { qos, messageId } = slot;
    const { kind } = outcome;
    if (kind === 'REFUSED') this.#deps.onRefused('message');
    if (kind === 'TAKEN' && slot.message) this.#forward(slot.message);
    if (qos === 0) return;
    const isRefusal = kind === 'REFUSED' || kind === 'FAILED';
    if (isRefusal && introduction.version === 5) {
      this.#unreleased.delete(messageId);
      outlet.send(this.#refusal(slot, outcome));
    } else if (kind === 'TAKEN' || kind === 'REFUSED') {
      // Before version 5 nothing else can be said, and closing would bring the message again.
      outlet.acknowledge(qos === 1 ? PUBACK : PUBREC, messageId);
    } else {
      // Without an answer the client sends the message again when it is back.
      onFault(REASONS.serverBusy);
    }
  }

  #refusal({ qos, messageId }: Slot, outcome: Outcome): Packet {
    const isRefused = outcome.kind === 'REFUSED';
    const reasonString = isRefused ? outcome.reason : 'The message could not be stored.';
    return {
      cmd: qos === 1 ? 'puback' : 'pubrec',
      messageId,
      reasonCode: isRefused ? outcome.reasonCode : REASONS.unspecified,
      ...(this.#parts.introduction.wantsReasons ? { properties: { reasonString } } : {}),
    };
  }

  #forward(message: Message): void {
    for (const session of this.#deps.sessions.subscribersOf(message.target.device.deviceId)) {
      const { subscription, isRevoked } = session;
      if (!subscription || isRevoked) continue;
      if (subscription.isForOthers && session === message.sender) continue;
      session.link.deliver(message, message.qos === 0 ? 0 : subscription.qos);
    }
  }

  deliver({ target: { topic }, payload }: Message, qos: 0 | 1): void {
    this.#deliveries.send(topic, payload, qos);
  }

  /** Answers anything but messages. Tells why the connection is to be closed, if it is. */
  hear(packet: Packet): Fault | undefined {
    const { outlet, session, introduction } = this.#parts;
    const { sessions, onRefused } = this.#deps;
    switch (packet.cmd) {
      case 'pingreq':
        outlet.send({ cmd: 'pingresp' });
        return undefined;
      case 'pubrel':
        return this.#release(packet.messageId ?? 0);
      case 'puback':
        this.#deliveries.acknowledged(packet.messageId ?? 0);
        return undefined;
      case 'subscribe':
        return this.#reply(subscribed(sessions, session, packet, introduction.version, onRefused));
      case 'unsubscribe':
        return this.#reply(unsubscribed(sessions, session, packet));
      default:
        return REASONS.protocolError;
    }
  }

  #reply(answer: Packet | Fault): Fault | undefined {
    if (typeof answer === 'number') return answer;
    this.#parts.outlet.send(answer);
    return undefined;
  }

  /** Also of a message that was taken before a restart: its PUBREC said that it is durable. */
  #release(messageId: number): undefined {
    this.#unreleased.delete(messageId);
    this.#parts.outlet.acknowledge(PUBCOMP, messageId);
  }

  /** The connection is gone; what the client wanted to be said then is a message like any other. */
  end(will: Will | null, now: number): void {
    const { session } = this.#parts;
    this.#deps.sessions.close(session);
    if (!will || !isPublishable(will.topic)) return;
    const slot = this.#acknowledgements.open(0, 0);
    void this.#take(this.#targets.of(will.topic), will.payload, now, slot);
  }
}
