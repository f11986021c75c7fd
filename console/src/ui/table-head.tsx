import { Checkbox, Table, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconArrowDown, IconArrowUp, IconSelector } from '../icons/index.ts';
import { strings } from '../strings/index.ts';
import { ColumnChooser } from './column-chooser.tsx';
import { directionOf, nextOrder, type TableSort } from './sort.ts';
import classes from './table.module.css';
import type { Column, TableParts } from './table-props.ts';

const icon = { size: 14, 'aria-hidden': true } as const;

/** The heads of the columns. With cards they are only read aloud, so they have no controls. */
export function TableHead<T extends { readonly id: string }>(parts: TableParts<T>) {
  const { columns, layout, selection, choosable, chosen } = parts;
  const isCards = layout === 'cards';
  return (
    <Table.Thead>
      <Table.Tr>
        {selection ? (
          <Table.Th scope="col" className={classes.select}>
            {isCards ? strings.ui.selection.head : <SelectAll {...parts} />}
          </Table.Th>
        ) : null}
        {columns.map((column, index) => (
          <Head
            key={column.head}
            column={column}
            sort={isCards ? undefined : parts.sort}
            chooser={
              choosable.length > 0 && !isCards && index === columns.length - 1 ? (
                <ColumnChooser columns={choosable} {...chosen} />
              ) : null
            }
          />
        ))}
      </Table.Tr>
    </Table.Thead>
  );
}

interface HeadProps<T> {
  readonly column: Column<T>;
  readonly sort: TableSort | undefined;
  readonly chooser: ReactNode;
}

function Head<T>({ column, sort, chooser }: HeadProps<T>) {
  const { head, align, width, isHeadHidden, sortKey } = column;
  const direction = sort && sortKey ? directionOf(sort.value, sortKey) : undefined;
  const text = <span {...(isHeadHidden ? { className: classes.hidden } : {})}>{head}</span>;
  return (
    <Table.Th scope="col" aria-sort={direction} style={{ textAlign: align, width }}>
      <div className={classes.head} data-end={align === 'right' || undefined}>
        {sort && sortKey ? <SortButton column={column} sort={sort} sortKey={sortKey} /> : text}
        {chooser}
      </div>
    </Table.Th>
  );
}

interface SortProps<T> {
  readonly column: Column<T>;
  readonly sort: TableSort;
  readonly sortKey: string;
}

function SortButton<T>({ column: { head, firstDirection }, sort, sortKey }: SortProps<T>) {
  const direction = directionOf(sort.value, sortKey);
  const Icon = { ascending: IconArrowUp, descending: IconArrowDown, none: IconSelector }[
    direction ?? 'none'
  ];
  return (
    <UnstyledButton
      className={classes.sort}
      data-sorted={direction}
      onClick={() => sort.onChange(nextOrder(sort.value, sortKey, firstDirection))}
    >
      {head}
      <Icon {...icon} />
    </UnstyledButton>
  );
}

/** Selects all records of the page, or clears them. */
export function SelectAll<T extends { readonly id: string }>({
  records,
  selection,
}: Pick<TableParts<T>, 'records' | 'selection'>) {
  if (!selection) return null;
  const { state } = selection;
  const count = records.filter(({ id }) => state.has(id)).length;
  const isAll = count > 0 && count === records.length;
  return (
    <Checkbox
      size="xs"
      aria-label={strings.ui.selection.all}
      checked={isAll}
      indeterminate={count > 0 && !isAll}
      onChange={() => state.setAll(records, !isAll)}
    />
  );
}
