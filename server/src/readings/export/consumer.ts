import type { Kind } from '../columns/index.ts';
import { CsvTable } from './csv-table.ts';
import { ParquetTable } from './parquet-table.ts';
import type { ExportPlan, TableWriter } from './table.ts';

/** Runs in a worker thread. */
export function createConsumer(plan: ExportPlan, kinds: readonly Kind[]): TableWriter {
  return plan.format === 'csv' ? new CsvTable(plan) : new ParquetTable(plan, kinds);
}
