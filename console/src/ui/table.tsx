import { Table } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { strings } from '../strings/index.ts';
import { type RowAction, RowActions } from './row-actions.tsx';
import classes from './table.module.css';
import { minRowsPx, useTableLayout } from './table-layout.ts';

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
  /** Whether the columns need more width than most tables have on a tablet. */
  readonly isWide?: boolean;
  readonly toneOf?: (record: T) => string | undefined;
  /** The actions on each record, with the record's name for screen readers. */
  readonly actions?: RecordActions<T> | undefined;
}

/** Records in rows; where these do not fit, each is a card with labels. */
export function RecordTable<T extends { readonly id: string }>(props: Props<T>) {
  const { label, records, isWide = false, toneOf, actions } = props;
  const mainCount = props.columns.filter(({ isMinor }) => !isMinor).length;
  const container = useRef<HTMLDivElement>(null);
  const layout = useTableLayout(container, minRowsPx(mainCount, isWide));
  const columns = actions ? [...props.columns, actionColumn(actions)] : props.columns;
  return (
    <div ref={container} className={classes.container}>
      <Table
        className={classes.table}
        data-layout={layout}
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
                  style={{ textAlign: layout === 'cards' ? undefined : align }}
                >
                  <div>{cell(record)}</div>
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
