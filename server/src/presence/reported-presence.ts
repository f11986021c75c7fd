import { Column } from './device-index.ts';

/** The Devices, by their places, that are said to be online. */
export class Said {
  /** When they were last heard of. */
  readonly #seenAt = new Column();
  /** For how long that counts; 0 for those that are not said to be online. */
  readonly #windowMs = new Column();

  has(place: number): boolean {
    return this.#windowMs.get(place) > 0;
  }

  put(place: number, seenAt: number, windowMs: number): void {
    this.#seenAt.set(place, seenAt);
    this.#windowMs.set(place, windowMs);
  }

  seen(place: number, at: number): void {
    this.#seenAt.set(place, at);
  }

  wasSeenSince(place: number, at: number): boolean {
    return this.has(place) && this.#seenAt.get(place) >= at;
  }

  /** Nothing was heard for too long. */
  isOver(place: number, now: number): boolean {
    return this.has(place) && this.#seenAt.get(place) + this.#windowMs.get(place) <= now;
  }

  delete(place: number): void {
    this.#windowMs.set(place, 0);
  }
}
