import type { Batch, Subject } from '../history.ts';
import type { Part } from '../parts.ts';

/** What a file of readings is to hold. */
export interface ExportPlan {
  readonly format: 'csv' | 'parquet';
  /** The ids of the Variables, in their order; null when there is one and no column tells of it. */
  readonly variableIds: readonly string[] | null;
  /** Readings of each, at most. */
  readonly take: number;
}

/** Readings of some Variables as stored, for who decodes them. */
export interface Undecoded {
  readonly subjects: readonly Pick<Subject, 'number' | 'kind'>[];
  readonly batches: AsyncGenerator<Batch>;
}

/** Makes a file of readings that come in their order, a piece of it at a time. */
export interface TableWriter {
  begin(): Uint8Array;
  add(parts: Iterable<Part>): Uint8Array;
  end(): Uint8Array;
}

export const NOTHING = new Uint8Array();
