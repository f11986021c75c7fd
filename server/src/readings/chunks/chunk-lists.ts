import { BoundedMap, type Clock } from '../../runtime/index.ts';
import type { Queries } from '../../storage/index.ts';
import type { Range } from '../reading.ts';
import type { ChunkChanges } from './chunk-changes.ts';
import type { ChunkMetaList } from './chunk-meta-list.ts';
import { listChunkMetas } from './store.ts';

/*
 * Which chunks there are, of series that were queried lately: where their bytes are in memory as well,
 * asking PostgreSQL is a third of the time of a query.
 *
 * Invariants
 *   A. A list is used while no chunk can have changed since before it was made: no other node is
 *      there, and no transaction of this process that changes chunks was in progress at any time
 *      between (chunk-changes.ts). After a flush, a round of compaction or retention all are made again.
 *   B. None is older than a minute, should somebody delete chunks by hand.
 */

/** A list covers so much of the time after its range: that of the next query often ends a little later. */
const AHEAD_SHARE = 1 / 16;
const MAX_AGE_MS = 60_000;
const MAX_LISTS = 256;
/** A year of readings every ten seconds has some 400. */
const MAX_CHUNKS = 1_024;

interface Listed {
  readonly range: Range;
  readonly metas: ChunkMetaList;
  readonly state: number;
  readonly madeAt: number;
}

export class ChunkLists {
  readonly #changes: ChunkChanges;
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #lists = new BoundedMap<number, Listed>(MAX_LISTS);

  constructor(changes: ChunkChanges, clock: Pick<Clock, 'elapsed'>) {
    this.#changes = changes;
    this.#clock = clock;
  }

  /** The metas of the chunks that overlap a range, by series. */
  async list(
    db: Queries,
    seriesIds: readonly number[],
    range: Range,
  ): Promise<Map<number, ChunkMetaList>> {
    const state = this.#changes.state();
    const known = seriesIds.flatMap((seriesId) => {
      const metas = this.#find(seriesId, range, state);
      return metas ? [[seriesId, metas] as const] : [];
    });
    if (known.length === seriesIds.length) return new Map(known);
    const madeAt = this.#clock.elapsed();
    const wide = { from: range.from, to: aheadOf(range) };
    const found = await listChunkMetas(db, seriesIds, wide);
    if (state !== undefined && this.#changes.state() === state) {
      for (const [seriesId, metas] of found) {
        if (metas.length > MAX_CHUNKS) continue;
        this.#lists.set(seriesId, { range: wide, metas, state, madeAt });
      }
    }
    return new Map([...found].map(([seriesId, metas]) => [seriesId, metas.within(range)]));
  }

  #find(seriesId: number, { from, to }: Range, state: number | undefined) {
    const listed = this.#lists.get(seriesId);
    if (!listed || listed.state !== state) return undefined;
    if (this.#clock.elapsed() - listed.madeAt >= MAX_AGE_MS) return undefined;
    if (from < listed.range.from || to > listed.range.to) return undefined;
    return listed.metas.within({ from, to });
  }
}

function aheadOf({ from, to }: Range): number {
  return Math.min(Number.MAX_SAFE_INTEGER, to + Math.ceil((to - from) * AHEAD_SHARE));
}
