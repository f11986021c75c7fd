import { type Columns, columnsOf, type MakeColumns, sortedUnique } from '../columns/index.ts';
import {
  HISTORY_FLAG,
  type JournalColumns,
  JournalRows,
  kindBits,
  STRING_TAG,
} from '../journal/index.ts';
import type { TimedValue } from '../reading.ts';
import { withRoom } from './growth.ts';
import type { BlockPool } from './run-arena.ts';
import { SeriesBuffers } from './series-buffers.ts';

const FIRST_ROOM = 64;
const LATEST_BYTES = 16;
const SHORT_LIFE_MS = 10_000;

/** Readings that arrived between two flushes, and the latest value of each series. */
export class Memtable {
  readonly startedAt: number;
  /** The journal rows whose readings are in this memtable or an older one. */
  readonly journal = new JournalRows();
  /** Of this server's own rows, all up to this id are in this memtable, an older one, or chunks. */
  journalEnd = 0;
  journalBytes = 0;
  /** It filled so quickly that the next one will be full soon: its flush is urgent. */
  isShortLived = false;
  readonly #arrived: SeriesBuffers;
  /** By slot of the series index: the newest time, then its value. */
  #latest = new Float64Array(2 * FIRST_ROOM);
  #latestCount = 0;
  /** Readings that the flush before carried over: older than all that arrived since. */
  #carriedOver: SeriesBuffers;

  constructor(startedAt: number, blockPool: BlockPool) {
    this.startedAt = startedAt;
    this.#arrived = new SeriesBuffers(blockPool, startedAt);
    this.#carriedOver = new SeriesBuffers(blockPool, startedAt);
  }

  get bytes(): number {
    return this.#arrived.bytes + LATEST_BYTES * this.#latestCount + this.#carriedOver.bytes;
  }

  /** The number of series with a reading. */
  get seriesCount(): number {
    return this.#arrived.slots;
  }

  /** Whether readings have arrived since the flush before. */
  get hasArrivals(): boolean {
    return this.#arrived.slots > 0;
  }

  get isEmpty(): boolean {
    return !this.hasArrivals && this.#carriedOver.slots === 0;
  }

  add(columns: JournalColumns): void {
    const { count, times, values, seriesIds, tags } = columns;
    const strings = this.#arrived.storedStrings(columns);
    for (let index = 0; index < count; index += 1) {
      const tag = tags[index] as number;
      const at = times[index] as number;
      const given = values[index] as number;
      const stored = kindBits(tag) === STRING_TAG ? (strings[given] as number) : given;
      const slot = this.#arrived.take(seriesIds[index] as number, tag);
      if (slot >= this.#latestCount) this.#growLatest(slot + 1);
      if (at >= (this.#latest[2 * slot] as number)) {
        this.#latest[2 * slot] = at;
        this.#latest[2 * slot + 1] = stored;
      }
      if ((tag & HISTORY_FLAG) !== 0) this.#arrived.append(slot, at, stored);
    }
  }

  #growLatest(slots: number): void {
    this.#latest = withRoom(this.#latest, 2 * slots);
    this.#latest.fill(-Infinity, 2 * this.#latestCount, 2 * slots);
    this.#latestCount = slots;
  }

  /** No reading is added after this. */
  close(now: number): void {
    this.isShortLived = now - this.startedAt < SHORT_LIFE_MS;
  }

  /** Takes over readings that were too few for a chunk. */
  carryOver(carriedOver: SeriesBuffers): void {
    this.#carriedOver = carriedOver;
  }

  /** Each series once. */
  *seriesIds(): Generator<number> {
    yield* this.#carriedOver.seriesIds();
    for (const seriesId of this.#arrived.seriesIds()) {
      if (this.#carriedOver.find(seriesId) < 0) yield seriesId;
    }
  }

  latest(seriesId: number): TimedValue | undefined {
    const slot = this.#arrived.find(seriesId);
    if (slot < 0) return undefined;
    const at = this.#latest[2 * slot] as number;
    return { at, value: this.#arrived.restored(slot, this.#latest[2 * slot + 1] as number) };
  }

  /** The newest times at or after a time. */
  *latestFrom(from: number): Generator<{ readonly seriesId: number; readonly at: number }> {
    for (const seriesId of this.seriesIds()) {
      const at = this.latest(seriesId)?.at;
      if (at !== undefined && at >= from) yield { seriesId, at };
    }
  }

  /** The history of a series in time order; of readings with the same time, the last one. */
  sorted(seriesId: number): Columns | undefined {
    const arrived = this.arrived(seriesId);
    return arrived && sortedUnique(arrived);
  }

  /** The same readings in order of arrival. */
  arrived(seriesId: number, make: MakeColumns = columnsOf): Columns | undefined {
    const older = this.#carriedOver.countOf(seriesId);
    const newer = this.#arrived.countOf(seriesId);
    if (older + newer === 0) return undefined;
    const kind = (newer > 0 ? this.#arrived : this.#carriedOver).kindOf(seriesId);
    const columns = make(kind, older + newer);
    this.#carriedOver.read(seriesId, columns, 0);
    this.#arrived.read(seriesId, columns, older);
    return columns;
  }

  /** Returns its memory, once it is in chunks and no query reads it. */
  release(): void {
    this.#arrived.release();
    this.#carriedOver.release();
  }

  /** Drops the readings of a deleted Variable. */
  dropSeries(seriesId: number): void {
    this.#arrived.remove(seriesId);
    this.#carriedOver.remove(seriesId);
  }
}
