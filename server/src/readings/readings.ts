import type { Clock, Log } from '../runtime/index.ts';
import type { Storage } from '../storage/index.ts';
import type { VariableRef } from '../variables/index.ts';
import { type Bucket, Buckets } from './buckets.ts';
import type { Columns } from './codec/index.ts';
import { valueAt } from './columns.ts';
import { Compactor } from './compactor.ts';
import { type IsEnough, type Part, type Range, readParts } from './history.ts';
import { type CommitOptions, Intake } from './intake.ts';
import { READINGS_LIMITS, type ReadingsLimits } from './limits.ts';
import type { Reading, TimedValue, Value } from './reading.ts';
import { type Segment, Segments } from './segments.ts';
import { findBounds, listLatest } from './store.ts';
import { Sweeper } from './sweeper.ts';

export interface ReadingsDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: Partial<ReadingsLimits>;
}

/** A Variable as far as its history is concerned. */
export type HistoryRef = Pick<VariableRef, 'number' | 'type'>;

export interface RawReadings {
  /** How many are in the range in all. */
  readonly count: number;
  readonly items: readonly { readonly timestamp: number; readonly value: Value }[];
  /** The time of the first one that did not fit. */
  readonly nextStartTime: number | null;
}

export interface Readings {
  /**
   * Resolves when the readings are durable; latest values and history have them then. All or none:
   * rejects with `STORAGE_AWAY` when storage does not answer, and with a RangeError when one of
   * them cannot be stored. Batches count in the order in which they were given.
   *
   * What is done `alongside` is of the same transaction: when it rejects, so does this, and nothing
   * is kept. With no readings it is a transaction of its own.
   */
  commit(readings: readonly Reading[], options?: CommitOptions): Promise<void>;
  /** The value with the newest time of each, in the order asked. */
  latest(refs: readonly Pick<VariableRef, 'number'>[]): Promise<readonly (TimedValue | null)[]>;
  raw(ref: HistoryRef, range: Range, take: number): Promise<RawReadings>;
  /** Of a NUMBER. */
  buckets(ref: HistoryRef, range: Range, buckets: number): Promise<readonly Bucket[]>;
  /** Null when there are more than so many. */
  segments(ref: HistoryRef, range: Range, most: number): Promise<readonly Segment[] | null>;
  /** Everything in a range, a few readings at a time, for an export of any size. */
  stream(ref: HistoryRef, range: Range): AsyncGenerator<Columns>;
  /** The first and the last time; null when there are no readings. */
  bounds(ref: HistoryRef): Promise<Range | null>;
  /** The Variable is deleted: nothing of it stays in memory. */
  forget(variableNumber: number): void;
  /** Folds what is in pieces, of the next few Variables. Goes on by itself once started. */
  compact(variables: number): Promise<void>;
  /** Deletes what organizations keep no longer. Done by itself once started. */
  sweep(): Promise<void>;
  /** Reads back what was not sealed. */
  start(): Promise<void>;
  /** Finishes what was taken, and seals it. */
  stop(): Promise<void>;
}

export function createReadings(deps: ReadingsDeps): Readings {
  const { storage } = deps;
  const limits = { ...READINGS_LIMITS, ...deps.limits };
  const intake = new Intake({ ...deps, limits });
  const sweeper = new Sweeper({ ...deps, limits });
  const compactor = new Compactor({ ...deps, limits });
  const parts = (ref: HistoryRef, range: Range, isEnough: IsEnough): AsyncGenerator<Part> => {
    const { number, type: kind } = ref;
    // Memory first, then chunks: what is sealed in between is met twice, never missed.
    const subject = { number, kind, tail: intake.tail(number, kind) };
    return readParts(storage, subject, range, isEnough);
  };
  return {
    commit: (readings, options) => intake.commit(readings, options),
    async latest(refs) {
      const inMemory = refs.map(({ number }) => intake.latest(number));
      const rows = await listLatest(
        storage,
        refs.map(({ number }) => number),
      );
      const stored = new Map(rows.map((row) => [row.number, row]));
      return refs.map(({ number }, index) => newest(stored.get(number), inMemory[index]));
    },
    raw: (ref, range, take) => raw((isEnough) => parts(ref, range, isEnough), take),
    async buckets(ref, range, count) {
      const buckets = new Buckets(range, count);
      for await (const part of parts(ref, range, buckets.isEnough)) {
        if ('piece' in part) buckets.addPiece(part.piece);
        else if (part.columns.kind === 'NUMBER') buckets.addColumns(part.columns);
      }
      return buckets.items();
    },
    async segments(ref, range, most) {
      const segments = new Segments();
      for await (const columns of columnsIn(parts(ref, range, () => false))) {
        segments.add(columns);
        if (segments.items.length > most) return null;
      }
      return segments.items;
    },
    stream: (ref, range) => columnsIn(parts(ref, range, () => false)),
    async bounds({ number, type }) {
      const times = intake.tail(number, type)?.times ?? new Float64Array();
      const stored = await findBounds(storage, number);
      const from = Math.min(stored?.from ?? Infinity, times[0] ?? Infinity);
      const to = Math.max(stored?.to ?? -Infinity, times.at(-1) ?? -Infinity);
      return from <= to ? { from, to } : null;
    },
    forget: (number) => intake.forget(number),
    sweep: () => sweeper.sweep(),
    compact: (variables) => compactor.compact(variables),
    async start() {
      await intake.start();
      compactor.start();
      sweeper.start();
    },
    async stop() {
      await Promise.all([compactor.stop(), sweeper.stop()]);
      await intake.stop();
    },
  };
}

function newest(stored: TimedValue | undefined, inMemory: TimedValue | undefined) {
  const found = inMemory && (!stored || inMemory.at >= stored.at) ? inMemory : stored;
  return found ? { at: found.at, value: found.value } : null;
}

async function* columnsIn(parts: AsyncGenerator<Part>): AsyncGenerator<Columns> {
  for await (const part of parts) if ('columns' in part) yield part.columns;
}

async function raw(
  parts: (isEnough: IsEnough) => AsyncGenerator<Part>,
  take: number,
): Promise<RawReadings> {
  const items: { timestamp: number; value: Value }[] = [];
  let count = 0;
  let nextStartTime: number | null = null;
  for await (const part of parts(() => items.length >= take)) {
    if ('piece' in part) {
      count += part.piece.count;
      nextStartTime ??= part.piece.firstAt;
      continue;
    }
    const { times } = part.columns;
    const taken = Math.min(times.length, take - items.length);
    for (let index = 0; index < taken; index += 1) {
      items.push({ timestamp: times[index] as number, value: valueAt(part.columns, index) });
    }
    count += times.length;
    if (taken < times.length) nextStartTime ??= times[taken] as number;
  }
  return { count, items, nextStartTime };
}
