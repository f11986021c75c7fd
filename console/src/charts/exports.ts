import type { Input, Variable } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import type { Range } from './range.ts';

/** A form in which readings are exported. */
export interface ExportForm {
  readonly name: 'csv' | 'csvBuckets' | 'parquet' | 'parquetBuckets';
  readonly format: 'csv' | 'parquet';
  /** Absent for every reading. */
  readonly buckets?: number;
}

/** As many as a chart has. */
const BUCKETS = 600;

export const EXPORTS: readonly ExportForm[] = [
  { name: 'csv', format: 'csv' },
  { name: 'csvBuckets', format: 'csv', buckets: BUCKETS },
  { name: 'parquet', format: 'parquet' },
  { name: 'parquetBuckets', format: 'parquet', buckets: BUCKETS },
];

export function exportInput(
  variables: readonly Pick<Variable, 'id'>[],
  { startMs, endMs }: Range,
  { buckets }: ExportForm,
): Input<'exportReadings'> {
  return {
    query: {
      ids: variables.map(({ id }) => id),
      startTime: Math.max(0, Math.round(startMs)),
      endTime: Math.round(endMs),
      ...(buckets === undefined ? {} : { buckets }),
    },
  };
}

/** A file name with the Variables and the range in UTC: characters of no meaning in paths. */
export function exportName(
  variables: readonly Pick<Variable, 'name'>[],
  { startMs, endMs }: Range,
  { format }: ExportForm,
): string {
  const words = strings.charts.exports;
  const [first] = variables;
  const subject = first && variables.length === 1 ? first.name : words.several(variables.length);
  const [from = '', to = ''] = [startMs, endMs].map(
    (ms) => `${new Date(ms).toISOString().slice(0, 16).replaceAll(':', '')}Z`,
  );
  const name = words.fileName(subject, from, to).replaceAll(/[/\\:*?"<>|]+/g, '-');
  return `${name}.${format}`;
}
