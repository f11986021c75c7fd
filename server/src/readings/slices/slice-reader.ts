import { type BlockVisitor, decodeRange, visitNumbers } from '../codec/index.ts';
import { type Columns, columnsOf, type Kind, merged, sliceOf, within } from '../columns/index.ts';
import { decodeChunk, NO_BYTES, named } from './decode-chunk.ts';
import type { Planned, Series, SliceBatch } from './time-slices.ts';

/** The next readings of a Variable in the order of time. The columns are used again after that. */
export interface Part {
  /** The place of the Variable among those that were asked for. */
  readonly subject: number;
  readonly columns: Columns;
}

/** Decodes one batch after the other, each part when it is asked for. */
export class PartReader {
  readonly #subjects: readonly Series[];
  readonly #room = new Map<Kind, Columns>();

  constructor(subjects: readonly Series[]) {
    this.#subjects = subjects;
  }

  *read({ stretches, chunks }: SliceBatch): Generator<Part> {
    for (const stretch of stretches) yield this.part(stretch, chunks);
  }

  part(stretch: Planned, chunks: SliceBatch['chunks']): Part {
    return { subject: stretch.subject, columns: this.#columns(stretch, chunks) };
  }

  /** Shows numbers to a visitor, and answers how many were decoded. */
  visit(stretch: Planned, chunks: SliceBatch['chunks'], visitor: BlockVisitor): number {
    const { seriesId } = this.#subjects[stretch.subject] as Series;
    const { from, to, sources } = stretch;
    const [only, another] = sources;
    if (only && !another && !only.columns) {
      const data = chunks.get(only) ?? NO_BYTES;
      return named(seriesId, only, () => visitNumbers(data, from, to, visitor));
    }
    const columns = this.#columns(stretch, chunks);
    if (columns.kind !== 'NUMBER') return 0;
    const { times, values } = columns;
    visitor.addReadings(times, values, 0, times.length);
    return times.length;
  }

  #columns({ subject, from, to, sources }: Planned, chunks: SliceBatch['chunks']): Columns {
    const { seriesId, kind } = this.#subjects[subject] as Series;
    const [only, another] = sources;
    if (only && !another && !only.columns) {
      const into = this.#roomFor(kind, only.count);
      const data = chunks.get(only) ?? NO_BYTES;
      const count = named(seriesId, only, () => decodeRange(data, from, to, into, 0));
      return sliceOf(into, 0, count);
    }
    const layers = sources
      .toSorted((a, b) => a.written - b.written)
      .map((source) => {
        const columns = source.columns ?? decodeChunk(seriesId, source, chunks.get(source));
        return within(columns, from, to);
      });
    return merged(kind, layers);
  }

  /** Columns that one chunk after the other is decoded into. */
  #roomFor(kind: Kind, count: number): Columns {
    const room = this.#room.get(kind);
    if (room && room.times.length >= count) return room;
    const larger = columnsOf(kind, count);
    this.#room.set(kind, larger);
    return larger;
  }
}
