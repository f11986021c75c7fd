import { type Columns, copyOf } from '../columns/index.ts';
import type { SummarizedChunks } from './plan.ts';

export interface RawReadings {
  /** The number of readings in the whole range. */
  readonly count: number;
  /** The first of them, in time order. */
  readonly parts: readonly Columns[];
  /** The time of the first reading that did not fit. */
  readonly nextStartTime: number | null;
}

/** The first readings of a range, and the number of all readings in it. */
export class FirstReadings implements RawReadings {
  readonly parts: Columns[] = [];
  count = 0;
  nextStartTime: number | null = null;
  /** How many more fit. */
  #left: number;
  /** The length of the texts that fit: the next one still does while there is any. */
  #textLeft: number;

  constructor(take: number, maxTextLength: number) {
    this.#left = take;
    this.#textLeft = maxTextLength;
  }

  sum({ metas, indexes }: SummarizedChunks): void {
    for (const index of indexes) {
      this.count += metas.countAt(index);
      this.#notTaken(metas.firstAt[index] as number);
    }
  }

  add(columns: Columns): void {
    const { times } = columns;
    const taken = Math.min(this.#fitting(columns), this.#left);
    if (taken > 0) this.parts.push(copyOf(columns, taken));
    this.#left -= taken;
    this.count += times.length;
    if (taken < times.length) this.#notTaken(times[taken] as number);
  }

  #fitting({ kind, values }: Columns): number {
    if (kind !== 'STRING') return values.length;
    const fitting = values.findIndex(({ length }) => {
      if (this.#textLeft <= 0) return true;
      this.#textLeft -= length;
      return false;
    });
    return fitting === -1 ? values.length : fitting;
  }

  #notTaken(at: number): void {
    this.nextStartTime = Math.min(this.nextStartTime ?? Infinity, at);
  }
}
