import type { Clock } from '../../../runtime/index.ts';
import type { AcknowledgementPacket, Fault, PacketWriter } from '../wire/index.ts';
import { type Delivery, DeliveryQueue, type QueueLimits } from './delivery-queue.ts';

/** Why a message did not reach a subscriber. */
export type Undelivered = 'queueFull' | 'packetTooLarge' | 'expired';

export interface DeliveriesDeps {
  readonly writer: PacketWriter;
  readonly receiveMaximum: number;
  readonly limits: QueueLimits;
  readonly clock: Clock;
  readonly onUndelivered: (reason: Undelivered) => void;
}

/** Sends messages to one client, as fast as it takes and acknowledges them. */
export class Deliveries {
  readonly #deps: DeliveriesDeps;
  readonly #queue: DeliveryQueue;
  readonly #undelivered: Record<Undelivered, number> = {
    queueFull: 0,
    packetTooLarge: 0,
    expired: 0,
  };

  constructor(deps: DeliveriesDeps) {
    this.#deps = deps;
    this.#queue = new DeliveryQueue(deps.receiveMaximum, deps.limits);
    deps.writer.onDrain(() => this.#sendWaiting());
  }

  /** What this session has missed so far, by the reason. */
  get undelivered(): Readonly<Record<Undelivered, number>> {
    return this.#undelivered;
  }

  /** False when the queue is full and the message is not delivered. */
  send(delivery: Delivery): boolean {
    if (!this.#queue.add(delivery)) {
      this.#miss('queueFull');
      return false;
    }
    this.#sendWaiting();
    return true;
  }

  acknowledge({ cmd, messageId, reasonCode }: AcknowledgementPacket): Fault | undefined {
    let fault: Fault | undefined;
    if (cmd === 'pubrec') {
      const answer = this.#queue.received(messageId, reasonCode);
      if (answer !== null) this.#deps.writer.send({ cmd: 'pubrel', messageId, reasonCode: answer });
    } else {
      fault = this.#queue.acknowledged(cmd === 'puback' ? 'PUBACK' : 'PUBCOMP', messageId);
    }
    this.#sendWaiting();
    return fault;
  }

  #sendWaiting(): void {
    const { writer, clock } = this.#deps;
    while (!writer.isBlocked) {
      const delivery = this.#queue.next();
      if (delivery === undefined) return;
      const { expiresAt } = delivery;
      const leftMs = expiresAt === null ? null : expiresAt - clock.now();
      if (leftMs !== null && leftMs <= 0) {
        this.#miss('expired');
        continue;
      }
      const messageId = this.#queue.begin(delivery.qos);
      const expirySeconds = leftMs === null ? null : Math.ceil(leftMs / 1_000);
      if (writer.publish({ ...delivery, messageId, expirySeconds })) continue;
      this.#queue.abandon(messageId);
      this.#miss('packetTooLarge');
    }
  }

  #miss(reason: Undelivered): void {
    this.#undelivered[reason] += 1;
    this.#deps.onUndelivered(reason);
  }
}
