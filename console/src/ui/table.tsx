import { Table } from '@mantine/core';
import { useRef } from 'react';
import { strings } from '../strings/index.ts';
import { BulkBar } from './bulk-bar.tsx';
import { CardTools } from './card-tools.tsx';
import { isColumnShown, useColumnChoices } from './columns.ts';
import { RowActions } from './row-actions.tsx';
import { useSelection } from './selection.ts';
import classes from './table.module.css';
import { TableHead } from './table-head.tsx';
import { minRowsPx, useTableLayout } from './table-layout.ts';
import type { Column, RecordActions, TableParts, TableProps } from './table-props.ts';
import { TableRow } from './table-row.tsx';

function actionColumn<T>({ nameOf, of }: RecordActions<T>): Column<T> {
  return {
    head: strings.ui.actions,
    isHeadHidden: true,
    align: 'right',
    cell: (record) => <RowActions name={nameOf(record)} actions={of(record)} />,
  };
}

/** The focus of a control that has left the screen, to the first check box of the table. */
function restoreFocus(container: HTMLElement | null): void {
  const isLost = document.activeElement === null || document.activeElement === document.body;
  if (isLost) container?.querySelector<HTMLInputElement>('input[type="checkbox"]')?.focus();
}

/** Records in rows; where these do not fit, each is a card with labels. */
export function RecordTable<T extends { readonly id: string }>(props: TableProps<T>) {
  const { label, records, isWide = false, actions, bulk } = props;
  const state = useSelection<T>(bulk?.scope ?? '');
  const chosen = useColumnChoices(props.columnsKey);
  // The first column identifies the record, so it is always shown.
  const shown = props.columns.filter(
    (column, index) => index === 0 || isColumnShown(column, chosen.choices),
  );
  const major = shown.filter(({ isMinor }) => !isMinor);
  const container = useRef<HTMLDivElement>(null);
  const layout = useTableLayout(container, minRowsPx(major.length, isWide));
  const columns = layout === 'tight' ? major : shown;
  const parts: TableParts<T> = {
    ...props,
    layout,
    chosen,
    selection: bulk && bulk.actions.length > 0 ? { state, nameOf: bulk.nameOf } : undefined,
    choosable: props.columnsKey === undefined ? [] : props.columns.slice(1),
    columns: actions ? [...columns, actionColumn(actions)] : columns,
  };
  return (
    <div ref={container} className={classes.container}>
      {layout === 'cards' ? <CardTools {...parts} /> : null}
      <Table
        className={classes.table}
        data-layout={layout}
        aria-label={label}
        verticalSpacing={6}
        highlightOnHover
      >
        <TableHead {...parts} />
        <Table.Tbody>
          {records.map((record) => (
            <TableRow key={record.id} record={record} {...parts} />
          ))}
        </Table.Tbody>
      </Table>
      {bulk ? (
        <BulkBar state={state} bulk={bulk} onEnd={() => restoreFocus(container.current)} />
      ) : null}
    </div>
  );
}
