import { DeviceColumn } from './device-index.ts';

/** The Devices, by their indexes, that were last reported as online. */
export class ReportedPresence {
  /** When the Device was last seen. */
  readonly #seenAt = new DeviceColumn();
  /** The online window of the Device; 0 when it is not reported as online. */
  readonly #windowMs = new DeviceColumn();

  has(index: number): boolean {
    return this.#windowMs.get(index) > 0;
  }

  set(index: number, seenAt: number, windowMs: number): void {
    this.#seenAt.set(index, seenAt);
    this.#windowMs.set(index, windowMs);
  }

  seen(index: number, at: number): void {
    this.#seenAt.set(index, at);
  }

  wasSeenSince(index: number, at: number): boolean {
    return this.has(index) && this.#seenAt.get(index) >= at;
  }

  /** True when the Device was reported as online and its online window has passed. */
  isExpired(index: number, now: number): boolean {
    return this.has(index) && this.#seenAt.get(index) + this.#windowMs.get(index) <= now;
  }

  delete(index: number): void {
    this.#windowMs.set(index, 0);
  }
}
