import type { Value } from '../reading.ts';

/** Characters that make a spreadsheet treat a text as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** A field of RFC 4180, quoted where needed. A text that would be a formula is prefixed by `'`. */
export function csvField(value: Value): string {
  if (typeof value !== 'string') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line, with CR LF. */
export function csvLine(values: readonly Value[]): string {
  return `${values.map(csvField).join(',')}\r\n`;
}

/** Records as a table with the named columns. */
export function* csvOf<K extends string>(
  columns: readonly K[],
  records: Iterable<Readonly<Record<K, Value>>>,
): Generator<string> {
  yield csvLine(columns);
  for (const record of records) yield csvLine(columns.map((column) => record[column]));
}
