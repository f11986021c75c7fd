import type { OperationId } from '@fieldwatch/contract';
import { Group } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { IconHistory, IconPencil, IconTrash } from '../icons/index.ts';
import { compact, type Input, positionIn, type Raw, textIn, useFilters } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import {
  AddButton,
  type BulkAction,
  ConfirmOperation,
  Empty,
  Filters,
  historyOf,
  type List,
  ListCsv,
  ListTable,
  RecordDialog,
  type RowAction,
  SavedViews,
  SearchField,
  useBulkActions,
} from '../ui/index.ts';

const parse = (raw: Raw) => compact({ ...positionIn(raw), search: textIn(raw.search) });

/** Search, order and page of an administration list, in the URL. */
export function useListFilters() {
  const [filters, onChange] = useFilters(parse);
  const { search = '' } = filters;
  return {
    search,
    onSearch: (next: string) => onChange({ search: next }),
    position: { position: filters, onChange },
    inputOf: (paging: { skip: number; take: number }) => ({
      query: { ...paging, ...(search ? { search } : {}) },
    }),
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
  /** What several records are called. */
  readonly many: string;
  /** The effect of the deletion on each of several records, where it is not that on one. */
  readonly removeManyText?: string;
}

interface ListProps<T extends Listed, Id extends OperationId> {
  readonly label: string;
  /** The kind of record, as the audit log names it. */
  readonly resource: string;
  readonly words: Words;
  readonly icon: ReactNode;
  readonly list: List<T>;
  readonly filters: Pick<ReturnType<typeof useListFilters>, 'search' | 'onSearch'>;
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
  /** Actions on selected records beside their deletion. */
  readonly bulkActions?: readonly BulkAction<T>[];
  /** The records that can be deleted together with others; all unless stated. */
  readonly isBulkDeletable?: (record: T) => boolean;
}

/** Leads to the changes of a record, for those who may read them. */
function useHistoryActions(resource: string): (id: string) => readonly RowAction[] {
  const { may } = useSession();
  const navigate = useNavigate();
  if (!may('ReadAuditLog')) return () => [];
  return (id) => [
    {
      label: strings.ui.history,
      icon: <IconHistory size={16} />,
      act: () => void navigate({ to: historyOf({ resource, id }) }),
    },
  ];
}

/** The actions on selected records: those of the list, and their deletion. */
function useRecordBulk<T extends Listed, Id extends OperationId>(props: ListProps<T, Id>) {
  const { words, nameOf, bulkActions = [], deletion, deletedBy, isBulkDeletable } = props;
  const remove = useBulkActions().deletion({
    operation: deletion,
    inputOf: deletedBy,
    effect: words.removeManyText ?? words.removeText,
    label: words.remove,
    appliesTo: isBulkDeletable,
  });
  return { nameOf, many: words.many, actions: [...bulkActions, remove] };
}

/** A list whose records are created, edited and deleted in dialogs. */
export function RecordList<T extends Listed, Id extends OperationId>(props: ListProps<T, Id>) {
  const { label, words, icon, list, filters, nameOf, form, deletion, deletedBy } = props;
  const { isWide = false, deletionDetails, moreActions = () => [] } = props;
  const [editing, setEditing] = useState<T | 'new' | null>(null);
  const [deleting, setDeleting] = useState<T | null>(null);
  const close = () => setEditing(null);
  const historyActions = useHistoryActions(props.resource);
  const bulk = useRecordBulk(props);
  const removal = words.remove ?? strings.ui.remove;
  const actionsOf = (record: T): readonly RowAction[] => [
    ...moreActions(record),
    ...historyActions(record.id),
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
        <SearchField label={words.search} value={filters.search} onChange={filters.onSearch} />
        <SavedViews page={list.name} />
        <Group gap="xs" ml="auto">
          <ListCsv list={list} />
          <AddButton label={words.add} onClick={() => setEditing('new')} />
        </Group>
      </Filters>
      <ListTable
        list={list}
        label={label}
        isWide={isWide}
        actions={{ nameOf, of: actionsOf }}
        bulk={bulk}
        isFiltered={filters.search !== ''}
        empty={
          <Empty title={words.empty} icon={icon}>
            {words.emptyHint}
          </Empty>
        }
      />
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
