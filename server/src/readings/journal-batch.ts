import { markOf } from './journal-columns.ts';
import { createJournalRow, type JournalRow, MAX_NUMBER } from './journal-row.ts';
import type { Reading, Value } from './reading.ts';

type Type = Reading['variable']['type'];

/** A row of the readings of a batch. Fails for what no chunk or table could hold later. */
export function journalBatch(readings: readonly Reading[]): JournalRow {
  const row = createJournalRow(readings.length);
  const { times, values, numbers, marks } = row.columns;
  for (let index = 0; index < readings.length; index += 1) {
    const { variable, at, value } = readings[index] as Reading;
    const { number, type } = variable;
    if (!Number.isSafeInteger(at)) throw new RangeError(`The time ${at} is not a whole number.`);
    if (!isStorable(type, value)) {
      throw new RangeError(`The value is no ${type} that can be stored.`);
    }
    if (number > MAX_NUMBER) throw new RangeError(`The Variable number ${number} is too large.`);
    times[index] = at;
    values[index] = typeof value === 'number' ? value : stored(row, value);
    numbers[index] = number;
    marks[index] = markOf(type, variable.isLoggingEnabled);
  }
  return row;
}

function stored(row: JournalRow, value: string | boolean): number {
  if (typeof value === 'string') return row.placeOf(value);
  return value ? 1 : 0;
}

function isStorable(type: Type, value: Value): boolean {
  if (type === 'NUMBER') return typeof value === 'number' && Number.isFinite(value);
  if (type === 'STRING') return typeof value === 'string' && !value.includes('\0');
  return typeof value === 'boolean';
}
