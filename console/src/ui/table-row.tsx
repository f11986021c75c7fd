import { Checkbox, Table } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { strings } from '../strings/index.ts';
import { useRowClick } from './row-click.ts';
import classes from './table.module.css';
import type { TableParts, TableSelection } from './table-props.ts';

type Props<T extends { readonly id: string }> = TableParts<T> & { readonly record: T };

export function TableRow<T extends { readonly id: string }>(props: Props<T>) {
  const { record, columns, layout, selection, toneOf, hrefOf } = props;
  const clickFor = useRowClick();
  const isSelected = selection?.state.has(record.id);
  return (
    <Table.Tr
      data-tone={toneOf?.(record)}
      data-selected={isSelected || undefined}
      data-clickable={hrefOf !== undefined || undefined}
      {...(hrefOf ? clickFor(hrefOf(record)) : {})}
    >
      {selection ? (
        <Table.Td className={classes.select}>
          <SelectRow record={record} records={props.records} selection={selection} />
        </Table.Td>
      ) : null}
      {columns.map(({ head, cell, align, isHeadHidden }, index) => (
        <Table.Td
          key={head}
          data-label={isHeadHidden ? undefined : head}
          data-main={index === 0 || undefined}
          style={{ textAlign: layout === 'cards' ? undefined : align }}
        >
          <div>{cell(record)}</div>
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

interface SelectProps<T> {
  readonly record: T;
  readonly records: readonly T[];
  readonly selection: TableSelection<T>;
}

/** Shift extends the selection from the last record that was selected. */
function SelectRow<T extends { readonly id: string }>(props: SelectProps<T>) {
  const { record, records, selection } = props;
  const { state, nameOf } = selection;
  const toggle = (isRange: boolean) => state.toggle(record, records, isRange);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const { key, shiftKey, ctrlKey, metaKey, currentTarget } = event;
    const next = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
    if (next !== 0) {
      event.preventDefault();
      const box = boxBeside(currentTarget, next);
      box?.focus();
      const to = records[records.indexOf(record) + next];
      if (shiftKey && to && !state.has(to.id)) state.toggle(to, records, true);
    } else if (key === 'a' && (ctrlKey || metaKey)) {
      event.preventDefault();
      state.setAll(records, true);
    } else if (key === 'Escape' && state.records.length > 0) {
      event.stopPropagation();
      state.clear();
    }
  };
  return (
    <Checkbox
      size="xs"
      aria-label={strings.ui.selection.one(nameOf(record))}
      checked={state.has(record.id)}
      onChange={({ nativeEvent }) =>
        toggle(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
      }
      onKeyDown={onKeyDown}
      data-select-row
    />
  );
}

/** The check box in the next or previous row of the table. */
function boxBeside(box: HTMLInputElement, step: 1 | -1): HTMLInputElement | undefined {
  const boxes = [
    ...(box.closest('tbody')?.querySelectorAll<HTMLInputElement>('[data-select-row]') ?? []),
  ];
  return boxes[boxes.indexOf(box) + step];
}
