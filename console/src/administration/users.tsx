import { ROLES, type Role } from '@fieldwatch/contract';
import { PasswordInput, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { IconLogout, IconUsers } from '../icons/index.ts';
import { type User, useCall, useEdited, useWrite } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import {
  type BulkAction,
  type Column,
  ConfirmOperation,
  CopyField,
  createdColumn,
  FormBody,
  SelectForBulk,
  StateBadge,
  Timestamp,
  useList,
  useServerForm,
} from '../ui/index.ts';
import { RecordList, useListFilters } from './record-list.tsx';
import { SecretDialog } from './secret-dialog.tsx';

const words = strings.administration.users;

function Email({ user: { id, email } }: { user: User }) {
  const { me } = useSession();
  return id === me.id ? `${email} (${words.you})` : email;
}

const columns: readonly Column<User>[] = [
  {
    head: words.email,
    cell: (user) => <Email user={user} />,
    sortKey: 'EMAIL',
    value: ({ email }) => email,
  },
  {
    head: words.name,
    cell: ({ name }) => name ?? '–',
    sortKey: 'NAME',
    value: ({ name }) => name,
    isMinor: true,
  },
  {
    head: words.role,
    cell: ({ role }) => words.roles[role],
    sortKey: 'ROLE',
    value: ({ role }) => words.roles[role],
    rank: ({ role }) => ROLES.indexOf(role),
  },
  {
    head: words.status,
    cell: ({ status }) => (
      <StateBadge tone={status === 'ACTIVE' ? 'good' : 'low'}>{words.statuses[status]}</StateBadge>
    ),
    sortKey: 'STATUS',
    value: ({ status }) => words.statuses[status],
  },
  {
    head: words.lastSignIn,
    cell: ({ lastSignInDateTime }) => <Timestamp at={lastSignInDateTime} />,
    sortKey: 'LAST_SIGN_IN',
    firstDirection: 'descending',
    value: ({ lastSignInDateTime }) => lastSignInDateTime,
    isMinor: true,
  },
  createdColumn,
];

/** Roles and sessions of selected users, except one's own: an administrator would lock themselves out. */
function useUserActions(isOther: (user: User) => boolean): readonly BulkAction<User>[] {
  const call = useCall();
  return [
    {
      label: words.setRole,
      icon: <IconUsers size={16} aria-hidden />,
      appliesTo: isOther,
      dialog: (props) => (
        <SelectForBulk
          {...props}
          title={words.setRoleTitle(props.records.length)}
          action={strings.ui.save}
          label={words.role}
          options={ROLES.map((id) => ({ id, name: words.roles[id] }))}
          runWith={(role) =>
            ({ id }) =>
              call('updateUser', { userId: id, body: { role } })
            }
        />
      ),
    },
    {
      label: words.endSessions,
      icon: <IconLogout size={16} aria-hidden />,
      appliesTo: isOther,
      effect: words.endSessionsText,
      run: ({ id }) => call('endUserSessions', { userId: id }),
    },
  ];
}

export function Users() {
  const { me } = useSession();
  const isOther = ({ id }: User) => id !== me.id;
  const bulkActions = useUserActions(isOther);
  const { position, inputOf, ...filters } = useListFilters();
  const list = useList({
    name: 'users',
    operation: 'listUsers',
    inputOf,
    columns,
    ...position,
  });
  const [invitation, setInvitation] = useState<string | null>(null);
  const [signingOut, setSigningOut] = useState<User | null>(null);
  return (
    <>
      <RecordList
        label={strings.administration.tabs.users}
        resource="User"
        words={words}
        icon={<IconUsers />}
        list={list}
        filters={filters}
        isWide
        nameOf={({ email }) => email}
        form={(user, close) => <UserForm user={user} onClose={close} onInvited={setInvitation} />}
        deletion="deleteUser"
        deletedBy={({ id }) => ({ userId: id })}
        bulkActions={bulkActions}
        isBulkDeletable={isOther}
        moreActions={(user) => [
          {
            label: words.endSessions,
            icon: <IconLogout size={16} />,
            act: () => setSigningOut(user),
          },
        ]}
      />
      {signingOut ? (
        <ConfirmOperation
          operation="endUserSessions"
          input={{ userId: signingOut.id }}
          name={signingOut.email}
          title={words.endSessionsTitle(signingOut.email)}
          action={words.endSessions}
          done={words.sessionsEnded}
          isOpen
          onClose={() => setSigningOut(null)}
        >
          {words.endSessionsText}
        </ConfirmOperation>
      ) : null}
      <Invitation token={invitation} onClose={() => setInvitation(null)} />
    </>
  );
}

/** The link of a new invitation; closed while there is none. */
function Invitation({ token, onClose }: { token: string | null; onClose: () => void }) {
  return (
    <SecretDialog
      title={words.invitation}
      text={words.invitationText}
      isOpen={token !== null}
      onClose={onClose}
    >
      <CopyField label={words.link} value={`${window.location.origin}/invitation#${token}`} />
    </SecretDialog>
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
      const editable = { role, name: name === '' ? null : name };
      if (user) await update.mutateAsync({ userId: user.id, body: editable, ifMatch });
      else {
        const body = { email, ...editable, ...(password === '' ? {} : { password }) };
        const { invitationToken } = await create.mutateAsync({ body });
        if (invitationToken) onInvited(invitationToken);
      }
    },
    onClose,
  });
  const { form } = serverForm;
  return (
    <FormBody serverForm={serverForm}>
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
          description={words.passwordHint}
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
      )}
    </FormBody>
  );
}
