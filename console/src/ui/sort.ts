/** The order of a table: the sort key of a column, with a minus sign in front where it descends. */
export interface TableSort {
  readonly value: string;
  readonly onChange: (next: string) => void;
}

export type SortDirection = 'ascending' | 'descending';

/** The direction of a sort key in an order, or undefined where the order is by another key. */
export function directionOf(order: string, key: string): SortDirection | undefined {
  if (order === key) return 'ascending';
  return order === `-${key}` ? 'descending' : undefined;
}

/** The order after a click on a head: the other direction, or the first one of a new key. */
export function nextOrder(order: string, key: string, first: SortDirection = 'ascending'): string {
  const next = {
    ascending: 'descending',
    descending: 'ascending',
  } as const satisfies Record<SortDirection, SortDirection>;
  const current = directionOf(order, key);
  const direction = current === undefined ? first : next[current];
  return direction === 'ascending' ? key : `-${key}`;
}

/** The content of a cell as text or a number; null where there is none. */
export type CellValue = string | number | boolean | null;

/** What the order in the browser needs of a column. */
export interface SortableColumn<T> {
  /** The key of the column in the order. */
  readonly sortKey?: string;
  /** The content as a value, for the order in the browser and for files. */
  readonly value?: (record: T) => CellValue;
  /** What the order in the browser compares where it is not the value, such as a severity's rank. */
  readonly rank?: (record: T) => CellValue;
}

const TEXT_ORDER = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

interface Named {
  readonly name: string;
}

export function byName(one: Named, other: Named): number {
  return TEXT_ORDER.compare(one.name, other.name);
}

function compare(one: CellValue, other: CellValue): number {
  if (typeof one === 'string' && typeof other === 'string') return TEXT_ORDER.compare(one, other);
  return Number(one) - Number(other);
}

/** Complete lists are sorted in the browser. Records without a value are last in both directions. */
export function sortedBy<T>(
  records: readonly T[],
  order: string,
  columns: readonly SortableColumn<T>[],
): readonly T[] {
  const column = columns.find(({ sortKey }) => sortKey && directionOf(order, sortKey));
  const read = column?.rank ?? column?.value;
  if (!read) return records;
  const sign = order.startsWith('-') ? -1 : 1;
  return records
    .map((record) => ({ record, value: read(record) }))
    .toSorted((one, other) => {
      const isEmpty = one.value === null;
      if (isEmpty || other.value === null) return Number(isEmpty) - Number(other.value === null);
      return sign * compare(one.value, other.value);
    })
    .map(({ record }) => record);
}
