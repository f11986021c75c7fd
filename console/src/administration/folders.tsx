import { Select, TextInput } from '@mantine/core';
import { IconFolder } from '../icons/index.ts';
import { useEdited, useRead, useWrite, type VariableFolder } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { type Column, FormBody, useServerForm } from '../ui/index.ts';
import { RecordList, useListQuery } from './record-list.tsx';

const words = strings.administration.folders;

function useFolders() {
  return useRead('listVariableFolders', { query: { take: 1000 } });
}

function FolderName({ id }: { id: string | null }) {
  const { data } = useFolders();
  if (id === null) return words.top;
  return data?.items.find((each) => each.id === id)?.name ?? '…';
}

const columns: readonly Column<VariableFolder>[] = [
  { head: words.name, cell: ({ name }) => name },
  { head: words.parent, cell: ({ parentId }) => <FolderName id={parentId} /> },
];

export function Folders() {
  const list = useListQuery();
  const query = useRead('listVariableFolders', { query: list.query }, { keepsPrevious: true });
  return (
    <RecordList
      label={strings.administration.tabs.folders}
      words={words}
      icon={<IconFolder />}
      list={list}
      query={query}
      columns={columns}
      nameOf={({ name }) => name}
      form={(folder, close) => <FolderForm folder={folder} onClose={close} />}
      deletion="deleteVariableFolder"
      deletedBy={({ id }) => ({ folderId: id })}
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
