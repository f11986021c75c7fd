import type { Columns } from './codec/index.ts';
import { merged } from './columns.ts';
import { HISTORY_FLAG, type JournalColumns, kindBits, STRING_MARK } from './journal-columns.ts';
import type { TimedValue } from './reading.ts';
import { Tails } from './tails.ts';

const FIRST_ROOM = 64;
const LATEST_BYTES = 16;

/** The readings between two sealings. */
export class Generation {
  readonly startedAt: number;
  /** By writer: everything up to this row of the journal is in here, or in chunks. */
  readonly marks = new Map<number, number>();
  journalBytes = 0;
  readonly #came = new Tails();
  #latestAt = new Float64Array(FIRST_ROOM);
  #latestValue = new Float64Array(FIRST_ROOM);
  #known = 0;
  /** Small tails of the generation before: older than all that came since. */
  #carried = new Tails();

  constructor(startedAt: number) {
    this.startedAt = startedAt;
  }

  get bytes(): number {
    return this.#came.bytes + LATEST_BYTES * this.#known + this.#carried.bytes;
  }

  get isEmpty(): boolean {
    return this.#came.slots === 0;
  }

  add(columns: JournalColumns): void {
    const { count, times, values, numbers, marks } = columns;
    const strings = this.#came.storedStrings(columns);
    for (let index = 0; index < count; index += 1) {
      const mark = marks[index] as number;
      const at = times[index] as number;
      const given = values[index] as number;
      const stored = kindBits(mark) === STRING_MARK ? (strings[given] as number) : given;
      const slot = this.#came.take(numbers[index] as number, mark);
      if (slot >= this.#known) this.#makeKnown(slot + 1);
      if (at >= (this.#latestAt[slot] as number)) {
        this.#latestAt[slot] = at;
        this.#latestValue[slot] = stored;
      }
      if ((mark & HISTORY_FLAG) !== 0) this.#came.append(slot, at, stored);
    }
  }

  #makeKnown(slots: number): void {
    if (slots > this.#latestAt.length) {
      this.#latestAt = doubled(this.#latestAt);
      this.#latestValue = doubled(this.#latestValue);
    }
    this.#latestAt.fill(-Infinity, this.#known, slots);
    this.#known = slots;
  }

  /** Takes over what was too little for a chunk. */
  carry(carried: Tails): void {
    this.#carried = carried;
  }

  /** Of each Variable, once. */
  *numbers(): Generator<number> {
    yield* this.#carried.numbers();
    for (const number of this.#came.numbers()) {
      if (this.#carried.find(number) < 0) yield number;
    }
  }

  latest(number: number): TimedValue | undefined {
    const slot = this.#came.find(number);
    if (slot < 0) return undefined;
    const at = this.#latestAt[slot] as number;
    return { at, value: this.#came.restored(slot, this.#latestValue[slot] as number) };
  }

  /** The readings of a Variable that are history, in the order of time, each time once. */
  tail(number: number): Columns | undefined {
    const carried = this.#carried.columns(number);
    const came = this.#came.columns(number);
    return carried && came ? merged(came.kind, [carried, came]) : (came ?? carried);
  }

  /** The Variable is gone. */
  forget(number: number): void {
    this.#came.remove(number);
    this.#carried.remove(number);
  }
}

function doubled(array: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const copy = new Float64Array(2 * array.length);
  copy.set(array);
  return copy;
}
