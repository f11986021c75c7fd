import type { ReadingBuckets, ReadingSegments } from '@fieldwatch/contract';
import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Value } from '../reading.ts';
import { csvLine } from './csv.ts';
import { root, TIMESTAMP, TYPES } from './parquet-schema.ts';
import type { VariableNames } from './table.ts';

const TIMES = ['time', 'endTime'] as const;
const NAMES = ['device', 'variable', 'unit'] as const;
const NUMBERS = ['count', 'min', 'max', 'mean', 'first', 'last'] as const;
const COLUMNS = [...TIMES, ...NAMES, ...NUMBERS, 'value', 'variableId'] as const;

type Row = Readonly<Partial<Record<(typeof COLUMNS)[number], Value | null>>>;
type Chart = ReadingBuckets | ReadingSegments;

/** Summaries of several Variables as one table. Changes of state have a value in place of numbers. */
export function bucketTable(
  charts: readonly Chart[],
  names: readonly VariableNames[],
  format: 'csv' | 'parquet',
): Iterable<string | Uint8Array> {
  const rows = charts.flatMap((chart, index) => rowsOf(chart, names[index]));
  return format === 'csv' ? csvOfRows(rows) : [parquetOfRows(rows)];
}

function rowsOf({ items, bucketMs }: Chart, names: VariableNames | undefined): Row[] {
  return items.map((item) => {
    if ('value' in item) {
      const { startTime, endTime, value } = item;
      return { ...names, time: startTime, endTime, value };
    }
    const { timestamp, ...numbers } = item;
    return { ...names, time: timestamp, endTime: timestamp + bucketMs, ...numbers };
  });
}

function* csvOfRows(rows: readonly Row[]): Generator<string> {
  yield csvLine(COLUMNS);
  for (const row of rows) {
    const times = TIMES.map((column) => new Date(Number(row[column])).toISOString());
    const rest = COLUMNS.slice(TIMES.length).map((column) => row[column] ?? '');
    yield csvLine([...times, ...rest]);
  }
}

function parquetOfRows(rows: readonly Row[]): Uint8Array {
  const bytes = new ByteWriter();
  const writer = new ParquetWriter({ writer: bytes, schema: SCHEMA });
  const times = TIMES.map((name) => ({
    name,
    data: BigInt64Array.from(rows, (row) => BigInt(Number(row[name]))),
  }));
  const rest = COLUMNS.slice(TIMES.length).map((name) => ({
    name,
    data: rows.map((row) => (name === 'value' ? textOf(row.value) : (row[name] ?? null))),
  }));
  if (rows.length > 0) void writer.write({ columnData: [...times, ...rest] });
  // Only a writer that flushes returns a Promise; this one writes to memory.
  void writer.finish();
  return bytes.getBytes();
}

/** A column of a Parquet file has one type, so true and false are text beside other texts. */
function textOf(value: Value | null | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}

const SCHEMA: SchemaElement[] = root(
  COLUMNS.map((name): SchemaElement => {
    if (name === 'time' || name === 'endTime') return { ...TIMESTAMP, name };
    const isNumber = (NUMBERS as readonly string[]).includes(name);
    const type = isNumber ? TYPES.NUMBER : TYPES.STRING;
    return { name, ...type, repetition_type: 'OPTIONAL' };
  }),
);
