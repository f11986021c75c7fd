import type { Columns } from './codec/index.ts';
import { columnsOf, type Kind, merged, settled } from './columns.ts';
import type { JournalReading } from './journal-reading.ts';
import type { TimedValue, Value } from './reading.ts';

const BLOCK = 65_536;
const READING_BYTES = 20;

/** Readings in the order in which they came, each with the place of the one before of its Variable. */
interface Block {
  readonly times: Float64Array;
  readonly values: Float64Array;
  readonly previous: Int32Array;
}

/** What came for one Variable. */
interface Entry {
  readonly kind: Kind;
  /** The place of its last history reading, or -1. */
  last: number;
  count: number;
  latestAt: number;
  latestValue: Value;
}

/**
 * The readings between two sealings. They lie in a few large arrays whatever the number of
 * Variables, so that a Variable costs little and a reading exactly 20 bytes.
 */
export class Generation {
  readonly startedAt: number;
  /** By writer: everything up to this row of the journal is in here, or in chunks. */
  readonly marks = new Map<number, number>();
  journalBytes = 0;
  readonly #entries = new Map<number, Entry>();
  readonly #blocks: Block[] = [];
  readonly #strings: string[] = [];
  readonly #placeOfString = new Map<string, number>();
  #size = 0;
  #stringBytes = 0;
  /** Small tails of the generation before: older than all that came since. */
  #carried: ReadonlyMap<number, Columns> = new Map();
  #carriedCount = 0;

  constructor(startedAt: number) {
    this.startedAt = startedAt;
  }

  get bytes(): number {
    return READING_BYTES * (this.#size + this.#carriedCount) + this.#stringBytes;
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  add({ number, kind, isHistory, at, value }: JournalReading): void {
    let entry = this.#entries.get(number);
    if (!entry) {
      entry = { kind, last: -1, count: 0, latestAt: at, latestValue: value };
      this.#entries.set(number, entry);
    } else if (at >= entry.latestAt) {
      entry.latestAt = at;
      entry.latestValue = value;
    }
    if (!isHistory) return;
    entry.last = this.#append(at, this.#stored(value), entry.last);
    entry.count += 1;
  }

  #stored(value: Value): number {
    if (typeof value !== 'string') return Number(value);
    let place = this.#placeOfString.get(value);
    if (place === undefined) {
      place = this.#strings.push(value) - 1;
      this.#placeOfString.set(value, place);
      this.#stringBytes += 2 * value.length + 100;
    }
    return place;
  }

  #append(at: number, value: number, previous: number): number {
    const place = this.#size;
    const offset = place % BLOCK;
    if (offset === 0) {
      this.#blocks.push({
        times: new Float64Array(BLOCK),
        values: new Float64Array(BLOCK),
        previous: new Int32Array(BLOCK),
      });
    }
    const block = this.#blocks[this.#blocks.length - 1] as Block;
    block.times[offset] = at;
    block.values[offset] = value;
    block.previous[offset] = previous;
    this.#size += 1;
    return place;
  }

  /** Takes over what was too little for a chunk. */
  carry(carried: ReadonlyMap<number, Columns>): void {
    this.#carried = carried;
    this.#carriedCount = 0;
    for (const { times } of carried.values()) this.#carriedCount += times.length;
  }

  numbers(): Set<number> {
    return new Set([...this.#carried.keys(), ...this.#entries.keys()]);
  }

  latest(number: number): TimedValue | undefined {
    const entry = this.#entries.get(number);
    return entry && { at: entry.latestAt, value: entry.latestValue };
  }

  /** The readings of a Variable that are history, in the order of time, each time once. */
  tail(number: number): Columns | undefined {
    const carried = this.#carried.get(number);
    const entry = this.#entries.get(number);
    if (!entry || entry.count === 0) return carried;
    const came = settled(this.#gather(entry));
    return carried ? merged(entry.kind, [carried, came]) : came;
  }

  #gather({ kind, count, last }: Entry): Columns {
    const columns = columnsOf(kind, count);
    for (let index = count - 1, place = last; index >= 0; index -= 1) {
      const block = this.#blocks[Math.floor(place / BLOCK)] as Block;
      const offset = place % BLOCK;
      const value = block.values[offset] as number;
      columns.times[index] = block.times[offset] as number;
      if (columns.kind === 'STRING') columns.values[index] = this.#strings[value] as string;
      else columns.values[index] = value;
      place = block.previous[offset] as number;
    }
    return columns;
  }

  /** The Variable is gone. */
  forget(number: number): void {
    this.#entries.delete(number);
    if (!this.#carried.has(number)) return;
    const left = new Map(this.#carried);
    left.delete(number);
    this.carry(left);
  }
}
