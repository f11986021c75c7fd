import type { QoS } from '../wire/index.ts';
import { type Fault, REASONS } from '../wire/index.ts';

/** A message for one subscriber. */
export interface Delivery {
  readonly topic: string;
  readonly payload: Buffer;
  readonly qos: QoS;
  readonly isRetained: boolean;
  /** Encoded MQTT 5 properties of the message, without those below. */
  readonly properties: Buffer;
  /** When the message is of no use any more, in milliseconds; null when never. */
  readonly expiresAt: number | null;
  readonly subscriptionIdentifiers: readonly number[];
}

export interface QueueLimits {
  readonly maxMessages: number;
  readonly maxBytes: number;
}

/** A client without a Receive Maximum of its own gets so many messages at a time. */
const MAX_IN_FLIGHT = 100;
const LAST_ID = 65_535;
/** Delivered messages at the head of the list before the list is cut. */
const MAX_DELIVERED = 1_024;

type InFlight = 'PUBACK' | 'PUBREC' | 'PUBCOMP';

/**
 * The messages that wait for one client, in the order in which they came, and the identifiers of
 * those that it has not acknowledged. No message overtakes another: the head of the queue waits for
 * an acknowledgement, and everything behind it waits with it.
 */
export class DeliveryQueue {
  readonly #limits: QueueLimits;
  readonly #maxInFlight: number;
  readonly #inFlight = new Map<number, InFlight>();
  #waiting: Delivery[] = [];
  #delivered = 0;
  #waitingBytes = 0;
  #lastId = 0;

  constructor(receiveMaximum: number, limits: QueueLimits) {
    this.#limits = limits;
    this.#maxInFlight = Math.min(receiveMaximum, MAX_IN_FLIGHT);
  }

  get length(): number {
    return this.#waiting.length - this.#delivered;
  }

  /** False when the queue is full. */
  add(delivery: Delivery): boolean {
    const bytes = this.#waitingBytes + sizeOf(delivery);
    if (this.length >= this.#limits.maxMessages || bytes > this.#limits.maxBytes) return false;
    this.#waiting.push(delivery);
    this.#waitingBytes = bytes;
    return true;
  }

  /** The next message, undefined while the client may not get one. */
  next(): Delivery | undefined {
    const delivery = this.#waiting[this.#delivered];
    if (delivery === undefined) return undefined;
    if (delivery.qos > 0 && this.#inFlight.size >= this.#maxInFlight) return undefined;
    this.#delivered += 1;
    this.#waitingBytes -= sizeOf(delivery);
    if (this.#delivered === this.#waiting.length || this.#delivered >= MAX_DELIVERED) {
      this.#waiting = this.#waiting.slice(this.#delivered);
      this.#delivered = 0;
    }
    return delivery;
  }

  /** An identifier that is not in use, for a message that is being sent; 0 with QoS 0. */
  begin(qos: QoS): number {
    if (qos === 0) return 0;
    do {
      this.#lastId = (this.#lastId % LAST_ID) + 1;
    } while (this.#inFlight.has(this.#lastId));
    this.#inFlight.set(this.#lastId, qos === 1 ? 'PUBACK' : 'PUBREC');
    return this.#lastId;
  }

  /** The message was not sent after all. */
  abandon(messageId: number): void {
    this.#inFlight.delete(messageId);
  }

  /** PUBACK, or PUBCOMP. One for a message that is not in flight changes nothing. */
  acknowledged(kind: 'PUBACK' | 'PUBCOMP', messageId: number): Fault | undefined {
    const awaited = this.#inFlight.get(messageId);
    if (awaited === undefined) return undefined;
    if (awaited !== kind) return REASONS.protocolError;
    this.#inFlight.delete(messageId);
    return undefined;
  }

  /** PUBREC. Returns the reason code of the PUBREL that answers it, null when none does. */
  received(messageId: number, reasonCode: number): number | null {
    const awaited = this.#inFlight.get(messageId);
    if (awaited === undefined || awaited === 'PUBACK') return REASONS.packetIdentifierNotFound;
    if (reasonCode >= REASONS.unspecified) {
      this.#inFlight.delete(messageId);
      return null;
    }
    this.#inFlight.set(messageId, 'PUBCOMP');
    return 0;
  }
}

function sizeOf({ topic, payload, properties }: Delivery): number {
  return topic.length + payload.length + properties.length;
}
