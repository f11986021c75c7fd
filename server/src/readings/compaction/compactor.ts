import type { Ownership } from '../../nodes/index.ts';
import { every, type Log, type Periodic, Yielder } from '../../runtime/index.ts';
import type { Transactions } from '../../storage/index.ts';
import type { ChunkMetaList } from '../chunks/index.ts';
import type { ReadingsLimits } from '../limits.ts';
import type { Retention } from '../retention.ts';
import { listInPartitions } from '../store.ts';
import { compactSeries, listCompactable } from './compact-series.ts';
import { nextSeriesIds, vacuumChunks } from './store.ts';

export interface CompactorDeps {
  readonly storage: Transactions;
  /** Each node compacts the series of its own partitions. */
  readonly ownership: Pick<Ownership, 'partitions'>;
  readonly retention: Pick<Retention, 'expiriesOf'>;
  readonly log: Log;
  readonly limits: ReadingsLimits;
}

/** Series whose compaction takes several turns; each holds some chunks in memory. */
const MAX_UNFINISHED_JOBS = 2;
/** Most series need no compaction, and a statement for each would be most of the cost. */
const SERIES_PER_LOOKUP = 25;

/** A series and the metas of all of its chunks; undefined where it is not to be compacted now. */
interface Found {
  readonly seriesId: number;
  readonly metas: ChunkMetaList | undefined;
  readonly keptFrom: number;
}

interface Job {
  readonly seriesId: number;
  readonly compactSeries: AsyncGenerator<number>;
}

/** Visits all series in turn, merges chunks that overlap or are small, and trims expired readings. */
export class Compactor {
  readonly #deps: CompactorDeps;
  #last = 0;
  /** The series that were looked up and not yet examined. */
  #ahead: Found[] = [];
  #isStopped = false;
  #unfinished: Job[] = [];
  #writtenSinceVacuum = 0;
  readonly #rounds: Periodic;

  constructor(deps: CompactorDeps) {
    this.#deps = deps;
    // A series that failed is tried again in the next cycle.
    this.#rounds = every(
      deps.limits.compactEveryMs,
      () => this.#round(),
      (error) => deps.log.warn({ err: error }, 'compaction failed; trying again later'),
    );
  }

  start(): void {
    this.#rounds.start();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#rounds.stop();
  }

  /** Examines some series, after another turn for those that are unfinished. */
  async #round(): Promise<void> {
    const yielder = new Yielder(() => (this.#isStopped ? 1 : 0));
    this.#ahead = [];
    const turns = this.#unfinished.length;
    for (let turn = 0; turn < turns; turn += 1) await this.#resume();
    for (let begun = 0; begun < this.#deps.limits.seriesPerRound; begun += 1) {
      await yielder.pause();
      if (!(await this.#begin())) return;
    }
  }

  /** Compacts the next few series completely. */
  async compact(variables: number): Promise<void> {
    this.#ahead = [];
    for (let begun = 0; begun < variables && (await this.#begin()); begun += 1);
    while (this.#unfinished.length > 0 && !this.#isStopped) await this.#resume();
  }

  /** The first turn of the next series. False at the end of a cycle, and when stopped. */
  async #begin(): Promise<boolean> {
    const { storage, limits } = this.#deps;
    if (this.#isStopped) return false;
    if (this.#ahead.length === 0) this.#ahead = await this.#lookUp();
    const found = this.#ahead.shift();
    // The position advances first, so that a damaged chunk does not block other series.
    this.#last = found?.seriesId ?? 0;
    if (!found) return false;
    const { seriesId, metas, keptFrom } = found;
    const { readingsPerChunk } = limits;
    if (!metas || this.#unfinished.some((job) => job.seriesId === seriesId)) return true;
    while (this.#unfinished.length >= MAX_UNFINISHED_JOBS && !this.#isStopped) await this.#resume();
    await this.#turn({
      seriesId,
      compactSeries: compactSeries({ storage, seriesId, readingsPerChunk, keptFrom }, metas),
    });
    return true;
  }

  async #lookUp(): Promise<Found[]> {
    const { storage, ownership, retention } = this.#deps;
    const seriesIds = await nextSeriesIds(storage, this.#last, SERIES_PER_LOOKUP);
    if (seriesIds.length === 0) return [];
    const { partitions } = ownership;
    const own = partitions ? await listInPartitions(storage, seriesIds, partitions) : seriesIds;
    const listed = await listCompactable(storage, own);
    const expiries = await retention.expiriesOf(own);
    return seriesIds.map((seriesId) => ({
      seriesId,
      metas: listed.get(seriesId),
      keptFrom: expiries.get(seriesId) ?? -Infinity,
    }));
  }

  async #resume(): Promise<void> {
    const job = this.#unfinished.shift();
    if (job) await this.#turn(job);
  }

  async #turn(job: Job): Promise<void> {
    const { readingsPerTurn } = this.#deps.limits;
    for (let readings = 0; readings < readingsPerTurn && !this.#isStopped; ) {
      const { done, value } = await job.compactSeries.next();
      if (done) return;
      readings += value;
      await this.#freeSpace(value);
    }
    this.#unfinished.push(job);
  }

  /**
   * Vacuums after enough readings. PostgreSQL itself does it when a fifth of all rows is dead: a long
   * compaction would have made the table larger by then, for good.
   */
  async #freeSpace(written: number): Promise<void> {
    const { storage, log, limits } = this.#deps;
    this.#writtenSinceVacuum += written;
    if (this.#isStopped || this.#writtenSinceVacuum < limits.readingsPerVacuum) return;
    this.#writtenSinceVacuum = 0;
    // Of a very large table it may take longer than a statement may: compaction goes on without.
    await vacuumChunks(storage).catch((error: unknown) =>
      log.debug({ err: error }, 'the space of replaced chunks could not be freed'),
    );
  }
}
