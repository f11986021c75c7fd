import { ROLES, type Role } from '@fieldwatch/contract';
import { Button, Group, PasswordInput, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useState } from 'react';
import { type User, useEdited, useRead, useWrite } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import {
  type Column,
  Confirm,
  CopyField,
  Dialog,
  Empty,
  FormBody,
  StateBadge,
  tell,
  useServerForm,
  When,
} from '../ui/index.ts';
import { useEditing } from './editing.ts';
import { RecordList, useListQuery } from './record-list.tsx';

const words = strings.administration.users;

export function Users() {
  const { me } = useSession();
  const list = useListQuery();
  const query = useRead('listUsers', { query: list.query }, { keepsPrevious: true });
  const { create, edit, remove: ask, close, doomed, isForm, edited } = useEditing<User>();
  const [invitation, setInvitation] = useState<string | null>(null);
  const remove = useWrite('deleteUser');
  const columns: readonly Column<User>[] = [
    {
      head: words.email,
      cell: ({ id, email }) => (id === me.id ? `${email} (${words.you})` : email),
    },
    { head: words.name, cell: ({ name }) => name ?? '–', isMinor: true },
    { head: words.role, cell: ({ role }) => words.roles[role] },
    {
      head: words.status,
      cell: ({ status }) => (
        <StateBadge tone={status === 'ACTIVE' ? 'good' : 'low'}>
          {words.statuses[status]}
        </StateBadge>
      ),
    },
    {
      head: words.lastSignIn,
      cell: ({ lastSignInDateTime }) => <When at={lastSignInDateTime} />,
      isMinor: true,
    },
  ];
  return (
    <>
      <RecordList
        list={list}
        query={query}
        columns={columns}
        words={words}
        label={strings.administration.tabs.users}
        empty={<Empty title={words.add} icon={<IconUsers />} />}
        onCreate={create}
        onEdit={edit}
        onRemove={ask}
      />
      <Dialog title={edited ? words.edit : words.create} isOpen={isForm} onClose={close}>
        <UserForm user={edited} onClose={close} onInvited={setInvitation} />
      </Dialog>
      <Invitation token={invitation} onClose={() => setInvitation(null)} />
      <Confirm
        title={words.removeTitle(doomed?.email ?? '')}
        action={words.remove}
        isOpen={doomed !== null}
        onClose={close}
        onConfirm={async () => {
          await remove.mutateAsync({ userId: doomed?.id ?? '' });
          tell(strings.administration.deleted);
        }}
      >
        {words.removeText}
      </Confirm>
    </>
  );
}

interface UserValues extends Record<string, unknown> {
  email: string;
  name: string;
  role: Role;
  password: string;
}

function valuesOf(user: User | null): UserValues {
  return {
    email: user?.email ?? '',
    name: user?.name ?? '',
    role: user?.role ?? 'VIEWER',
    password: '',
  };
}

interface FormProps {
  readonly user: User | null;
  readonly onClose: () => void;
  readonly onInvited: (token: string) => void;
}

function UserForm({ user, onClose, onInvited }: FormProps) {
  const create = useWrite('createUser');
  const update = useWrite('updateUser');
  const serverForm = useServerForm<UserValues>({
    initialValues: valuesOf(user),
    edited: useEdited('retrieveUser', user && { userId: user.id }, valuesOf),
    send: async ({ email, name, role, password }, ifMatch) => {
      const given = { role, name: name === '' ? null : name };
      if (user) await update.mutateAsync({ userId: user.id, body: given, ifMatch });
      else {
        const body = { email, ...given, ...(password === '' ? {} : { password }) };
        const { invitationToken } = await create.mutateAsync({ body });
        if (invitationToken) onInvited(invitationToken);
      }
      tell(strings.ui.saved);
    },
    onDone: onClose,
  });
  const { form } = serverForm;
  return (
    <FormBody
      serverForm={serverForm}
      action={user ? strings.ui.save : strings.ui.create}
      onCancel={onClose}
    >
      <TextInput
        label={words.email}
        type="email"
        disabled={user !== null}
        data-autofocus
        {...form.getInputProps('email')}
      />
      <TextInput label={words.name} {...form.getInputProps('name')} />
      <Select
        label={words.role}
        data={ROLES.map((value) => ({
          value,
          label: `${words.roles[value]}: ${words.rolesAbout[value]}`,
        }))}
        allowDeselect={false}
        {...form.getInputProps('role')}
      />
      {user ? null : (
        <PasswordInput
          label={words.password}
          description={words.invite}
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
      )}
    </FormBody>
  );
}

function Invitation({ token, onClose }: { token: string | null; onClose: () => void }) {
  return (
    <Dialog title={words.invitation} isOpen={token !== null} onClose={onClose}>
      <Stack gap="sm">
        <Text size="sm">{words.invitationText}</Text>
        <CopyField label={words.link} value={`${window.location.origin}/invitation#${token}`} />
        <Group justify="flex-end">
          <Button onClick={onClose}>{words.done}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
