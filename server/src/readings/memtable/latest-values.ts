import { withRoom } from './growth.ts';
import { SeriesIndex } from './series-index.ts';

const FIRST_ROOM = 64;
const BYTES_PER_SERIES = 24;

/** The latest value of each of some series, without those before it. */
export class LatestValues {
  readonly #slots = new SeriesIndex();
  /** By slot: the time, which is `-Infinity` without a value, and the value. */
  #latest = new Float64Array(2 * FIRST_ROOM);

  get bytes(): number {
    return BYTES_PER_SERIES * this.#slots.count;
  }

  /** Notes a value unless a newer one is known. */
  note(seriesId: number, at: number, value: number): void {
    const found = this.#slots.find(seriesId);
    const slot = found >= 0 ? found : this.#slots.add(seriesId);
    this.#latest = withRoom(this.#latest, 2 * (slot + 1));
    if (found >= 0 && at < (this.#latest[2 * slot] as number)) return;
    this.#latest[2 * slot] = at;
    this.#latest[2 * slot + 1] = value;
  }

  /** Drops the value of a series up to this time. */
  dropUpTo(seriesId: number, at: number): void {
    const slot = this.#slots.find(seriesId);
    if (slot < 0 || at < (this.#latest[2 * slot] as number)) return;
    this.#latest[2 * slot] = Number.NEGATIVE_INFINITY;
  }

  of(seriesId: number): { readonly at: number; readonly value: number } | undefined {
    const slot = this.#slots.find(seriesId);
    const at = slot < 0 ? Number.NEGATIVE_INFINITY : (this.#latest[2 * slot] as number);
    if (at === Number.NEGATIVE_INFINITY) return undefined;
    return { at, value: this.#latest[2 * slot + 1] as number };
  }
}
