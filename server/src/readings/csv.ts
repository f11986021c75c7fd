import type { Columns } from './codec/index.ts';
import { valueAt } from './columns.ts';
import type { Value } from './reading.ts';

/** RFC 4180: text in quotes where it needs them, lines that end with CR LF. */
function field(value: Value): string {
  if (typeof value !== 'string') return String(value);
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

function line(values: readonly Value[]): string {
  return `${values.map(field).join(',')}\r\n`;
}

/** Records as a table with the named columns. */
export function* csvOf<K extends string>(
  columns: readonly K[],
  records: Iterable<Readonly<Record<K, Value>>>,
): Generator<string> {
  yield line(columns);
  for (const record of records) yield line(columns.map((column) => record[column]));
}

/** Readings as a table, about as many at a time as are in memory anyway. */
export async function* readingsCsv(
  parts: AsyncIterable<Columns>,
  most: number,
): AsyncGenerator<string> {
  yield line(['timestamp', 'value']);
  let left = most;
  for await (const columns of parts) {
    const { times } = columns;
    const count = Math.min(left, times.length);
    let text = '';
    for (let index = 0; index < count; index += 1) {
      text += line([times[index] as number, valueAt(columns, index)]);
    }
    left -= count;
    if (text !== '') yield text;
    if (left <= 0) return;
  }
}
