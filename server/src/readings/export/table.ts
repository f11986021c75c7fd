import type { Consumer } from '../workers/index.ts';

/** What a row of a table says about its Variable. */
export interface VariableNames {
  readonly variableId: string;
  readonly device: string;
  readonly variable: string;
  readonly unit: string | null;
}

/** The content of an exported file. */
export interface ExportPlan {
  readonly format: 'csv' | 'parquet';
  /** The ids of the Variables in order; null for one Variable without an id column. */
  readonly variableIds: readonly string[] | null;
  /** The names of the Variables in order, for a table with names in each row; null for one without. */
  readonly names: readonly VariableNames[] | null;
  /** The maximum number of readings per Variable. */
  readonly take: number;
}

/** Writes a file from slices in order, and returns the bytes of each step. */
export type TableWriter = Consumer<Uint8Array>;

export const NO_BYTES = new Uint8Array();
