import { type ChunkRow, chunkRows } from '../chunks/index.ts';
import { type Columns, indexOfTime, joined, sliceOf } from '../columns/index.ts';
import type { SizedChunkMeta } from './store.ts';

interface Open {
  readonly meta: SizedChunkMeta;
  /** Its readings at or after the cursor. */
  columns: Columns;
}

/**
 * The state of a merge at one moment of time: open chunks, which extend beyond the cursor, and
 * pending readings, which are merged but do not fill a chunk yet.
 */
export class MergeCursor {
  #open: Open[] = [];
  #pending: Columns | undefined;
  /** Chunks all of whose readings are merged; some of these may be pending. */
  #merged: SizedChunkMeta[] = [];
  #writtenUpTo = -Infinity;

  get isOpen(): boolean {
    return this.#open.length > 0;
  }

  /** Whether an open chunk has a reading in this range. */
  hasWithin(from: number, to: number): boolean {
    return this.#open.some(({ columns: { times } }) => {
      const time = times[indexOfTime(times, from)];
      return time !== undefined && time <= to;
    });
  }

  open(meta: SizedChunkMeta, columns: Columns): void {
    this.#open.push({ meta, columns });
  }

  /** Advances to a time. Returns the readings before it, by ascending writeSeq, if there are any. */
  takeBefore(time: number): Columns | undefined {
    const runs: Columns[] = [];
    const stillOpen: Open[] = [];
    for (const each of this.#open.toSorted((a, b) => a.meta.writeSeq - b.meta.writeSeq)) {
      const { columns, meta } = each;
      const end = indexOfTime(columns.times, time);
      if (end > 0) runs.push(sliceOf(columns, 0, end));
      each.columns = sliceOf(columns, end, columns.times.length);
      if (end < columns.times.length) stillOpen.push(each);
      else this.#merged.push(meta);
    }
    this.#open = stillOpen;
    const kind = runs[0]?.kind;
    return kind && joined(kind, runs);
  }

  /** Adds merged readings, which are later than all that were added before. */
  add(columns: Columns): void {
    this.#pending = this.#pending ? joined(columns.kind, [this.#pending, columns]) : columns;
  }

  /** The next chunks. Some readings are held back so that the last chunks are large, too. */
  *rows(seriesId: number, readingsPerChunk: number, isBorder: boolean): Generator<ChunkRow> {
    const pending = this.#pending;
    if (!pending) return;
    const count = pending.times.length;
    let end = 0;
    for (const row of chunkRows(seriesId, pending, readingsPerChunk)) {
      if (!isBorder && count - end - row.count < readingsPerChunk) break;
      end += row.count;
      yield row;
    }
    if (end === 0) return;
    this.#writtenUpTo = pending.times[end - 1] as number;
    this.#pending = end < count ? sliceOf(pending, end, count) : undefined;
  }

  /** The sources, once each, all of whose readings were returned as rows. */
  takeReplaced(): SizedChunkMeta[] {
    const isReplaced = ({ lastAt }: SizedChunkMeta) =>
      !this.#pending || lastAt <= this.#writtenUpTo;
    const replaced = this.#merged.filter(isReplaced);
    this.#merged = this.#merged.filter((meta) => !isReplaced(meta));
    return replaced;
  }
}
