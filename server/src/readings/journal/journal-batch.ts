import type { Reading, Value } from '../reading.ts';
import { tagOf } from './journal-columns.ts';
import { createJournalRow, type JournalRow, MAX_SERIES_ID } from './journal-row.ts';

type Type = Reading['variable']['type'];

/** A batch as a journal row. Throws a RangeError for a reading that no chunk or table can hold. */
export function journalBatch(readings: readonly Reading[]): JournalRow {
  const row = createJournalRow(readings.length);
  const { times, values, seriesIds, tags } = row.columns;
  for (let index = 0; index < readings.length; index += 1) {
    const { variable, at, value } = readings[index] as Reading;
    const { seriesId, type } = variable;
    if (!Number.isSafeInteger(at)) throw new RangeError(`The time ${at} is not a whole number.`);
    if (!isStorable(type, value)) {
      throw new RangeError(`The value is no ${type} that can be stored.`);
    }
    if (seriesId > MAX_SERIES_ID) throw new RangeError(`The series id ${seriesId} is too large.`);
    times[index] = at;
    values[index] = typeof value === 'number' ? value : stored(row, value);
    seriesIds[index] = seriesId;
    tags[index] = tagOf(type, variable.isLoggingEnabled);
  }
  return row;
}

function stored(row: JournalRow, value: string | boolean): number {
  if (typeof value === 'string') return row.indexOf(value);
  return value ? 1 : 0;
}

function isStorable(type: Type, value: Value): boolean {
  if (type === 'NUMBER') return typeof value === 'number' && Number.isFinite(value);
  if (type === 'STRING') return typeof value === 'string' && !value.includes('\0');
  return typeof value === 'boolean';
}
