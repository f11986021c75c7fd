import { Group, NativeSelect } from '@mantine/core';
import { strings } from '../strings/index.ts';
import { ColumnChooser } from './column-chooser.tsx';
import { SelectAll } from './table-head.tsx';
import type { TableParts } from './table-props.ts';

/** What the heads of rows offer, above cards: selection of all, order and columns. */
export function CardTools<T extends { readonly id: string }>(parts: TableParts<T>) {
  const { sort, selection, choosable, chosen, columns } = parts;
  const sortable = columns.filter(({ sortKey }) => sortKey !== undefined);
  if (!selection && choosable.length === 0 && (!sort || sortable.length === 0)) return null;
  return (
    <Group gap="xs" p={8} justify="space-between" wrap="nowrap">
      <SelectAll {...parts} />
      <Group gap="xs" wrap="nowrap" ml="auto">
        {sort && sortable.length > 0 ? (
          <NativeSelect
            size="xs"
            aria-label={strings.ui.sort.label}
            value={sort.value}
            onChange={({ currentTarget }) => sort.onChange(currentTarget.value)}
            data={sortable.flatMap(({ head, sortKey = '' }) => [
              { value: sortKey, label: strings.ui.sort.ascending(head) },
              { value: `-${sortKey}`, label: strings.ui.sort.descending(head) },
            ])}
          />
        ) : null}
        {choosable.length > 0 ? <ColumnChooser columns={choosable} {...chosen} /> : null}
      </Group>
    </Group>
  );
}
