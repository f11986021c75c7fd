import { Group, NativeSelect } from '@mantine/core';
import { strings } from '../strings/index.ts';
import { ColumnChooser } from './column-chooser.tsx';
import { directionOf } from './sort.ts';
import { SelectAll } from './table-head.tsx';
import type { TableParts } from './table-props.ts';

const words = strings.ui.sort;

/** What the heads of rows offer, above cards: selection of all, order and columns. */
export function CardTools<T extends { readonly id: string }>(parts: TableParts<T>) {
  const { sort, selection, choosable, chosen, columns } = parts;
  const sortable = columns.filter(({ sortKey }) => sortKey !== undefined);
  // The order that a list begins with may be that of no column on the screen.
  const isInitial = sortable.every(({ sortKey = '' }) => !directionOf(sort?.value ?? '', sortKey));
  if (!selection && choosable.length === 0 && (!sort || sortable.length === 0)) return null;
  return (
    <Group gap="xs" p={8} justify="space-between" wrap="nowrap">
      <SelectAll {...parts} />
      <Group gap="xs" wrap="nowrap" ml="auto">
        {sort && sortable.length > 0 ? (
          <NativeSelect
            size="xs"
            aria-label={words.label}
            value={sort.value}
            onChange={({ currentTarget }) => sort.onChange(currentTarget.value)}
            data={[
              ...(isInitial ? [{ value: sort.value, label: words.initial }] : []),
              ...sortable.flatMap(({ head, sortKey = '' }) => [
                { value: sortKey, label: words.ascending(head) },
                { value: `-${sortKey}`, label: words.descending(head) },
              ]),
            ]}
          />
        ) : null}
        {choosable.length > 0 ? <ColumnChooser columns={choosable} {...chosen} /> : null}
      </Group>
    </Group>
  );
}
