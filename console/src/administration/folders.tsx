import { Select, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconFolder } from '../icons/index.ts';
import { useCall, useEdited, useRead, useWrite, type VariableFolder } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import {
  type BulkAction,
  type Column,
  createdColumn,
  FormBody,
  moveAction,
  useList,
  useServerForm,
} from '../ui/index.ts';
import { RecordList, useListFilters } from './record-list.tsx';

const words = strings.administration.folders;

function useFolders() {
  return useRead('listVariableFolders', { query: { take: 1000 } });
}

/** A folder as a link to its Variables. */
function FolderLink({ id, name }: { id: string; name: string }) {
  return (
    <Link
      to="/variables"
      search={{ folderId: id } as never}
      className="linked"
      title={words.variablesOf}
    >
      {name}
    </Link>
  );
}

const columnsOf = (names: ReadonlyMap<string, string>): readonly Column<VariableFolder>[] => [
  {
    head: words.name,
    cell: ({ id, name }) => <FolderLink id={id} name={name} />,
    sortKey: 'NAME',
    value: ({ name }) => name,
  },
  {
    head: words.parent,
    cell: ({ parentId }) =>
      parentId === null ? (
        words.top
      ) : (
        <FolderLink id={parentId} name={names.get(parentId) ?? '…'} />
      ),
    sortKey: 'PARENT',
    value: ({ parentId }) => names.get(parentId ?? '') ?? null,
  },
  createdColumn,
];

function useMove(folders: readonly VariableFolder[]): BulkAction<VariableFolder> {
  const call = useCall();
  return moveAction({
    label: words.move,
    icon: <IconFolder size={16} aria-hidden />,
    titleOf: words.moveTitle,
    field: words.parent,
    none: words.top,
    destinations: folders,
    moveTo: (parentId) => (folder) =>
      call('updateVariableFolder', { folderId: folder.id, body: { parentId } }),
  });
}

export function Folders() {
  const { data } = useFolders();
  const move = useMove(data?.items ?? []);
  const { position, inputOf, ...filters } = useListFilters();
  const list = useList({
    name: 'folders',
    operation: 'listVariableFolders',
    inputOf,
    columns: columnsOf(new Map(data?.items.map(({ id, name }) => [id, name]))),
    ...position,
  });
  return (
    <RecordList
      label={strings.administration.tabs.folders}
      resource="VariableFolder"
      words={words}
      icon={<IconFolder />}
      list={list}
      filters={filters}
      nameOf={({ name }) => name}
      form={(folder, close) => <FolderForm folder={folder} onClose={close} />}
      deletion="deleteVariableFolder"
      deletedBy={({ id }) => ({ folderId: id })}
      bulkActions={[move]}
    />
  );
}

function valuesOf(folder: VariableFolder | null) {
  return { name: folder?.name ?? '', parentId: folder?.parentId ?? null };
}

function FolderForm({ folder, onClose }: { folder: VariableFolder | null; onClose: () => void }) {
  const { data: folders } = useFolders();
  const create = useWrite('createVariableFolder');
  const update = useWrite('updateVariableFolder');
  const serverForm = useServerForm({
    initialValues: valuesOf(folder),
    edited: useEdited('retrieveVariableFolder', folder && { folderId: folder.id }, valuesOf),
    send: async (body, ifMatch) => {
      if (folder) await update.mutateAsync({ folderId: folder.id, body, ifMatch });
      else await create.mutateAsync({ body });
    },
    onClose,
  });
  const { form } = serverForm;
  const others = (folders?.items ?? []).filter(({ id }) => id !== folder?.id);
  return (
    <FormBody serverForm={serverForm}>
      <TextInput label={words.name} data-autofocus {...form.getInputProps('name')} />
      <Select
        label={words.parent}
        placeholder={words.top}
        data={others.map(({ id, name }) => ({ value: id, label: name }))}
        clearable
        searchable
        {...form.getInputProps('parentId')}
      />
    </FormBody>
  );
}
