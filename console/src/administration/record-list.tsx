import type { OperationId } from '@fieldwatch/contract';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { IconPencil, IconTrash } from '../icons/index.ts';
import { compact, type Input, pageIn, type Raw, textIn, useFilters } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import {
  AddButton,
  type Column,
  ConfirmOperation,
  Empty,
  Filters,
  Listing,
  pageOf,
  RecordDialog,
  RecordTable,
  type RowAction,
  SearchField,
} from '../ui/index.ts';

const parse = (raw: Raw) => compact({ search: textIn(raw.search), page: pageIn(raw.page) });

/** Search and page of an administration list, in the URL. */
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
  /** The label of the deletion where it is not "Delete". */
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
  /** Whether the columns need more than a tablet's width. */
  readonly isWide?: boolean;
  readonly nameOf: (record: T) => string;
  readonly form: (record: T | null, close: () => void) => ReactNode;
  readonly deletion: Id;
  readonly deletedBy: (record: T) => Input<Id>;
  /** Additional content of the delete confirmation. */
  readonly deletionDetails?: (record: T) => ReactNode;
  /** Actions beside editing and deleting. */
  readonly moreActions?: (record: T) => readonly RowAction[];
}

/** A list whose records are created, edited and deleted in dialogs. */
export function RecordList<T extends Listed, Id extends OperationId>(props: ListProps<T, Id>) {
  const { label, words, icon, list, query, columns, nameOf, form, deletion, deletedBy } = props;
  const { isWide = false, deletionDetails, moreActions = () => [] } = props;
  const [editing, setEditing] = useState<T | 'new' | null>(null);
  const [deleting, setDeleting] = useState<T | null>(null);
  const close = () => setEditing(null);
  const removal = words.remove ?? strings.ui.remove;
  const actionsOf = (record: T): readonly RowAction[] => [
    ...moreActions(record),
    {
      label: strings.ui.edit,
      icon: <IconPencil size={16} />,
      act: () => setEditing(record),
    },
    {
      label: removal,
      icon: <IconTrash size={16} />,
      isDestructive: true,
      act: () => setDeleting(record),
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
        {(items) => (
          <RecordTable
            label={label}
            columns={columns}
            records={items}
            columnsKey={`administration.${deletion}`}
            isWide={isWide}
            actions={{ nameOf, of: actionsOf }}
          />
        )}
      </Listing>
      <RecordDialog words={words} editing={editing} onClose={close}>
        {(record) => form(record, close)}
      </RecordDialog>
      {deleting ? (
        <ConfirmOperation
          operation={deletion}
          input={deletedBy(deleting)}
          name={nameOf(deleting)}
          action={removal}
          done={strings.ui.deleted}
          isOpen
          onClose={() => setDeleting(null)}
        >
          {words.removeText}
          {deletionDetails?.(deleting)}
        </ConfirmOperation>
      ) : null}
    </>
  );
}
