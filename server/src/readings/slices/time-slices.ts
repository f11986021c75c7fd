import type { ChunkMeta } from '../chunks/index.ts';
import type { PartialChunk } from '../codec/index.ts';
import type { Columns, Kind } from '../columns/index.ts';

/** The history of one Variable. */
export interface Series {
  readonly seriesId: number;
  readonly kind: Kind;
}

/** A source of readings: a stored chunk, or columns of the memtable. */
export type Source =
  | (ChunkMeta & { readonly columns?: undefined })
  | {
      readonly columns: Columns;
      readonly count?: undefined;
      readonly firstAt: number;
      readonly lastAt: number;
      readonly writeSeq: number;
    };

/** A range of time with all sources that overlap it. Slices are disjoint. */
export interface TimeSlice {
  readonly from: number;
  readonly to: number;
  readonly sources: readonly Source[];
}

/** A time slice of one series of a query. */
export interface PlannedSlice extends TimeSlice {
  /** The position of the series in the query. */
  readonly ordinal: number;
}

/** Planned slices with the bytes of the chunks that they need. */
export interface SliceBatch {
  readonly slices: readonly PlannedSlice[];
  readonly chunks: ReadonlyMap<Source, Buffer>;
  /** Chunks of which only the zones that a visitor decodes are there. */
  readonly partial?: ReadonlyMap<Source, PartialChunk> | undefined;
}

/** Where many sources overlap, a slice begins at every so many of them. */
const SOURCES_PER_SLICE = 64;

/** Divides time where no sources overlap, and further where too many do. */
export function* timeSlicesOf(sources: readonly Source[]): Generator<TimeSlice> {
  const sorted = sources.toSorted((a, b) => a.firstAt - b.firstAt);
  let group: Source[] = [];
  let end = -Infinity;
  for (const source of sorted) {
    if (source.firstAt > end && group.length > 0) {
      yield* cut(group, end);
      group = [];
    }
    group.push(source);
    end = Math.max(end, source.lastAt);
  }
  if (group.length > 0) yield* cut(group, end);
}

function* cut(group: readonly Source[], end: number): Generator<TimeSlice> {
  const starts: number[] = [];
  for (let index = 0; index < group.length; index += SOURCES_PER_SLICE) {
    const start = (group[index] as Source).firstAt;
    if (start !== starts.at(-1)) starts.push(start);
  }
  let touching = group;
  for (const [index, from] of starts.entries()) {
    const to = (starts[index + 1] ?? end + 1) - 1;
    touching = touching.filter(({ lastAt }) => lastAt >= from);
    const own =
      index + 1 < starts.length ? touching.filter(({ firstAt }) => firstAt <= to) : touching;
    if (own.length > 0) yield { from, to, sources: own };
  }
}
