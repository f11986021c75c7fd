import type { Consumer } from '../workers/index.ts';

/** What a file of readings is to hold. */
export interface ExportPlan {
  readonly format: 'csv' | 'parquet';
  /** The ids of the Variables, in their order; null when there is one and no column tells of it. */
  readonly variableIds: readonly string[] | null;
  /** Readings of each, at most. */
  readonly take: number;
}

/** Makes a file of readings that come in their order, a piece of it at a time. */
export type TableWriter = Consumer<Uint8Array>;

export const NOTHING = new Uint8Array();
