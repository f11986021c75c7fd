import { csvCell } from '../runtime/index.ts';
import { strings } from '../strings/index.ts';
import type { CellValue } from './sort.ts';

export interface CsvColumn<T> {
  readonly head: string;
  readonly value: (record: T) => CellValue;
}

/** The id, and the columns of a table that have a value, whether they are shown or not. */
export function csvColumnsOf<T extends { readonly id: string }>(
  columns: readonly Partial<CsvColumn<T>>[],
): readonly CsvColumn<T>[] {
  const id: CsvColumn<T> = { head: strings.ui.id, value: (record) => record.id };
  return [id, ...columns.filter((column): column is CsvColumn<T> => column.value !== undefined)];
}

/** Records as CSV with a line of heads. */
export function csvOf<T>(columns: readonly CsvColumn<T>[], records: readonly T[]): string {
  const lines = [
    columns.map(({ head }) => csvCell(head)),
    ...records.map((record) => columns.map(({ value }) => csvCell(value(record)))),
  ];
  return `${lines.map((cells) => cells.join(',')).join('\r\n')}\r\n`;
}

/** A page of a list. */
export interface ListPage<T> {
  readonly count: number;
  readonly items: readonly T[];
}

/** Reads the pages of a list, as many as there are at the time. */
export type ReadPage<T> = (paging: { skip: number; take: number }) => Promise<ListPage<T>>;

const RECORDS_PER_PAGE = 1_000;
/** More would take a browser's memory and minutes of requests. */
export const MAX_EXPORTED_RECORDS = 50_000;

/** All records of a list, at most so many. A record that moves between pages appears once. */
export async function readAll<T extends { readonly id: string }>(
  read: ReadPage<T>,
  onProgress: (done: number, count: number) => void,
): Promise<{ readonly records: readonly T[]; readonly count: number }> {
  const records = new Map<string, T>();
  let count = 1;
  for (let skip = 0; skip < Math.min(count, MAX_EXPORTED_RECORDS); skip += RECORDS_PER_PAGE) {
    const page = await read({ skip, take: RECORDS_PER_PAGE });
    for (const record of page.items) records.set(record.id, record);
    count = page.count;
    onProgress(Math.min(skip + RECORDS_PER_PAGE, count), count);
  }
  return { records: [...records.values()], count };
}
