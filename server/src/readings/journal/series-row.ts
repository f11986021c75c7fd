import type { Columns } from '../columns/index.ts';
import { tagOf } from './journal-columns.ts';
import { createJournalRow, type RowForm } from './journal-row.ts';

/** Readings of one series that belong to its history. */
export interface SeriesColumns {
  readonly seriesId: number;
  readonly columns: Columns;
}

/** Readings of some series, one after the other, as a journal row; `count` is their number. */
export function seriesRow(count: number, all: Iterable<SeriesColumns>, form: RowForm): Buffer {
  const { columns: row, indexOf, finish } = createJournalRow(count);
  let at = 0;
  for (const { seriesId, columns } of all) {
    const { kind, times, values } = columns;
    const end = at + times.length;
    row.times.set(times, at);
    if (kind === 'STRING') row.values.set(values.map(indexOf), at);
    else row.values.set(values, at);
    row.seriesIds.fill(seriesId, at, end);
    row.tags.fill(tagOf(kind, true), at, end);
    at = end;
  }
  return finish(form);
}
