import { type Columns, columnsOf, type MakeColumns, settled } from '../columns/index.ts';
import { HISTORY_FLAG, type JournalColumns, kindBits, STRING_MARK } from '../journal/index.ts';
import type { TimedValue } from '../reading.ts';
import type { SpareBlocks } from './run-arena.ts';
import { Tails } from './series-buffers.ts';

const FIRST_ROOM = 64;
const LATEST_BYTES = 16;
const QUICK_MS = 10_000;

/** The readings between two sealings. */
export class Generation {
  readonly startedAt: number;
  /** By writer: everything up to this row of the journal is in here, or in chunks. */
  readonly marks = new Map<number, number>();
  journalBytes = 0;
  /** It came in so little time that the next one will be there soon. */
  isQuick = false;
  readonly #came: Tails;
  /** By slot: the newest time, then its value. */
  #latest = new Float64Array(2 * FIRST_ROOM);
  #known = 0;
  /** Small tails of the generation before: older than all that came since. */
  #carried: Tails;

  constructor(startedAt: number, spare: SpareBlocks) {
    this.startedAt = startedAt;
    this.#came = new Tails(spare);
    this.#carried = new Tails(spare);
  }

  get bytes(): number {
    return this.#came.bytes + LATEST_BYTES * this.#known + this.#carried.bytes;
  }

  /** How many reported. */
  get variables(): number {
    return this.#came.slots;
  }

  get isEmpty(): boolean {
    return this.#came.slots === 0;
  }

  add(columns: JournalColumns): void {
    const { count, times, values, seriesIds, marks } = columns;
    const strings = this.#came.storedStrings(columns);
    for (let index = 0; index < count; index += 1) {
      const mark = marks[index] as number;
      const at = times[index] as number;
      const given = values[index] as number;
      const stored = kindBits(mark) === STRING_MARK ? (strings[given] as number) : given;
      const slot = this.#came.take(seriesIds[index] as number, mark);
      if (slot >= this.#known) this.#makeKnown(slot + 1);
      if (at >= (this.#latest[2 * slot] as number)) {
        this.#latest[2 * slot] = at;
        this.#latest[2 * slot + 1] = stored;
      }
      if ((mark & HISTORY_FLAG) !== 0) this.#came.append(slot, at, stored);
    }
  }

  #makeKnown(slots: number): void {
    if (2 * slots > this.#latest.length) {
      const latest = new Float64Array(2 * this.#latest.length);
      latest.set(this.#latest);
      this.#latest = latest;
    }
    this.#latest.fill(-Infinity, 2 * this.#known, 2 * slots);
    this.#known = slots;
  }

  /** Nothing comes any more. */
  end(now: number): void {
    this.isQuick = now - this.startedAt < QUICK_MS;
  }

  /** Takes over what was too little for a chunk. */
  carry(carried: Tails): void {
    this.#carried = carried;
  }

  /** Of each Variable, once. */
  *seriesIds(): Generator<number> {
    yield* this.#carried.seriesIds();
    for (const seriesId of this.#came.seriesIds()) {
      if (this.#carried.find(seriesId) < 0) yield seriesId;
    }
  }

  latest(seriesId: number): TimedValue | undefined {
    const slot = this.#came.find(seriesId);
    if (slot < 0) return undefined;
    const at = this.#latest[2 * slot] as number;
    return { at, value: this.#came.restored(slot, this.#latest[2 * slot + 1] as number) };
  }

  /** The readings of a Variable that are history, in the order of time, each time once. */
  tail(seriesId: number): Columns | undefined {
    const came = this.came(seriesId);
    return came && settled(came);
  }

  /** The same readings in the order in which they came. */
  came(seriesId: number, make: MakeColumns = columnsOf): Columns | undefined {
    const older = this.#carried.countOf(seriesId);
    const newer = this.#came.countOf(seriesId);
    if (older + newer === 0) return undefined;
    const kind = (newer > 0 ? this.#came : this.#carried).kindOf(seriesId);
    const columns = make(kind, older + newer);
    this.#carried.read(seriesId, columns, 0);
    this.#came.read(seriesId, columns, older);
    return columns;
  }

  /** It is in chunks, and nobody reads it any more. */
  release(): void {
    this.#came.release();
    this.#carried.release();
  }

  /** The Variable is gone. */
  forget(seriesId: number): void {
    this.#came.remove(seriesId);
    this.#carried.remove(seriesId);
  }
}
