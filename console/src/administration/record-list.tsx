import { ActionIcon, Button, Group, Tooltip } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { compact, pageIn, type Raw, textIn, useFilters } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import {
  type Column,
  Empty,
  Filters,
  Loaded,
  Pages,
  pageOf,
  RecordTable,
  SearchField,
} from '../ui/index.ts';

interface Listed {
  readonly id: string;
  readonly name?: string | null;
}

const parse = (raw: Raw) => compact({ search: textIn(raw.search), page: pageIn(raw.page) });

/** Search and page of a list of administration, in the address. */
export function useListQuery() {
  const [{ search, page = 1 }, change] = useFilters(parse);
  return {
    search: search ?? '',
    page,
    change,
    query: { ...pageOf(page), ...(search ? { search } : {}) },
  };
}

interface Given<T extends Listed> {
  readonly list: ReturnType<typeof useListQuery>;
  readonly query: UseQueryResult<{ count: number; items: T[] }, Error>;
  readonly columns: readonly Column<T>[];
  readonly words: { readonly search: string; readonly add: string };
  readonly label: string;
  readonly empty: ReactNode;
  readonly onCreate: () => void;
  readonly onEdit: (record: T) => void;
  readonly onRemove: (record: T) => void;
}

/** A list whose records are made, edited and deleted in place. */
export function RecordList<T extends Listed>(given: Given<T>) {
  const { list, query, columns, words, label, empty, onCreate, onEdit, onRemove } = given;
  const all: readonly Column<T>[] = [
    ...columns,
    {
      head: strings.ui.actions,
      isHeadHidden: true,
      width: 90,
      cell: (record) => (
        <RowActions
          name={record.name ?? record.id}
          onEdit={() => onEdit(record)}
          onRemove={() => onRemove(record)}
        />
      ),
    },
  ];
  return (
    <>
      <Filters>
        <SearchField
          label={words.search}
          value={list.search}
          onChange={(search) => list.change({ search })}
        />
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={onCreate}>
          {words.add}
        </Button>
      </Filters>
      <Loaded query={query}>
        {({ count, items }) =>
          count === 0 ? (
            list.search ? (
              <Empty title={strings.ui.noMatch}>{strings.ui.noMatchHint}</Empty>
            ) : (
              empty
            )
          ) : (
            <>
              <RecordTable label={label} columns={all} records={items} />
              <Pages count={count} page={list.page} onChange={(page) => list.change({ page })} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

interface RowProps {
  readonly name: string;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function RowActions({ name, onEdit, onRemove }: RowProps) {
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <Tooltip label={strings.ui.edit}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`${strings.ui.edit}: ${name}`}
          onClick={onEdit}
        >
          <IconPencil size={16} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={strings.ui.remove}>
        <ActionIcon
          variant="subtle"
          color="red"
          aria-label={`${strings.ui.remove}: ${name}`}
          onClick={onRemove}
        >
          <IconTrash size={16} />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}
