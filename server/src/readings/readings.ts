import type { OverviewWarning } from '@fieldwatch/contract';
import type { Fence, Ownership, Peers } from '../nodes/index.ts';
import type { SeriesTime } from '../presence/index.ts';
import type { Clock, Log } from '../runtime/index.ts';
import type { Storage, WriteProbe } from '../storage/index.ts';
import { ChunkChanges } from './chunks/index.ts';
import { Compactor } from './compaction/index.ts';
import type { CommitOptions } from './fenced-storage.ts';
import { commonForm, journalProbe } from './journal/index.ts';
import { READINGS_LIMITS, type ReadingsLimits } from './limits.ts';
import { createReadPath, type ReadPath } from './read-path.ts';
import type { Reading } from './reading.ts';
import { Retention } from './retention.ts';
import { WorkerPool } from './workers/index.ts';
import { WritePath } from './write-path.ts';

export interface ReadingsDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly fence: Fence;
  readonly ownership: Ownership;
  /** Whether all nodes that run are of versions that know a migration. */
  readonly isKnownToAll: (migration: number) => boolean;
  /** Whether no other node runs, so that no other node changes the history. */
  readonly isAlone: () => boolean;
  readonly peers: Pick<Peers, 'serve' | 'call'>;
  /** Retention deletes nothing while the clock is not trusted. */
  readonly isClockTrusted: () => boolean;
  readonly limits?: Partial<ReadingsLimits>;
  /** Receives the newest times of series of a node that is gone, once their readings are in chunks. */
  readonly onAdopted?: (newest: readonly SeriesTime[]) => Promise<void>;
}

export interface Readings extends ReadPath {
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
  /** The number of journal rows in quarantine, from this start and earlier ones. */
  readonly quarantinedRows: number;
  /** The size that the journal rows have in memory that are not flushed yet. */
  readonly flushBacklogBytes: number;
  /** Removes a deleted Variable's readings from memory. */
  dropSeries(seriesId: number): void;
  /** Compacts the next few series. Runs periodically once started. */
  compact(variables: number): Promise<void>;
  /** Applies retention. Runs periodically once started. */
  deleteExpired(): Promise<void>;
  /** Reads orphaned journals and starts the periodic work. */
  start(): Promise<void>;
  /** Writes the readings of servers that are gone to the history. */
  adopt(): Promise<boolean>;
  /** Writes the readings of partitions to the history that another node owns next. */
  drain(partitions: readonly number[]): Promise<void>;
  /** Finishes commits in flight, then flushes the memtable. */
  stop(): Promise<void>;
}

export function createReadings(deps: ReadingsDeps): Readings {
  const { storage } = deps;
  const limits = { ...READINGS_LIMITS, ...deps.limits };
  const rowForm = () => commonForm(deps.isKnownToAll);
  const changes = new ChunkChanges(deps.isAlone);
  deps.ownership.onChange(() => changes.end());
  const background = { ...deps, storage: storage.background, limits, changes };
  const retention = new Retention(background);
  const { expiryOf } = retention;
  const { onAdopted = async () => undefined } = deps;
  const writePath = new WritePath({ ...deps, limits, rowForm, changes, expiryOf, onAdopted });
  const compactor = new Compactor({
    ...background,
    storage: changes.tracking(storage.background),
    retention,
  });
  const workers = new WorkerPool();
  const memtables = () => writePath.memtables;
  return {
    ...createReadPath({ ...deps, limits, memtables, workers, changes }),
    commit: (readings, options) => writePath.commit(readings, options),
    check: createCheck(deps, writePath),
    get quarantinedRows() {
      return writePath.quarantinedRows;
    },
    get flushBacklogBytes() {
      return memtables().reduce((sum, { journalBytes }) => sum + journalBytes, 0);
    },
    dropSeries(seriesId) {
      for (const memtable of memtables()) memtable.dropSeries(seriesId);
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
