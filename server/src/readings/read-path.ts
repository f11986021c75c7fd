import type { SeriesTime } from '../presence/index.ts';
import { prepared, type Queries, type Storage } from '../storage/index.ts';
import type { VariableRef } from '../variables/index.ts';
import { ChunkCache, type ChunkChanges, ChunkLists } from './chunks/index.ts';
import { sortedUnique, valueAt } from './columns/index.ts';
import { type ExportPlan, Exports } from './export/index.ts';
import { requireComplete } from './incomplete.ts';
import type { ReadingsLimits } from './limits.ts';
import { bufferedIn, latestIn } from './memtable/index.ts';
import { History } from './query/index.ts';
import type { Range, TimedValue } from './reading.ts';
import { listLatest, listLatestFrom } from './store.ts';
import {
  type HistoryRef,
  type Unflushed,
  type UnflushedDeps,
  UnflushedReadings,
} from './unflushed/index.ts';
import type { ConsumerRef, WorkerPool } from './workers/index.ts';

/** The newest value of each Variable, in the order of the request. */
export interface LatestValues {
  readonly values: readonly (TimedValue | null)[];
  /** Whether the node that has a newer value may not have been reached. */
  readonly isIncomplete: boolean;
}

/** Queries. Those for clients include what other nodes have acknowledged and not flushed yet. */
export interface ReadPath {
  latest(refs: readonly HistoryRef[]): Promise<LatestValues>;
  /** Of Devices that this node acts for, on the connections of ingest: a publish waits for it. */
  ingestLatest(
    refs: readonly Pick<VariableRef, 'seriesId'>[],
  ): Promise<readonly (TimedValue | null)[]>;
  /** The same: whether the history has exactly this reading. */
  isStored(ref: Pick<VariableRef, 'seriesId' | 'type'>, reading: TimedValue): Promise<boolean>;
  /** The newest times at or after a time. A series may be listed more than once. */
  latestFrom(from: number): Promise<readonly SeriesTime[]>;
  /** The newest time of each series in memory. A series may be listed more than once. */
  unflushedTimes(): Iterable<SeriesTime>;
  /**
   * The history of several Variables, to be queried within the range. Includes what another node has
   * acknowledged and not flushed yet. Waits up to 10 seconds for the nodes that act for the Devices.
   */
  openHistory(refs: readonly HistoryRef[], range: Range): Promise<History>;
  /**
   * Streams a file of history of any size. Rejects when too many exports are in progress, and with
   * `STORAGE_UNAVAILABLE` when the history is incomplete, which a file cannot state.
   */
  export(
    plan: ExportPlan,
    refs: readonly HistoryRef[],
    range: Range,
    credential: string,
  ): Promise<AsyncGenerator<Uint8Array>>;
  /**
   * Passes the whole history of a Variable, in time order, to a consumer in a worker thread. The next
   * batch is sent when the result of the one before was taken; returning the generator ends the job.
   */
  consume<Result>(ref: HistoryRef, range: Range, consumer: ConsumerRef): AsyncGenerator<Result>;
}

export interface ReadPathDeps extends UnflushedDeps {
  readonly limits: UnflushedDeps['limits'] & Pick<ReadingsLimits, 'chunkCacheBytes'>;
  readonly storage: Storage;
  readonly workers: WorkerPool;
  readonly changes: ChunkChanges;
}

export function createReadPath(deps: ReadPathDeps): ReadPath {
  const { storage, workers, memtables } = deps;
  const unflushed = new UnflushedReadings(deps);
  const exports = new Exports(workers);
  // The statements of the history are few, and look up chunks by the index whatever their parameters.
  // Planning the one that lists chunks takes longer than listing those of a day.
  const history = prepared(storage);
  const lists = new ChunkLists(deps.changes, deps.clock);
  const cache = new ChunkCache(deps.limits.chunkCacheBytes, lists);
  const timesFrom = (from: number) =>
    memtables().flatMap((memtable) => [...memtable.latestFrom(from)]);
  const openHistory = async (refs: readonly HistoryRef[], range: Range) =>
    historyOf(history, refs, await unflushed.history(refs, range), cache);
  return {
    async latest(refs) {
      const found = await unflushed.latest(refs);
      const values = await newestOf(storage, refs, found.map(latestOf));
      return { values, isIncomplete: found.some(({ isIncomplete }) => isIncomplete) };
    },
    async ingestLatest(refs) {
      const inMemory = refs.map(({ seriesId }) => latestIn(memtables(), seriesId));
      return await newestOf(storage.ingest, refs, inMemory);
    },
    async isStored(ref, { at, value }) {
      const columns = sortedUnique(bufferedIn(memtables(), ref, { from: at, to: at }));
      const stored = historyOf(storage.ingest, [ref], [{ columns, isIncomplete: false }]);
      const [found] = await stored.raw({ from: at, to: at }, 1);
      return (found?.parts ?? []).some((part) => valueAt(part, 0) === value);
    },
    async latestFrom(from) {
      return [...(await listLatestFrom(storage, from)), ...timesFrom(from)];
    },
    unflushedTimes: () => timesFrom(-Infinity),
    openHistory,
    async export(plan, refs, range, credential) {
      const exported = await openHistory(refs, range);
      requireComplete(exported);
      return exports.export(plan, exported.encoded(range, plan.take), credential);
    },
    async *consume(ref, range, consumer) {
      const consumed = await openHistory([ref], range);
      requireComplete(consumed);
      yield* workers.run(consumer, consumed.encoded(range, Infinity));
    },
  };
}

function historyOf(
  lane: Queries,
  refs: readonly Pick<HistoryRef, 'seriesId' | 'type'>[],
  unflushed: readonly Unflushed[],
  cache?: ChunkCache,
): History {
  const series = refs.map(({ seriesId, type: kind }, index) => {
    const { columns: buffered, isIncomplete = false } = unflushed[index] ?? {};
    return { seriesId, kind, buffered, isIncomplete };
  });
  return new History(lane, series, cache);
}

/** The newest of what is in memory, which was read before, and what is stored. */
async function newestOf(
  lane: Queries,
  refs: readonly Pick<VariableRef, 'seriesId'>[],
  inMemory: readonly (TimedValue | undefined)[],
): Promise<(TimedValue | null)[]> {
  const seriesIds = refs.map(({ seriesId }) => seriesId);
  const stored = new Map((await listLatest(lane, seriesIds)).map((row) => [row.seriesId, row]));
  return refs.map(({ seriesId }, index) => newest(stored.get(seriesId), inMemory[index]));
}

function latestOf({ columns }: Unflushed): TimedValue | undefined {
  const at = columns?.times[0];
  return columns && at !== undefined ? { at, value: valueAt(columns, 0) } : undefined;
}

function newest(stored: TimedValue | undefined, inMemory: TimedValue | undefined) {
  const found = inMemory && (!stored || inMemory.at >= stored.at) ? inMemory : stored;
  return found ? { at: found.at, value: found.value } : null;
}
