import type { Variable } from '@fieldwatch/contract';
import type { CsvRecord } from './csv.ts';

/** The server stores no earlier readings. */
const FIRST_TIME_MS = Date.UTC(2000, 0, 1);

type Target = Pick<Variable, 'topicPropertyPath' | 'type'>;
type Value = string | number | boolean;

export interface Reading {
  readonly key: string;
  readonly value: Value;
  readonly timestamp: number;
}

/** Which column is the time, and which ones are Variables. */
export interface Mapping {
  readonly timeColumn: number;
  readonly columns: readonly { readonly index: number; readonly variable: Target }[];
  /** Columns that are left out. */
  readonly ignored: readonly string[];
}

/** A column is a Variable by its path, or by the path that the caller maps it to. */
export function mappingOf(
  header: readonly string[],
  variables: readonly Target[],
  { timeName, paths }: { timeName: string | undefined; paths: ReadonlyMap<string, string> },
): Mapping | string {
  const names = header.map((name) => name.trim());
  const timeColumn = timeName === undefined ? 0 : names.indexOf(timeName);
  if (timeColumn === -1) return `There is no column ${timeName}.`;
  for (const name of paths.keys()) {
    if (!names.includes(name)) return `There is no column ${name}.`;
  }
  const columns: { index: number; variable: Target }[] = [];
  const ignored: string[] = [];
  for (const [index, name] of names.entries()) {
    if (index === timeColumn) continue;
    const path = paths.get(name) ?? name;
    const variable = variables.find((each) => each.topicPropertyPath === path);
    if (variable) columns.push({ index, variable });
    else if (paths.has(name)) return `The Device has no Variable with the path ${path}.`;
    else ignored.push(name);
  }
  return columns.length === 0
    ? 'No column is named like the path of a Variable of the Device; use --map column=path.'
    : { timeColumn, columns, ignored };
}

/** The readings of a record, and what is wrong with it. Empty fields are no readings. */
export function readingsOf(
  { line, fields }: CsvRecord,
  { timeColumn, columns }: Mapping,
): { readonly readings: Reading[]; readonly problems: string[] } {
  const written = fields[timeColumn]?.trim() ?? '';
  const timestamp = timeOf(written);
  if (timestamp === null) {
    return { readings: [], problems: [`line ${line}: ${written || 'nothing'} is not a time`] };
  }
  if (timestamp < FIRST_TIME_MS) {
    return { readings: [], problems: [`line ${line}: ${written} is before the year 2000`] };
  }
  const readings: Reading[] = [];
  const problems: string[] = [];
  for (const { index, variable } of columns) {
    const text = fields[index] ?? '';
    if (text.trim() === '') continue;
    const value = parsedValue(text, variable.type);
    if (value === null) {
      problems.push(`line ${line}: ${text.slice(0, 50)} is not a ${variable.type}`);
    } else {
      readings.push({ key: variable.topicPropertyPath, value, timestamp });
    }
  }
  return { readings, problems };
}

/** ISO 8601, where a time without an offset is UTC, or epoch milliseconds or seconds. */
export function timeOf(text: string): number | null {
  if (/^\d{12,14}$/.test(text)) return Number(text);
  if (/^\d{9,10}(\.\d{1,3})?$/.test(text)) return Math.round(Number(text) * 1000);
  if (!/^\d{4}-\d\d-\d\d/.test(text)) return null;
  const iso = text.replace(' ', 'T');
  const hasOffset = /(Z|[-+]\d\d:?\d\d)$/.test(iso) || !iso.includes('T');
  const epochMs = Date.parse(hasOffset ? iso : `${iso}Z`);
  return Number.isNaN(epochMs) ? null : epochMs;
}

const MAX_TEXT_LENGTH = 4_096;

function parsedValue(text: string, type: Variable['type']): Value | null {
  if (type === 'STRING') return text.length <= MAX_TEXT_LENGTH ? text : null;
  const trimmed = text.trim();
  if (type === 'BOOLEAN') {
    if (/^(true|1)$/i.test(trimmed)) return true;
    return /^(false|0)$/i.test(trimmed) ? false : null;
  }
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(trimmed) ? Number(trimmed) : null;
}
