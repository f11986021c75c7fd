import { useState } from 'react';
import { sortedBy } from './sort.ts';
import { RecordTable } from './table.tsx';
import type { TableProps } from './table-props.ts';

type Props<T extends { readonly id: string }> = Omit<TableProps<T>, 'sort'> & {
  /** The order in which the records are given. */
  readonly initialSort?: string;
};

/** A complete list within a page, sorted in the browser; the order is not in the address. */
export function SortedTable<T extends { readonly id: string }>(props: Props<T>) {
  const { initialSort = '', ...table } = props;
  const [order, setOrder] = useState(initialSort);
  const { records, columns } = table;
  return (
    <RecordTable
      {...table}
      records={order === initialSort ? records : sortedBy(records, order, columns)}
      sort={{ value: order, onChange: setOrder }}
    />
  );
}
