import type { PieceList } from '../chunks/index.ts';
import { type Columns, sliceOf, within } from '../columns/index.ts';
import type { Range } from '../reading.ts';
import { type Planned, type Source, type Stretch, stretchesOf } from '../slices/index.ts';

/**
 * Says whether the summary of a whole chunk is enough. At least so many readings of the same
 * Variable lie before it.
 */
export type IsEnough = (pieces: PieceList, index: number, readingsBefore: number) => boolean;

/** Chunks of one Variable of which the summaries are enough. */
export interface Summed {
  readonly subject: number;
  readonly pieces: PieceList;
  readonly indexes: readonly number[];
}

/** What is read in one go: in the order of the Variables, and of time. */
export interface PlannedBatch {
  readonly summed: readonly Summed[];
  readonly stretches: readonly Planned[];
  /** All up to here, in this Variable, is in this batch or in one before. */
  readonly end: { readonly subject: number; readonly to: number };
}

/** What one Variable has within its range. */
export interface Holdings {
  readonly subject: number;
  readonly range: Range;
  readonly pieces: PieceList;
  readonly tail: Columns | undefined;
}

/** In a batch: bounds its memory, whatever the size of chunks. */
const CHUNKS_A_BATCH = 256;
const READINGS_A_BATCH = 131_072;
const TAIL_SLICE = 1_024;

/** Decides what must be decoded and what need not. */
export function* planBatches(all: Iterable<Holdings>, isEnough: IsEnough): Generator<PlannedBatch> {
  let batch = new Draft();
  for (const { subject, range, pieces, tail } of all) {
    let readingsBefore = 0;
    for (const { sources, first, end } of groupsOf(pieces, [...tailSources(tail, range)])) {
      for (const stretch of clipped(sources, range)) {
        batch.add(subject, stretch);
        if (!batch.isFull) continue;
        yield batch;
        batch = new Draft();
      }
      for (let index = first; index < end; index += 1) {
        if (isWithin(pieces, index, range)) {
          if (isEnough(pieces, index, readingsBefore)) {
            batch.sum(subject, pieces, index);
            continue;
          }
          readingsBefore += pieces.countAt(index);
        }
        batch.add(subject, stretchOf(pieces, index, range));
        if (!batch.isFull) continue;
        yield batch;
        batch = new Draft();
      }
    }
  }
  if (!batch.isEmpty) yield batch;
}

function isWithin({ firstAt, lastAt }: PieceList, index: number, { from, to }: Range): boolean {
  return (firstAt[index] as number) >= from && (lastAt[index] as number) <= to;
}

class Draft implements PlannedBatch {
  readonly summed: { subject: number; pieces: PieceList; indexes: number[] }[] = [];
  readonly stretches: Planned[] = [];
  end = { subject: 0, to: 0 };
  #chunks = 0;
  #readings = 0;

  get isEmpty(): boolean {
    return this.summed.length === 0 && this.stretches.length === 0;
  }

  get isFull(): boolean {
    return this.#chunks >= CHUNKS_A_BATCH || this.#readings >= READINGS_A_BATCH;
  }

  sum(subject: number, pieces: PieceList, index: number): void {
    const last = this.summed.at(-1);
    if (last?.pieces === pieces) last.indexes.push(index);
    else this.summed.push({ subject, pieces, indexes: [index] });
    this.end.subject = subject;
    this.end.to = pieces.lastAt[index] as number;
  }

  add(subject: number, { from, to, sources }: Stretch): void {
    this.stretches.push({ subject, from, to, sources });
    this.end.subject = subject;
    this.end.to = to;
    this.#chunks += sources.length;
    for (const { columns, count } of sources) this.#readings += count ?? columns.times.length;
  }
}

/** What overlaps, and the chunks from `first` up to, without, `end` that nothing else touches. */
interface Group {
  readonly sources: readonly Source[];
  readonly first: number;
  readonly end: number;
}

/** Cuts time where nothing overlaps. Chunks that stand alone come many at once, as most do. */
function* groupsOf(pieces: PieceList, slices: readonly Source[]): Generator<Group> {
  let slice = 0;
  for (let index = 0; index < pieces.length || slice < slices.length; ) {
    const first = index;
    index = endOfAlone(pieces, index, slices[slice]?.firstAt ?? Infinity);
    if (index > first) {
      yield { sources: [], first, end: index };
      continue;
    }
    const sources: Source[] = [];
    for (let end = -Infinity; ; ) {
      const nextPiece = pieces.firstAt[index] ?? Infinity;
      const nextSlice = slices[slice]?.firstAt ?? Infinity;
      if (sources.length > 0 && Math.min(nextPiece, nextSlice) > end) break;
      const source: Source | undefined =
        nextPiece <= nextSlice ? pieces.pieceAt(index) : slices[slice];
      if (!source) break;
      if (source.columns) slice += 1;
      else index += 1;
      sources.push(source);
      end = Math.max(end, source.lastAt);
    }
    yield { sources, first: index, end: index };
  }
}

/** How far chunks from a place on touch neither each other nor what begins at a time. */
function endOfAlone({ firstAt, lastAt, length }: PieceList, start: number, before: number): number {
  for (let index = start; index < length; index += 1) {
    const end = lastAt[index] as number;
    if (end >= before || end >= (firstAt[index + 1] ?? Infinity)) return index;
  }
  return length;
}

/** All of a chunk that is within a range. */
function stretchOf(pieces: PieceList, index: number, { from, to }: Range): Stretch {
  const piece = pieces.pieceAt(index);
  return { from: Math.max(from, piece.firstAt), to: Math.min(to, piece.lastAt), sources: [piece] };
}

function* tailSources(tail: Columns | undefined, { from, to }: Range): Generator<Source> {
  if (!tail) return;
  const own = within(tail, from, to);
  const count = own.times.length;
  for (let start = 0; start < count; start += TAIL_SLICE) {
    const columns = sliceOf(own, start, Math.min(start + TAIL_SLICE, count));
    yield {
      columns,
      firstAt: columns.times[0] as number,
      lastAt: columns.times[columns.times.length - 1] as number,
      written: Number.MAX_SAFE_INTEGER,
    };
  }
}

function* clipped(sources: readonly Source[], { from, to }: Range): Generator<Stretch> {
  for (const stretch of stretchesOf(sources)) {
    if (stretch.to < from || stretch.from > to) continue;
    const clippedFrom = Math.max(from, stretch.from);
    yield { from: clippedFrom, to: Math.min(to, stretch.to), sources: stretch.sources };
  }
}
