import type { JournalPosition } from './store.ts';

/** Consecutive ids of one writer, both ends included. */
export interface JournalRange {
  readonly writer: number;
  readonly from: number;
  readonly to: number;
}

const FIRST_ID = -Number.MAX_SAFE_INTEGER;

/** A set of journal rows. A flush deletes these rows and no others. */
export class JournalRows {
  readonly #ranges = new Map<number, { from: number; to: number }[]>();

  /** Adds a row that was read from the journal. */
  add({ writer, id }: JournalPosition): void {
    const ranges = this.#rangesOf(writer);
    const last = ranges.at(-1);
    if (last && id === last.to + 1) last.to = id;
    else ranges.push({ from: id, to: id });
  }

  /**
   * Adds all rows of this server's own writer up to an id. That includes rows of commits that
   * failed: where the connection was lost they may be stored, but no client was informed.
   */
  addUpTo({ writer, id }: JournalPosition): void {
    this.#ranges.set(writer, [{ from: FIRST_ID, to: id }]);
  }

  #rangesOf(writer: number) {
    const known = this.#ranges.get(writer);
    if (known) return known;
    const ranges: { from: number; to: number }[] = [];
    this.#ranges.set(writer, ranges);
    return ranges;
  }

  has(writer: number): boolean {
    return this.#ranges.has(writer);
  }

  writers(): Iterable<number> {
    return this.#ranges.keys();
  }

  *ranges(): Generator<JournalRange> {
    for (const [writer, ranges] of this.#ranges) {
      for (const { from, to } of ranges) yield { writer, from, to };
    }
  }
}
