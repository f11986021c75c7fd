import type { OverviewWarning } from '@fieldwatch/contract';
import type { Fence, Ownership } from '../nodes/index.ts';
import type { Clock, Log } from '../runtime/index.ts';
import type { Queries, Storage, WriteProbe } from '../storage/index.ts';
import type { VariableRef } from '../variables/index.ts';
import type { Kind } from './columns/index.ts';
import { Compactor } from './compaction/index.ts';
import { type ExportPlan, Exports } from './export/index.ts';
import type { CommitOptions } from './fenced-storage.ts';
import { journalProbe } from './journal/index.ts';
import { READINGS_LIMITS, type ReadingsLimits } from './limits.ts';
import { bufferedIn, latestIn } from './memtable/index.ts';
import { HistoryReader, type HistoryRef, type RawReadings } from './query/index.ts';
import type { Range, Reading, TimedValue } from './reading.ts';
import { Retention } from './retention.ts';
import { listLatest, listLatestFrom } from './store.ts';
import { type ConsumerRef, WorkerPool } from './workers/index.ts';
import { WritePath } from './write-path.ts';

export interface ReadingsDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly fence: Fence;
  readonly ownership: Ownership;
  /** Retention deletes nothing while the clock is not trusted. */
  readonly isClockTrusted: () => boolean;
  readonly limits?: Partial<ReadingsLimits>;
}

type LatestValues = (
  refs: readonly Pick<VariableRef, 'seriesId'>[],
) => Promise<readonly (TimedValue | null)[]>;

export interface Readings {
  /**
   * Resolves when the readings are durable; latest values and history then contain them. A batch is
   * stored as a whole or not at all: the call rejects with `STORAGE_UNAVAILABLE` when storage does not
   * answer, and with a RangeError when a reading cannot be stored. Of two batches with a reading of
   * the same time, the one that was passed later wins.
   *
   * Statements `alongside` run in the same transaction: when one fails, the call rejects and nothing
   * is stored. Without readings they are a transaction of their own.
   */
  commit(readings: readonly Reading[], options?: CommitOptions): Promise<void>;
  /** Rejects with `STORAGE_UNAVAILABLE` while readings cannot be committed; commits nothing. */
  readonly check: WriteProbe;
  /** The value with the newest time of each Variable, in the order of the request. */
  readonly latest: LatestValues;
  /** The same on the connections of ingest, for work that a publish waits for. */
  readonly ingestLatest: LatestValues;
  /** Whether the history has a reading of exactly this time; uses the connections of ingest. */
  isStored(ref: HistoryRef, at: number): Promise<boolean>;
  /** The newest times at or after a time. A series may be listed more than once. */
  latestFrom(from: number): Promise<readonly { readonly seriesId: number; readonly at: number }[]>;
  /** The number of journal rows in quarantine, from this start and earlier ones. */
  readonly quarantinedRows: number;
  /** The size of the journal rows that are not flushed yet. */
  readonly flushBacklogBytes: number;
  /** Queries over several Variables. */
  readonly history: HistoryReader;
  /** A page of readings of one Variable. */
  raw(ref: HistoryRef, range: Range, take: number): Promise<RawReadings>;
  /** Streams a file of history of any size. Rejects when too many exports are in progress. */
  export(
    plan: ExportPlan,
    refs: readonly HistoryRef[],
    range: Range,
    credential: string,
  ): AsyncGenerator<Uint8Array>;
  /**
   * Passes the history of a Variable, in time order, to a consumer in a worker thread. The next
   * batch is sent when the result of the one before was taken; returning the generator ends the job.
   */
  consume<Result>(ref: HistoryRef, range: Range, consumer: ConsumerRef): AsyncGenerator<Result>;
  /** Removes a deleted Variable's readings from memory. */
  dropSeries(seriesId: number): void;
  /** Compacts the next few series. Runs periodically once started. */
  compact(variables: number): Promise<void>;
  /** Applies retention. Runs periodically once started. */
  deleteExpired(): Promise<void>;
  /** Reads orphaned journals and starts the periodic work. */
  start(): Promise<void>;
  /** Writes the readings of servers that are gone to the history. */
  adopt(): Promise<void>;
  /** Writes the readings of partitions to the history that another node owns next. */
  drain(partitions: readonly number[]): Promise<void>;
  /** Finishes commits in flight, then flushes the memtable. */
  stop(): Promise<void>;
}

export function createReadings(deps: ReadingsDeps): Readings {
  const { storage } = deps;
  const limits = { ...READINGS_LIMITS, ...deps.limits };
  const writePath = new WritePath({ ...deps, limits });
  const background = { ...deps, storage: storage.background, limits };
  const retention = new Retention(background);
  const compactor = new Compactor(background);
  const buffered = (seriesId: number, kind: Kind) =>
    bufferedIn(writePath.memtables, seriesId, kind);
  const history = new HistoryReader({ storage, buffered });
  const ingestHistory = new HistoryReader({ storage: storage.ingest, buffered });
  const workers = new WorkerPool();
  const exports = new Exports(workers);
  const latestOn = (lane: Queries) => createLatest(lane, writePath);
  return {
    commit: (readings, options) => writePath.commit(readings, options),
    check: createCheck(deps, writePath),
    latest: latestOn(storage),
    ingestLatest: latestOn(storage.ingest),
    async isStored(ref, at) {
      const [found] = await ingestHistory.raw([ref], { from: at, to: at }, 1);
      return (found?.count ?? 0) > 0;
    },
    async latestFrom(from) {
      const buffered = writePath.memtables.flatMap((memtable) => [...memtable.latestFrom(from)]);
      return [...(await listLatestFrom(storage, from)), ...buffered];
    },
    get quarantinedRows() {
      return writePath.quarantinedRows;
    },
    get flushBacklogBytes() {
      return writePath.memtables.reduce((sum, { journalBytes }) => sum + journalBytes, 0);
    },
    history,
    async raw(ref, range, take) {
      const [page] = await history.raw([ref], range, take);
      return page ?? { count: 0, items: [], nextStartTime: null };
    },
    export: (plan, refs, range, credential) =>
      exports.export(plan, history.encoded(refs, range, plan.take), credential),
    consume: (ref, range, consumer) =>
      workers.run(consumer, history.encoded([ref], range, Infinity)),
    dropSeries(seriesId) {
      for (const memtable of writePath.memtables) memtable.dropSeries(seriesId);
    },
    deleteExpired: () => retention.deleteExpired(),
    compact: (variables) => compactor.compact(variables),
    async start() {
      await writePath.start();
      compactor.start();
      retention.start();
    },
    adopt: () => writePath.adopt(),
    drain: (partitions) => writePath.drain(partitions),
    async stop() {
      await Promise.all([compactor.stop(), retention.stop(), workers.stop()]);
      await writePath.stop();
    },
  };
}

/** The newest of what is in memory and what is stored. */
function createLatest(lane: Queries, writePath: WritePath): LatestValues {
  return async (refs) => {
    const { memtables } = writePath;
    const inMemory = refs.map(({ seriesId }) => latestIn(memtables, seriesId));
    const seriesIds = refs.map(({ seriesId }) => seriesId);
    const stored = new Map((await listLatest(lane, seriesIds)).map((row) => [row.seriesId, row]));
    return refs.map(({ seriesId }, index) => newest(stored.get(seriesId), inMemory[index]));
  };
}

/** Whether this node could commit now: it holds its lease, and the journal takes rows. */
function createCheck({ storage, fence }: ReadingsDeps, writePath: WritePath): WriteProbe {
  const probe = storage.createWriteProbe(() => journalProbe(writePath.writer(), fence.incarnation));
  return async () => {
    await fence.ready();
    await probe();
  };
}

/** The warning about quarantined journal rows, for the organization's overview. */
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
