import type { Value } from '../reading.ts';

/** What spreadsheets take for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** RFC 4180: text in quotes where it needs them. Text that a spreadsheet would run begins with `'`. */
export function csvField(value: Value): string {
  if (typeof value !== 'string') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Lines end with CR LF. */
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
