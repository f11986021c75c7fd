import { Select, TextInput } from '@mantine/core';
import { IconFolder } from '@tabler/icons-react';
import { useEdited, useRead, useWrite, type VariableFolder } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { type Column, Confirm, Dialog, Empty, FormBody, tell, useServerForm } from '../ui/index.ts';
import { useEditing } from './editing.ts';
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
  const { create, edit, remove: ask, close, doomed, isForm, edited } = useEditing<VariableFolder>();
  const remove = useWrite('deleteVariableFolder');
  return (
    <>
      <RecordList
        list={list}
        query={query}
        columns={columns}
        words={words}
        label={strings.administration.tabs.folders}
        empty={
          <Empty title={words.empty} icon={<IconFolder />}>
            {words.emptyHint}
          </Empty>
        }
        onCreate={create}
        onEdit={edit}
        onRemove={ask}
      />
      <Dialog title={edited ? words.edit : words.create} isOpen={isForm} onClose={close}>
        <FolderForm folder={edited} onClose={close} />
      </Dialog>
      <Confirm
        title={words.removeTitle(doomed?.name ?? '')}
        action={strings.ui.remove}
        isOpen={doomed !== null}
        onClose={close}
        onConfirm={async () => {
          await remove.mutateAsync({ folderId: doomed?.id ?? '' });
          tell(strings.administration.deleted);
        }}
      >
        {words.removeText}
      </Confirm>
    </>
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
      tell(strings.ui.saved);
    },
    onDone: onClose,
  });
  const { form } = serverForm;
  const others = (folders?.items ?? []).filter(({ id }) => id !== folder?.id);
  return (
    <FormBody
      serverForm={serverForm}
      action={folder ? strings.ui.save : strings.ui.create}
      onCancel={onClose}
    >
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
