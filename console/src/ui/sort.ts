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

type Sortable = string | number | boolean | null | undefined;

const TEXT_ORDER = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

function compare(one: Sortable, other: Sortable): number {
  if (typeof one === 'string' && typeof other === 'string') return TEXT_ORDER.compare(one, other);
  return Number(one) - Number(other);
}

/** Complete lists are sorted in the browser. Records without a value are last in both directions. */
export function sortedBy<T>(
  records: readonly T[],
  order: string,
  values: Readonly<Record<string, (record: T) => Sortable>>,
): readonly T[] {
  const isDescending = order.startsWith('-');
  const read = values[isDescending ? order.slice(1) : order];
  if (!read) return records;
  const sign = isDescending ? -1 : 1;
  return records.toSorted((one, other) => {
    const [left, right] = [read(one), read(other)];
    const [isLeftEmpty, isRightEmpty] = [left ?? null, right ?? null].map((each) => each === null);
    if (isLeftEmpty || isRightEmpty) return Number(isLeftEmpty) - Number(isRightEmpty);
    return sign * compare(left, right);
  });
}
