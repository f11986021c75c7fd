import { type Columns, columnsOf, type Kind } from '../columns/index.ts';
import { type JournalColumns, kindBits, kindOf, tagOf } from '../journal/index.ts';
import type { Range, Value } from '../reading.ts';
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

  countWithin(seriesId: number, range: Range): number {
    const slot = this.#slots.find(seriesId);
    return slot < 0 ? 0 : this.#runs.countWithin(slot, range);
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

  /** Copies the readings of a series within a range, in order of arrival, to a part of columns. */
  read(seriesId: number, range: Range, columns: Columns, start: number, end: number): void {
    if (start === end) return;
    const slot = this.#slots.find(seriesId);
    const times = columns.times.subarray(start, end);
    if (columns.kind !== 'STRING') {
      this.#runs.read(slot, range, times, columns.values.subarray(start, end));
      return;
    }
    const indexes = new Float64Array(end - start);
    this.#runs.read(slot, range, times, indexes);
    for (const [index, stored] of indexes.entries()) {
      columns.values[start + index] = this.#strings[stored] as string;
    }
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

  /** Removes the readings of a series before a time. */
  removeBefore(seriesId: number, time: number): void {
    const left: Range = { from: time, to: Infinity };
    const count = this.countWithin(seriesId, left);
    if (count === this.countOf(seriesId)) return;
    const columns = columnsOf(this.kindOf(seriesId), count);
    this.read(seriesId, left, columns, 0, count);
    this.remove(seriesId);
    if (count > 0) this.addColumns(seriesId, columns);
  }

  /** Returns the memory. Nothing may be read afterwards. */
  release(): void {
    this.#runs.release();
  }
}
