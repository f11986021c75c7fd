import type { Columns, Kind } from '../columns/index.ts';
import { type JournalColumns, kindBits, kindOf, markOf } from '../journal/index.ts';
import type { Value } from '../reading.ts';
import { Runs, type SpareBlocks } from './run-arena.ts';
import { Slots } from './series-index.ts';

const FIRST_ROOM = 64;
const STRING_BYTES = 100;
const SLOT_BYTES = 13;

/** What came for Variables and is in no chunk yet. */
export class Tails {
  readonly #slots = new Slots();
  readonly #runs: Runs;
  #marks = new Uint8Array(FIRST_ROOM);
  readonly #strings: string[] = [];
  readonly #placeOfString = new Map<string, number>();
  #stringBytes = 0;

  constructor(spare: SpareBlocks) {
    this.#runs = new Runs(spare);
  }

  get bytes(): number {
    return this.#runs.bytes + SLOT_BYTES * this.#slots.count + this.#stringBytes;
  }

  /** How many slots there are: all slots are below. */
  get slots(): number {
    return this.#slots.count;
  }

  /** The slot of a Variable; -1 when nothing came for it. */
  find(seriesId: number): number {
    return this.#slots.find(seriesId);
  }

  /** The slot of a Variable of a kind, given by its mark. */
  take(seriesId: number, mark: number): number {
    const slot = this.#slots.find(seriesId);
    if (slot >= 0) return slot;
    const added = this.#slots.add(seriesId);
    if (added === this.#marks.length) {
      const marks = new Uint8Array(2 * added);
      marks.set(this.#marks);
      this.#marks = marks;
    }
    this.#marks[added] = kindBits(mark);
    return added;
  }

  /** A value as it is kept: a string becomes its place among all strings. */
  stored(value: number | string): number {
    if (typeof value === 'number') return value;
    let place = this.#placeOfString.get(value);
    if (place === undefined) {
      place = this.#strings.push(value) - 1;
      this.#placeOfString.set(value, place);
      this.#stringBytes += 2 * value.length + STRING_BYTES;
    }
    return place;
  }

  append(slot: number, time: number, stored: number): void {
    this.#runs.append(slot, time, stored);
  }

  #kindAt(slot: number): Kind {
    return kindOf(this.#marks[slot] as number) ?? 'NUMBER';
  }

  /** What a stored value of a slot stands for. */
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
      if (seriesId >= 0) yield seriesId;
    }
  }

  /** The kind of a Variable for which something came. */
  kindOf(seriesId: number): Kind {
    return this.#kindAt(this.#slots.find(seriesId));
  }

  /** Puts the readings of a Variable, in the order in which they came, into columns from a place on. */
  read(seriesId: number, columns: Columns, at = 0): Columns {
    const slot = this.#slots.find(seriesId);
    const count = this.countOf(seriesId);
    if (count === 0) return columns;
    const times = columns.times.subarray(at, at + count);
    if (columns.kind !== 'STRING') {
      this.#runs.read(slot, times, columns.values.subarray(at, at + count));
      return columns;
    }
    const places = new Float64Array(count);
    this.#runs.read(slot, times, places);
    for (let index = 0; index < count; index += 1) {
      columns.values[at + index] = this.#strings[places[index] as number] as string;
    }
    return columns;
  }

  /** Adds readings of a Variable. */
  addColumns(seriesId: number, { kind, times, values }: Columns): void {
    const slot = this.take(seriesId, markOf(kind, true));
    for (let index = 0; index < times.length; index += 1) {
      const value = values[index] as number | string;
      this.#runs.append(slot, times[index] as number, this.stored(value));
    }
  }

  /** What the values of a batch are here. */
  storedStrings({ strings }: JournalColumns): readonly number[] {
    return strings.map((text) => this.stored(text));
  }

  remove(seriesId: number): void {
    this.#slots.remove(seriesId);
  }

  /** Nothing is read any more. */
  release(): void {
    this.#runs.release();
  }
}
