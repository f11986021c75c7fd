import { type DeliveryLimits, DeliveryWindow } from './delivery.ts';
import type { Outlet } from './outlet.ts';

/** Header, length, identifier and the length of properties, at most. */
const OVERHEAD = 11;

/** Messages to one client. What it cannot take it misses. */
export class Deliveries {
  readonly #outlet: Outlet;
  readonly #window: DeliveryWindow;

  constructor(outlet: Outlet, limits: DeliveryLimits) {
    this.#outlet = outlet;
    this.#window = new DeliveryWindow(limits);
  }

  send(topic: string, payload: Buffer, qos: 0 | 1): void {
    const bytes = Buffer.byteLength(topic) + payload.length + OVERHEAD;
    const messageId = this.#window.admit(qos, bytes, this.#outlet.waitingBytes);
    if (messageId === null) return;
    const packet = { cmd: 'publish', topic, payload, qos, dup: false, retain: false } as const;
    this.#outlet.send(qos === 0 ? packet : { ...packet, messageId });
  }

  acknowledged(messageId: number): void {
    this.#window.acknowledged(messageId);
  }
}
