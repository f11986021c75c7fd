import type { Kind } from '../columns/index.ts';
import { CsvTable } from './csv-table.ts';
import { NamedCsvTable } from './named-csv-table.ts';
import { ParquetTable } from './parquet-table.ts';
import type { ExportPlan, TableWriter } from './table.ts';

/** Runs in a worker thread. */
export function createConsumer(plan: ExportPlan, kinds: readonly Kind[]): TableWriter {
  if (plan.format === 'parquet') return new ParquetTable(plan, kinds);
  return plan.names ? new NamedCsvTable(plan.names) : new CsvTable(plan);
}
