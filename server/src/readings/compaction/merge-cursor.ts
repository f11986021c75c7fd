import { type ChunkRow, chunkRows } from '../chunks/index.ts';
import { type Columns, indexOfTime, joined, sliceOf } from '../columns/index.ts';
import type { SizedPiece } from './store.ts';

interface Open {
  readonly piece: SizedPiece;
  /** Its readings that are not merged yet. */
  columns: Columns;
}

/**
 * Where folding stands on its way through time: chunks that were begun and reach further, and
 * readings that are merged and make no whole chunk yet.
 */
export class Front {
  #open: Open[] = [];
  #pending: Columns | undefined;
  /** Chunks all of whose readings are merged, while some of them may be pending. */
  #merged: SizedPiece[] = [];
  #writtenUpTo = -Infinity;

  get isOpen(): boolean {
    return this.#open.length > 0;
  }

  /** Whether a reading of a chunk that was begun has a time in there. */
  hasWithin(from: number, to: number): boolean {
    return this.#open.some(({ columns: { times } }) => {
      const time = times[indexOfTime(times, from)];
      return time !== undefined && time <= to;
    });
  }

  open(piece: SizedPiece, columns: Columns): void {
    this.#open.push({ piece, columns });
  }

  /** Takes out the readings before a time, one layer behind the other; undefined when none are. */
  takeBefore(time: number): Columns | undefined {
    const layers: Columns[] = [];
    const stillOpen: Open[] = [];
    for (const each of this.#open.toSorted((a, b) => a.piece.written - b.piece.written)) {
      const { columns, piece } = each;
      const end = indexOfTime(columns.times, time);
      if (end > 0) layers.push(sliceOf(columns, 0, end));
      each.columns = sliceOf(columns, end, columns.times.length);
      if (end < columns.times.length) stillOpen.push(each);
      else this.#merged.push(piece);
    }
    this.#open = stillOpen;
    const kind = layers[0]?.kind;
    return kind && joined(kind, layers);
  }

  /** Adds readings, each time once, that come after all that were added before. */
  add(columns: Columns): void {
    this.#pending = this.#pending ? joined(columns.kind, [this.#pending, columns]) : columns;
  }

  /** The next chunks. Enough is kept back that the last ones come out large too. */
  *rows(seriesId: number, chunkReadings: number, isBorder: boolean): Generator<ChunkRow> {
    const pending = this.#pending;
    if (!pending) return;
    const count = pending.times.length;
    const whole = Math.max(0, Math.floor(count / chunkReadings) - 1) * chunkReadings;
    const end = isBorder ? count : whole;
    if (end === 0) return;
    yield* chunkRows(seriesId, sliceOf(pending, 0, end), chunkReadings);
    this.#writtenUpTo = pending.times[end - 1] as number;
    this.#pending = end < count ? sliceOf(pending, end, count) : undefined;
  }

  /** The chunks, once each, all of whose readings are in rows. */
  takeReplaced(): SizedPiece[] {
    const isReplaced = ({ lastAt }: SizedPiece) => !this.#pending || lastAt <= this.#writtenUpTo;
    const replaced = this.#merged.filter(isReplaced);
    this.#merged = this.#merged.filter((piece) => !isReplaced(piece));
    return replaced;
  }
}
