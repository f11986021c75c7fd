import { Table } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { strings } from '../strings/index.ts';
import { type RowAction, RowActions } from './row-actions.tsx';
import classes from './table.module.css';

export interface Column<T> {
  readonly head: string;
  readonly cell: (record: T) => ReactNode;
  /** Hidden on a narrow screen. */
  readonly isMinor?: boolean;
  readonly align?: 'right';
  readonly width?: number | string;
  /** Hides the head visually; screen readers still announce it. */
  readonly isHeadHidden?: boolean;
}

const PHONE = '(max-width: 40em)';
const TABLET = '(max-width: 62em)';

export interface RecordActions<T> {
  readonly nameOf: (record: T) => string;
  readonly of: (record: T) => readonly RowAction[];
}

function actionColumn<T>({ nameOf, of }: RecordActions<T>): Column<T> {
  return {
    head: strings.ui.actions,
    isHeadHidden: true,
    align: 'right',
    cell: (record) => <RowActions name={nameOf(record)} actions={of(record)} />,
  };
}

interface Props<T extends { readonly id: string }> {
  /** The accessible name of the table. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly records: readonly T[];
  /** Whether the columns need more than a tablet's width. */
  readonly isWide?: boolean;
  readonly toneOf?: (record: T) => string | undefined;
  /** The actions on each record, with the record's name for screen readers. */
  readonly actions?: RecordActions<T> | undefined;
}

/** Records in rows; on a narrow screen each is a card with labels. */
export function RecordTable<T extends { readonly id: string }>(props: Props<T>) {
  const { label, records, isWide, toneOf, actions } = props;
  const isNarrow = useMediaQuery(isWide ? TABLET : PHONE, false, {
    getInitialValueInEffect: false,
  });
  const columns = actions ? [...props.columns, actionColumn(actions)] : props.columns;
  return (
    <Table
      className={classes.table}
      data-cards={isNarrow || undefined}
      aria-label={label}
      verticalSpacing={6}
      highlightOnHover
    >
      <Table.Thead>
        <Table.Tr>
          {columns.map(({ head, isMinor, align, width, isHeadHidden }) => (
            <Table.Th
              key={head}
              scope="col"
              data-minor={isMinor || undefined}
              style={{ textAlign: align, width }}
            >
              {isHeadHidden ? <span className={classes.hidden}>{head}</span> : head}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {records.map((record) => (
          <Table.Tr key={record.id} data-tone={toneOf?.(record)}>
            {columns.map(({ head, cell, isMinor, align, isHeadHidden }) => (
              <Table.Td
                key={head}
                data-label={isHeadHidden ? undefined : head}
                data-minor={isMinor || undefined}
                style={{ textAlign: align }}
              >
                <div>{cell(record)}</div>
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
