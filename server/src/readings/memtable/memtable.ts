import type { SeriesTime } from '../../presence/index.ts';
import { type Columns, columnsOf, type MakeColumns } from '../columns/index.ts';
import {
  HISTORY_FLAG,
  type JournalColumns,
  JournalRows,
  kindBits,
  STRING_TAG,
} from '../journal/index.ts';
import { ALL_TIMES, type Range, type TimedValue } from '../reading.ts';
import type { BlockPool } from './block-pool.ts';
import { LatestValues } from './latest-values.ts';
import { SeriesBuffers } from './series-buffers.ts';

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
  /** Values that are no history and newer than the history of their series. */
  readonly #unlogged = new LatestValues();
  /** Readings that the flush before carried over: older than all that arrived since. */
  #carriedOver: SeriesBuffers;

  constructor(startedAt: number, blockPool: BlockPool) {
    this.startedAt = startedAt;
    this.#arrived = new SeriesBuffers(blockPool, startedAt);
    this.#carriedOver = new SeriesBuffers(blockPool, startedAt);
  }

  get bytes(): number {
    return this.#arrived.bytes + this.#unlogged.bytes + this.#carriedOver.bytes;
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
      const seriesId = seriesIds[index] as number;
      const slot = this.#arrived.take(seriesId, tag);
      if ((tag & HISTORY_FLAG) === 0) this.#addUnlogged(seriesId, slot, at, stored);
      else {
        this.#arrived.append(slot, at, stored);
        if (this.#unlogged.bytes > 0) this.#unlogged.dropUpTo(seriesId, at);
      }
    }
  }

  #addUnlogged(seriesId: number, slot: number, at: number, stored: number): void {
    const logged = this.#arrived.newest(slot);
    if (!logged || at >= logged.at) this.#unlogged.note(seriesId, at, stored);
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
    const latest = this.#unlogged.of(seriesId) ?? this.#arrived.newest(slot);
    return latest && { at: latest.at, value: this.#arrived.restored(slot, latest.value) };
  }

  /** The newest times at or after a time. */
  *latestFrom(from: number): Generator<SeriesTime> {
    for (const seriesId of this.seriesIds()) {
      const at = this.latest(seriesId)?.at;
      if (at !== undefined && at >= from) yield { seriesId, at };
    }
  }

  /** The history of a series, in order of arrival. */
  arrived(seriesId: number, make: MakeColumns): Columns | undefined {
    const older = this.#carriedOver.countOf(seriesId);
    const all = older + this.#arrived.countOf(seriesId);
    return this.#read(seriesId, ALL_TIMES, { older, all, make });
  }

  /** The same within a range, which costs little for one that has few of many readings. */
  arrivedWithin(seriesId: number, range: Range): Columns | undefined {
    const older = this.#carriedOver.countWithin(seriesId, range);
    const all = older + this.#arrived.countWithin(seriesId, range);
    return this.#read(seriesId, range, { older, all, make: columnsOf });
  }

  #read(
    seriesId: number,
    range: Range,
    { older, all, make }: { older: number; all: number; make: MakeColumns },
  ): Columns | undefined {
    if (all === 0) return undefined;
    const kind = (all > older ? this.#arrived : this.#carriedOver).kindOf(seriesId);
    const columns = make(kind, all);
    this.#carriedOver.read(seriesId, range, columns, 0, older);
    this.#arrived.read(seriesId, range, columns, older, all);
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
