import type { ReactNode } from 'react';
import type { TableBulk } from './bulk-action.ts';
import { type CsvColumn, csvColumnsOf } from './csv.ts';
import { CsvButton } from './csv-button.tsx';
import type { List } from './list.ts';
import { Listing } from './listing.tsx';
import { RecordTable } from './table.tsx';
import type { TableProps } from './table-props.ts';

interface Props<T extends { readonly id: string }>
  extends Omit<TableProps<T>, 'columns' | 'records' | 'sort' | 'columnsKey' | 'bulk'> {
  readonly list: List<T>;
  readonly bulk?: Omit<TableBulk<T>, 'scope'> | undefined;
  /** Whether a search or a filter is set, so that an empty result is not an empty list. */
  readonly isFiltered: boolean;
  /** Shown when no records exist at all. */
  readonly empty: ReactNode;
}

/** A list of records as a table with its order, columns and pages. */
export function ListTable<T extends { readonly id: string }>(props: Props<T>) {
  const { list, isFiltered, empty, bulk, ...table } = props;
  const { query, page, onPage, columns, name, sort, scope } = list;
  return (
    <Listing query={query} page={page} onPage={onPage} isFiltered={isFiltered} empty={empty}>
      {(items) => (
        <RecordTable
          {...table}
          columns={columns}
          columnsKey={name}
          records={items}
          sort={sort}
          bulk={bulk && { ...bulk, scope }}
        />
      )}
    </Listing>
  );
}

interface CsvProps<T extends { readonly id: string }> {
  readonly list: List<T>;
  /** Columns of the file that the table does not have. */
  readonly more?: readonly CsvColumn<T>[];
}

/** All records that match the filters of a list, in its order, as a file. */
export function ListCsv<T extends { readonly id: string }>({ list, more = [] }: CsvProps<T>) {
  const { name, columns, read, arrange } = list;
  return (
    <CsvButton
      name={name}
      columns={[...csvColumnsOf(columns), ...more]}
      read={read}
      arrange={arrange}
    />
  );
}
