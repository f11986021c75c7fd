import type { Piece } from '../chunks/index.ts';
import type { Columns, Kind } from '../columns/index.ts';

/** The history of one Variable. */
export interface Series {
  readonly seriesId: number;
  readonly kind: Kind;
}

/** Readings that are somewhere: in a stored chunk, or in memory. */
export type Source =
  | (Piece & { readonly columns?: undefined })
  | {
      readonly columns: Columns;
      readonly count?: undefined;
      readonly firstAt: number;
      readonly lastAt: number;
      readonly written: number;
    };

/** A part of time with all that touches it; no two stretches share a time. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly sources: readonly Source[];
}

/** A part of time of one Variable, with all that is needed to know its readings. */
export interface Planned extends Stretch {
  /** The place of its Variable among those that were asked for. */
  readonly subject: number;
}

/** Planned slices with the bytes of the chunks that they need. */
export interface SliceBatch {
  readonly stretches: readonly Planned[];
  readonly chunks: ReadonlyMap<Source, Buffer>;
}

/** Where many sources overlap, a stretch begins at every so many of them. */
const SOURCES_A_STRETCH = 64;

/** Cuts time where nothing overlaps, and further where too much does. */
export function* stretchesOf(sources: readonly Source[]): Generator<Stretch> {
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

function* cut(group: readonly Source[], end: number): Generator<Stretch> {
  const starts: number[] = [];
  for (let index = 0; index < group.length; index += SOURCES_A_STRETCH) {
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
