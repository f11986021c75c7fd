import type { OverviewWarning } from '@fieldwatch/contract';
import type { Clock, Log } from '../runtime/index.ts';
import type { Queries, Storage } from '../storage/index.ts';
import type { VariableRef } from '../variables/index.ts';
import type { Kind } from './columns/index.ts';
import { Compactor } from './compaction/index.ts';
import { type ExportPlan, Exports } from './export/index.ts';
import { READINGS_LIMITS, type ReadingsLimits } from './limits.ts';
import { HistoryReader, type HistoryRef, type RawReadings } from './query/index.ts';
import type { Range, Reading, TimedValue } from './reading.ts';
import { Sweeper } from './retention.ts';
import { listLatest, listLatestFrom } from './store.ts';
import { type ConsumerRef, WorkerPool } from './workers/index.ts';
import { type CommitOptions, Intake } from './write-path.ts';

export interface ReadingsDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  /** History is deleted by the clock only while that seems right. */
  readonly isClockTrusted: () => boolean;
  readonly limits?: Partial<ReadingsLimits>;
}

type LatestValues = (
  refs: readonly Pick<VariableRef, 'seriesId'>[],
) => Promise<readonly (TimedValue | null)[]>;

export interface Readings {
  /**
   * Resolves when the readings are durable; latest values and history have them then. All or none:
   * rejects with `STORAGE_UNAVAILABLE` when storage does not answer, and with a RangeError when one of
   * them cannot be stored. Batches count in the order in which they were given.
   *
   * Statements `alongside` are of the same transaction: when one fails, so does this, and nothing
   * is kept. With no readings it is a transaction of its own.
   */
  commit(readings: readonly Reading[], options?: CommitOptions): Promise<void>;
  /** The value with the newest time of each, in the order asked. */
  readonly latest: LatestValues;
  /** The same on the connections of ingest, for what a publish waits for. */
  readonly ingestLatest: LatestValues;
  /** Whether the history has a reading at exactly this time; on the connections of ingest. */
  isStored(ref: HistoryRef, at: number): Promise<boolean>;
  /** The newest time of each Variable that has one at or after a time; more than once for some. */
  latestFrom(from: number): Promise<readonly { readonly seriesId: number; readonly at: number }[]>;
  /** Rows of the journal that could not be decoded, of this start and of earlier ones. */
  readonly quarantinedRows: number;
  /** The history of several Variables at once. */
  readonly history: HistoryReader;
  /** The history of one. */
  raw(ref: HistoryRef, range: Range, take: number): Promise<RawReadings>;
  /** A file of history of any size, a piece at a time. Refused when too many are under way. */
  export(
    plan: ExportPlan,
    refs: readonly HistoryRef[],
    range: Range,
    credential: string,
  ): AsyncGenerator<Uint8Array>;
  /**
   * Passes the history of one, in the order of time, to a consumer in a worker thread. The next
   * batch is sent when the result of the one before was taken; returning the generator ends the job.
   */
  consume<Result>(ref: HistoryRef, range: Range, consumer: ConsumerRef): AsyncGenerator<Result>;
  /** The Variable is deleted: nothing of it stays in memory. */
  forget(seriesId: number): void;
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
  const aside = { ...deps, storage: storage.background, limits };
  const sweeper = new Sweeper(aside);
  const compactor = new Compactor(aside);
  const tail = (seriesId: number, kind: Kind) => intake.tail(seriesId, kind);
  const history = new HistoryReader({ storage, tail });
  const ingestHistory = new HistoryReader({ storage: storage.ingest, tail });
  const workers = new WorkerPool();
  const exports = new Exports(workers);
  const latestOn =
    (lane: Queries): LatestValues =>
    async (refs) => {
      const inMemory = refs.map(({ seriesId }) => intake.latest(seriesId));
      const seriesIds = refs.map(({ seriesId }) => seriesId);
      const stored = new Map((await listLatest(lane, seriesIds)).map((row) => [row.seriesId, row]));
      return refs.map(({ seriesId }, index) => newest(stored.get(seriesId), inMemory[index]));
    };
  return {
    commit: (readings, options) => intake.commit(readings, options),
    latest: latestOn(storage),
    ingestLatest: latestOn(storage.ingest),
    async isStored(ref, at) {
      const [found] = await ingestHistory.raw([ref], { from: at, to: at }, 1);
      return (found?.count ?? 0) > 0;
    },
    async latestFrom(from) {
      return [...(await listLatestFrom(storage, from)), ...intake.latestFrom(from)];
    },
    get quarantinedRows() {
      return intake.quarantinedRows;
    },
    history,
    async raw(ref, range, take) {
      const [page] = await history.raw([ref], range, take);
      return page ?? { count: 0, items: [], nextStartTime: null };
    },
    export: (plan, refs, range, credential) =>
      exports.export(plan, history.undecoded(refs, range, plan.take), credential),
    consume: (ref, range, consumer) =>
      workers.run(consumer, history.undecoded([ref], range, Infinity)),
    forget: (seriesId) => intake.forget(seriesId),
    sweep: () => sweeper.sweep(),
    compact: (variables) => compactor.compact(variables),
    async start() {
      await intake.start();
      compactor.start();
      sweeper.start();
    },
    async stop() {
      await Promise.all([compactor.stop(), sweeper.stop(), workers.stop()]);
      await intake.stop();
    },
  };
}

/** What people are to know of rows that could not be read at a start. */
export function quarantineWarnings(rows: number): OverviewWarning[] {
  if (rows === 0) return [];
  const those = rows === 1 ? '1 batch' : `${rows} batches`;
  return [
    {
      code: 'JOURNAL_QUARANTINED',
      message: `${those} of readings could not be read when the server started. The bytes are kept in the table journal_quarantine; the log names them.`,
    },
  ];
}

function newest(stored: TimedValue | undefined, inMemory: TimedValue | undefined) {
  const found = inMemory && (!stored || inMemory.at >= stored.at) ? inMemory : stored;
  return found ? { at: found.at, value: found.value } : null;
}
