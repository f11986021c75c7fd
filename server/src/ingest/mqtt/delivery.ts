import type { QoS } from './publish-packet.ts';
import type { Target } from './targets.ts';

/** What a subscriber gets. */
export interface Message {
  readonly target: Target;
  readonly payload: Buffer;
  readonly qos: QoS;
  /** Not for this one, if it asked not to hear itself. */
  readonly sender: object;
}

/** What the client said at its sign-in of what it can take. */
export interface DeliveryLimits {
  readonly receiveMaximum: number;
  readonly maxPacketBytes: number;
}

/** A client that does not keep up misses messages, beyond so many bytes on their way to it. */
const MOST_WAITING_BYTES = 256 * 1024;
const MOST_UNACKNOWLEDGED = 100;
const LAST_ID = 65_535;

/** Gives out the identifiers of messages to one client, never one that is in use. */
export class DeliveryWindow {
  readonly #limits: DeliveryLimits;
  readonly #unacknowledged = new Set<number>();
  #lastId = 0;

  constructor(limits: DeliveryLimits) {
    this.#limits = limits;
  }

  /** The identifier for a message of this size, 0 with QoS 0; null when the client cannot take it. */
  admit(qos: 0 | 1, bytes: number, waitingBytes: number): number | null {
    const { receiveMaximum, maxPacketBytes } = this.#limits;
    if (bytes > maxPacketBytes || waitingBytes > MOST_WAITING_BYTES) return null;
    if (qos === 0) return 0;
    const most = Math.min(receiveMaximum, MOST_UNACKNOWLEDGED);
    if (this.#unacknowledged.size >= most) return null;
    do {
      this.#lastId = (this.#lastId % LAST_ID) + 1;
    } while (this.#unacknowledged.has(this.#lastId));
    this.#unacknowledged.add(this.#lastId);
    return this.#lastId;
  }

  acknowledged(messageId: number): void {
    this.#unacknowledged.delete(messageId);
  }
}
