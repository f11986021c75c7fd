import type { OperationId } from '@fieldwatch/contract';
import type { UseQueryResult } from '@tanstack/react-query';
import {
  type Input,
  type ListPosition,
  type ReadOptions,
  type Reply,
  useCall,
  useRead,
} from '../service/index.ts';
import type { ListPage, ReadPage } from './csv.ts';
import { pageOf } from './listing.tsx';
import { directionOf, sortedBy, type TableSort } from './sort.ts';
import type { Column } from './table-props.ts';

/** Longer lists stay in the server's order: they are not read completely. */
const MAX_SORTED_RECORDS = 1_000;

/** The order of the server. Its key is that of the column with the time of creation. */
const NEWEST_FIRST = '-CREATED';

/** The operations that list records. */
type ListId = {
  [Id in OperationId]: Reply<Id> extends { count: number; items: { id: string }[] } ? Id : never;
}[OperationId];

type Listed<Id extends ListId> =
  Reply<Id> extends { items: (infer T extends { readonly id: string })[] } ? T : never;

interface ListProps<Id extends ListId> {
  /** The name under which the browser keeps views and columns; also that of files. */
  readonly name: string;
  readonly operation: Id;
  /** The input of the operation for a page with the filters of the list. */
  readonly inputOf: (paging: { skip: number; take: number }) => Input<Id>;
  readonly columns: readonly Column<Listed<Id>>[];
  readonly position: ListPosition;
  /** The order without a choice of the user; that of the server unless stated. */
  readonly initialSort?: string;
  readonly onChange: (change: ListPosition) => void;
  readonly refetchIntervalMs?: number;
  /** Whether all records are shown at once, as in a tree, unless there are too many. */
  readonly isWhole?: boolean;
}

export interface List<T extends { readonly id: string }> {
  readonly name: string;
  /** The filters as text: a change of them is another list. */
  readonly scope: string;
  readonly columns: readonly Column<T>[];
  /** The records of the page in the order of the list. */
  readonly query: UseQueryResult<ListPage<T>, Error>;
  readonly page: number;
  readonly onPage: (page: number) => void;
  /** Undefined for a list that is too long to be sorted. */
  readonly sort: TableSort | undefined;
  readonly isWhole: boolean;
  readonly read: ReadPage<T>;
  /** Puts records into the order of the list. */
  readonly arrange: (records: readonly T[]) => readonly T[];
}

/**
 * A list of records that the server pages, newest first. By another order it is read completely and
 * sorted in the browser, unless it is too long for that.
 */
export function useList<Id extends ListId>(props: ListProps<Id>): List<Listed<Id>> {
  const { name, operation, inputOf, columns, position, onChange, isWhole = false } = props;
  const { initialSort = NEWEST_FIRST } = props;
  const { page = 1 } = position;
  const order = orderOf(position.sort, columns) ?? initialSort;
  const arrange = (records: readonly Listed<Id>[]) => sortedBy(records, order, columns);
  const { all, paged, isCut } = useReads(props, isWhole || order !== NEWEST_FIRST);
  const call = useCall();
  const sort: TableSort = {
    value: order,
    onChange: (next) => onChange({ sort: next === initialSort ? undefined : next }),
  };
  return {
    name,
    scope: JSON.stringify(inputOf({ skip: 0, take: 0 })),
    columns,
    query: all ? shownOf(all, arrange, isWhole ? null : page) : paged,
    page,
    onPage: (next) => onChange({ page: next }),
    sort: isCut ? undefined : sort,
    isWhole: isWhole && all !== undefined,
    read: (paging) => call(operation, inputOf(paging)) as Promise<ListPage<Listed<Id>>>,
    arrange,
  };
}

type Query<T> = UseQueryResult<ListPage<T>, Error>;

/** All records where they are needed and not too many, or else the page. */
function useReads<Id extends ListId>(
  { operation, inputOf, position, refetchIntervalMs }: ListProps<Id>,
  isComplete: boolean,
) {
  const options: ReadOptions = {
    keepsPrevious: true,
    ...(refetchIntervalMs === undefined ? {} : { refetchIntervalMs }),
  };
  const all = useRead(operation, inputOf({ skip: 0, take: MAX_SORTED_RECORDS }), {
    ...options,
    enabled: isComplete,
  }) as Query<Listed<Id>>;
  const isAllCut = isComplete && isTooLong(all.data);
  const paged = useRead(operation, inputOf(pageOf(position.page)), {
    ...options,
    enabled: !isComplete || isAllCut,
  }) as Query<Listed<Id>>;
  // While all records are loading, the page stays on the screen.
  const isWaiting = all.data === undefined && all.error === null && paged.data !== undefined;
  return {
    all: isComplete && !isAllCut && !isWaiting ? all : undefined,
    paged,
    isCut: isAllCut || (!isComplete && isTooLong(paged.data)),
  };
}

function isTooLong(data: ListPage<unknown> | undefined): boolean {
  return data !== undefined && data.count > MAX_SORTED_RECORDS;
}

/** The order in an address, where a column has it. */
function orderOf<T>(sort: string | undefined, columns: readonly Column<T>[]): string | undefined {
  return columns.some(({ sortKey }) => sortKey && sort && directionOf(sort, sortKey))
    ? sort
    : undefined;
}

/** The records of a page in their order; all of them without a page. */
function shownOf<T>(
  all: Query<T>,
  arrange: (records: readonly T[]) => readonly T[],
  page: number | null,
): Query<T> {
  if (all.data === undefined) return all;
  const { count, items } = all.data;
  const { skip, take } = page === null ? { skip: 0, take: count } : pageOf(page);
  const data = { count, items: arrange(items).slice(skip, skip + take) };
  return { ...all, data } as Query<T>;
}
