import { type BlockVisitor, decodeRange, visitNumbers } from '../codec/index.ts';
import { type Columns, columnsOf, type Kind, merged, sliceOf, within } from '../columns/index.ts';
import { decodeChunk, NO_BYTES, named } from './decode-chunk.ts';
import type { PlannedSlice, Series, SliceBatch } from './time-slices.ts';

/** The readings of a slice in time order. The next slice reuses the columns. */
export interface DecodedSlice {
  /** The position of the series in the query. */
  readonly ordinal: number;
  readonly columns: Columns;
}

/** Decodes slices one after the other, each when it is requested. */
export class SliceReader {
  readonly #series: readonly Series[];
  readonly #room = new Map<Kind, Columns>();

  constructor(series: readonly Series[]) {
    this.#series = series;
  }

  *read({ slices, chunks }: SliceBatch): Generator<DecodedSlice> {
    for (const slice of slices) yield this.part(slice, chunks);
  }

  part(slice: PlannedSlice, chunks: SliceBatch['chunks']): DecodedSlice {
    return { ordinal: slice.ordinal, columns: this.#columns(slice, chunks) };
  }

  /** Passes numbers to a visitor, and returns how many were decoded. */
  visit(
    slice: PlannedSlice,
    { chunks, partial }: Omit<SliceBatch, 'slices'>,
    visitor: BlockVisitor,
  ): number {
    const { seriesId } = this.#series[slice.ordinal] as Series;
    const { from, to, sources } = slice;
    const [only, another] = sources;
    if (only && !another && !only.columns) {
      const zones = partial?.get(only);
      const data = chunks.get(only) ?? NO_BYTES;
      return named(seriesId, only, () =>
        zones ? zones.visit(from, to, visitor) : visitNumbers(data, from, to, visitor),
      );
    }
    const columns = this.#columns(slice, chunks);
    if (columns.kind !== 'NUMBER') return 0;
    const { times, values } = columns;
    visitor.addReadings(times, values, 0, times.length);
    return times.length;
  }

  #columns({ ordinal, from, to, sources }: PlannedSlice, chunks: SliceBatch['chunks']): Columns {
    const { seriesId, kind } = this.#series[ordinal] as Series;
    const [only, another] = sources;
    if (only && !another && !only.columns) {
      const into = this.#roomFor(kind, only.count);
      const data = chunks.get(only) ?? NO_BYTES;
      const count = named(seriesId, only, () => decodeRange(data, from, to, into, 0));
      return sliceOf(into, 0, count);
    }
    const runs = sources
      .toSorted((a, b) => a.writeSeq - b.writeSeq)
      .map((source) => {
        const columns = source.columns ?? decodeChunk(seriesId, source, chunks.get(source));
        return within(columns, from, to);
      });
    return merged(kind, runs);
  }

  /** The columns that every chunk of a kind is decoded into. */
  #roomFor(kind: Kind, count: number): Columns {
    const room = this.#room.get(kind);
    if (room && room.times.length >= count) return room;
    const larger = roomOf(kind, count);
    this.#room.set(kind, larger);
    return larger;
  }
}

/** Strings are appended: an array for all of a chunk takes longer to make than a day of them to decode. */
function roomOf(kind: Kind, count: number): Columns {
  if (kind !== 'STRING') return columnsOf(kind, count);
  return { kind, times: new Float64Array(count), values: [] };
}
