import type { OperationId } from '@fieldwatch/contract';
import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { compact, type Given, pageIn, type Raw, textIn, useFilters } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import {
  AddButton,
  type Column,
  DeleteQuestion,
  Empty,
  Filters,
  Listing,
  pageOf,
  RecordDialog,
  RecordTable,
  SearchField,
} from '../ui/index.ts';

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

interface Listed {
  readonly id: string;
}

interface Words {
  readonly search: string;
  readonly add: string;
  readonly create: string;
  readonly edit: string;
  readonly empty: string;
  readonly emptyHint: string;
  /** What deleting is called, if something else. */
  readonly remove?: string;
  readonly removeText: string;
}

interface ListProps<T extends Listed, Id extends OperationId> {
  readonly label: string;
  readonly words: Words;
  readonly icon: ReactNode;
  readonly list: ReturnType<typeof useListQuery>;
  readonly query: UseQueryResult<{ count: number; items: T[] }, Error>;
  readonly columns: readonly Column<T>[];
  readonly nameOf: (record: T) => string;
  readonly form: (record: T | null, close: () => void) => ReactNode;
  readonly deletion: Id;
  readonly deletedBy: (record: T) => Given<Id>;
  /** What else is shown in the question before a deletion. */
  readonly deletionDetails?: (record: T) => ReactNode;
  /** What can be done with a record beside editing and deleting it. */
  readonly moreActions?: (record: T) => readonly RowAction[];
}

/** A button in a record's row. */
export interface RowAction {
  readonly label: string;
  readonly color: string;
  readonly icon: ReactNode;
  readonly act: () => void;
}

/** A list whose records are made, edited and deleted in place. */
export function RecordList<T extends Listed, Id extends OperationId>(given: ListProps<T, Id>) {
  const { label, words, icon, list, query, columns, nameOf, form, deletion, deletedBy } = given;
  const { deletionDetails, moreActions = () => [] } = given;
  const [editing, setEditing] = useState<T | 'new' | null>(null);
  const [doomed, setDoomed] = useState<T | null>(null);
  const close = () => setEditing(null);
  const actions: Column<T> = {
    head: strings.ui.actions,
    isHeadHidden: true,
    width: 90,
    cell: (record) => (
      <RowActions
        name={nameOf(record)}
        actions={[
          ...moreActions(record),
          {
            label: strings.ui.edit,
            color: 'gray',
            icon: <IconPencil size={16} />,
            act: () => setEditing(record),
          },
          {
            label: words.remove ?? strings.ui.remove,
            color: 'red',
            icon: <IconTrash size={16} />,
            act: () => setDoomed(record),
          },
        ]}
      />
    ),
  };
  return (
    <>
      <Filters>
        <SearchField
          label={words.search}
          value={list.search}
          onChange={(search) => list.change({ search })}
        />
        <AddButton label={words.add} onClick={() => setEditing('new')} />
      </Filters>
      <Listing
        query={query}
        page={list.page}
        onPage={(page) => list.change({ page })}
        isFiltered={list.search !== ''}
        empty={
          <Empty title={words.empty} icon={icon}>
            {words.emptyHint}
          </Empty>
        }
      >
        {(items) => <RecordTable label={label} columns={[...columns, actions]} records={items} />}
      </Listing>
      <RecordDialog words={words} editing={editing} onClose={close}>
        {(record) => form(record, close)}
      </RecordDialog>
      {doomed ? (
        <DeleteQuestion
          operation={deletion}
          given={deletedBy(doomed)}
          name={nameOf(doomed)}
          action={words.remove}
          isOpen
          onClose={() => setDoomed(null)}
        >
          {words.removeText}
          {deletionDetails?.(doomed)}
        </DeleteQuestion>
      ) : null}
    </>
  );
}

interface RowProps {
  readonly name: string;
  readonly actions: readonly RowAction[];
}

function RowActions({ name, actions }: RowProps) {
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {actions.map(({ label, color, icon, act }) => (
        <Tooltip key={label} label={label}>
          <ActionIcon
            variant="subtle"
            color={color}
            aria-label={strings.ui.actionOn(label, name)}
            onClick={act}
          >
            {icon}
          </ActionIcon>
        </Tooltip>
      ))}
    </Group>
  );
}
