import type { Columns } from '../columns/index.ts';

/**
 * The mean of numbers over time, from the first to the last reading: each counts until the next one.
 * Readings are added in time order. The mean is carried along instead of a sum, so that it does not
 * overflow.
 */
export class TimeWeightedMean {
  #mean = 0;
  #value: number | null = null;
  #at = 0;
  #totalMs = 0;

  add({ kind, times, values }: Columns): void {
    if (kind !== 'NUMBER') return;
    for (let index = 0; index < times.length; index += 1) {
      const at = times[index] as number;
      if (this.#value !== null) {
        const lastedMs = at - this.#at;
        this.#totalMs += lastedMs;
        if (lastedMs > 0) this.#mean = between(this.#mean, this.#value, lastedMs / this.#totalMs);
      }
      this.#at = at;
      this.#value = values[index] as number;
    }
  }

  /** Null without readings. */
  get mean(): number | null {
    return this.#totalMs > 0 ? this.#mean : this.#value;
  }
}

/** The distance of two finite numbers can overflow; without that, equal numbers give the same again. */
function between(from: number, to: number, share: number): number {
  const distance = to - from;
  return Number.isFinite(distance) ? from + distance * share : from * (1 - share) + to * share;
}
