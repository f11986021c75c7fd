import type { Columns, Kind } from '../columns/index.ts';
import { type JournalColumns, kindBits, kindOf, tagOf } from '../journal/index.ts';
import type { Value } from '../reading.ts';
import type { BlockPool } from './block-pool.ts';
import { withRoom } from './growth.ts';
import { RunArena } from './run-arena.ts';
import { REMOVED, SeriesIndex } from './series-index.ts';

const FIRST_ROOM = 64;
const STRING_BYTES = 100;
const SLOT_BYTES = 9;

/** The buffers of all series: readings that are in no chunk yet. */
export class SeriesBuffers {
  readonly #slots = new SeriesIndex();
  readonly #runs: RunArena;
  #tags = new Uint8Array(FIRST_ROOM);
  readonly #strings: string[] = [];
  readonly #indexOfString = new Map<string, number>();
  #stringBytes = 0;

  /** Most of the times are close to `epoch`. */
  constructor(blockPool: BlockPool, epoch: number) {
    this.#runs = new RunArena(blockPool, epoch);
  }

  get bytes(): number {
    return this.#runs.bytes + SLOT_BYTES * this.#slots.count + this.#stringBytes;
  }

  /** The number of slots; every slot is below it. */
  get slots(): number {
    return this.#slots.count;
  }

  /** The slot of a series; -1 when it has none. */
  find(seriesId: number): number {
    return this.#slots.find(seriesId);
  }

  /** The slot of a series, which is added with the kind of the tag if it has none. */
  take(seriesId: number, tag: number): number {
    const slot = this.#slots.find(seriesId);
    if (slot >= 0) return slot;
    const added = this.#slots.add(seriesId);
    this.#tags = withRoom(this.#tags, added + 1);
    this.#tags[added] = kindBits(tag);
    return added;
  }

  /** A value as stored in the arena: a string becomes its index among all strings. */
  stored(value: number | string): number {
    if (typeof value === 'number') return value;
    let index = this.#indexOfString.get(value);
    if (index === undefined) {
      index = this.#strings.push(value) - 1;
      this.#indexOfString.set(value, index);
      this.#stringBytes += 2 * value.length + STRING_BYTES;
    }
    return index;
  }

  append(slot: number, time: number, stored: number): void {
    this.#runs.append(slot, time, stored);
  }

  /** The reading of a slot with the newest time, its value as it is stored. */
  newest(slot: number): { readonly at: number; readonly value: number } | undefined {
    return this.#runs.newest(slot);
  }

  #kindAt(slot: number): Kind {
    return kindOf(this.#tags[slot] as number) ?? 'NUMBER';
  }

  /** The value that a stored number of a slot represents. */
  restored(slot: number, stored: number): Value {
    switch (this.#kindAt(slot)) {
      case 'NUMBER':
        return stored;
      case 'BOOLEAN':
        return stored === 1;
      case 'STRING':
        return this.#strings[stored] as string;
    }
  }

  countOf(seriesId: number): number {
    const slot = this.#slots.find(seriesId);
    return slot < 0 ? 0 : this.#runs.countOf(slot);
  }

  *seriesIds(): Generator<number> {
    for (let slot = 0; slot < this.#slots.count; slot += 1) {
      const seriesId = this.#slots.seriesIdAt(slot);
      if (seriesId !== REMOVED) yield seriesId;
    }
  }

  /** The kind of a series that has a slot. */
  kindOf(seriesId: number): Kind {
    return this.#kindAt(this.#slots.find(seriesId));
  }

  /** Copies the readings of a series, in order of arrival, into columns from `at` on. */
  read(seriesId: number, columns: Columns, at = 0): Columns {
    const slot = this.#slots.find(seriesId);
    const count = this.countOf(seriesId);
    if (count === 0) return columns;
    const times = columns.times.subarray(at, at + count);
    if (columns.kind !== 'STRING') {
      this.#runs.read(slot, times, columns.values.subarray(at, at + count));
      return columns;
    }
    const indexes = new Float64Array(count);
    this.#runs.read(slot, times, indexes);
    for (let index = 0; index < count; index += 1) {
      columns.values[at + index] = this.#strings[indexes[index] as number] as string;
    }
    return columns;
  }

  /** Appends readings of a series. */
  addColumns(seriesId: number, { kind, times, values }: Columns): void {
    const slot = this.take(seriesId, tagOf(kind, true));
    for (let index = 0; index < times.length; index += 1) {
      const value = values[index] as number | string;
      this.#runs.append(slot, times[index] as number, this.stored(value));
    }
  }

  /** The indexes that the strings of a batch have here. */
  storedStrings({ strings }: JournalColumns): readonly number[] {
    return strings.map((text) => this.stored(text));
  }

  remove(seriesId: number): void {
    this.#slots.remove(seriesId);
  }

  /** Returns the memory. Nothing may be read afterwards. */
  release(): void {
    this.#runs.release();
  }
}
