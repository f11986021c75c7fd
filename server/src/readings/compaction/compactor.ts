import type { Log } from '../../runtime/index.ts';
import { Yielder } from '../../runtime/index.ts';
import type { Transactions } from '../../storage/index.ts';
import type { PieceList } from '../chunks/index.ts';
import type { ReadingsLimits } from '../limits.ts';
import { folds, listAllPieces } from './compact-series.ts';
import { nextVariables } from './store.ts';

export interface CompactorDeps {
  readonly storage: Transactions;
  readonly log: Log;
  readonly limits: ReadingsLimits;
}

/** Variables with more to fold than one turn allows: each holds some chunks in memory. */
const MOST_UNFINISHED = 2;
/** Most Variables have nothing to fold, and to ask about each alone would be most of the work. */
const VARIABLES_A_LOOK = 25;

/** A Variable and all of its chunks. */
interface Found {
  readonly seriesId: number;
  readonly pieces: PieceList;
}

interface Job {
  readonly seriesId: number;
  readonly folds: AsyncGenerator<number>;
}

/** Goes round all Variables and folds what late or few readings left in pieces. */
export class Compactor {
  readonly #deps: CompactorDeps;
  #last = 0;
  /** Those that come next. */
  #ahead: Found[] = [];
  #isStopped = false;
  #unfinished: Job[] = [];
  #underWay: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: CompactorDeps) {
    this.#deps = deps;
  }

  start(): void {
    const { log, limits } = this.#deps;
    this.#timer = setInterval(() => {
      // One round at a time; a failed one is tried again when its turn comes.
      this.#underWay ??= this.#round()
        .catch((error: unknown) => log.warn({ err: error }, 'chunks could not be folded'))
        .finally(() => {
          this.#underWay = undefined;
        });
    }, limits.compactEveryMs).unref();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#underWay;
  }

  /** A look at some Variables, and another turn for those that had more to fold than a turn. */
  async #round(): Promise<void> {
    const yielder = new Yielder(() => (this.#isStopped ? 1 : 0));
    this.#ahead = [];
    const turns = this.#unfinished.length;
    for (let turn = 0; turn < turns; turn += 1) await this.#goOn();
    for (let begun = 0; begun < this.#deps.limits.compactVariables; begun += 1) {
      await yielder.pause();
      if (!(await this.#begin())) return;
    }
  }

  /** Folds all there is to fold of the next few Variables. */
  async compact(variables: number): Promise<void> {
    this.#ahead = [];
    for (let begun = 0; begun < variables && (await this.#begin()); begun += 1);
    while (this.#unfinished.length > 0 && !this.#isStopped) await this.#goOn();
  }

  /** A first turn for the next Variable; false at the end of a round trip, and when it is stopped. */
  async #begin(): Promise<boolean> {
    const { storage, limits } = this.#deps;
    if (this.#isStopped) return false;
    if (this.#ahead.length === 0) this.#ahead = await this.#look();
    const found = this.#ahead.shift();
    // Moved on before the work, so that a chunk that cannot be read stops no other Variable.
    this.#last = found?.seriesId ?? 0;
    if (!found) return false;
    const { seriesId, pieces } = found;
    if (this.#unfinished.some((job) => job.seriesId === seriesId)) return true;
    while (this.#unfinished.length >= MOST_UNFINISHED && !this.#isStopped) await this.#goOn();
    const { chunkReadings } = limits;
    await this.#turn({ seriesId, folds: folds({ storage, seriesId, chunkReadings }, pieces) });
    return true;
  }

  async #look(): Promise<Found[]> {
    const { storage } = this.#deps;
    const seriesIds = await nextVariables(storage, this.#last, VARIABLES_A_LOOK);
    if (seriesIds.length === 0) return [];
    return [...(await listAllPieces(storage, seriesIds))].map(([seriesId, pieces]) => {
      return { seriesId, pieces };
    });
  }

  async #goOn(): Promise<void> {
    const job = this.#unfinished.shift();
    if (job) await this.#turn(job);
  }

  async #turn(job: Job): Promise<void> {
    const { foldReadings } = this.#deps.limits;
    for (let readings = 0; readings < foldReadings && !this.#isStopped; ) {
      const { done, value } = await job.folds.next();
      if (done) return;
      readings += value;
    }
    this.#unfinished.push(job);
  }
}
