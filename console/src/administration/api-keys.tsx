import { Button, Group, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import { useNow } from '../runtime/index.ts';
import { type Answer, type ApiKey, useRead, useWrite } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import {
  type Column,
  Confirm,
  CopyCommand,
  CopyField,
  Dialog,
  Empty,
  StateBadge,
  tell,
  When,
} from '../ui/index.ts';
import { ApiKeyForm } from './api-key-form.tsx';
import { useEditing } from './editing.ts';
import { RecordList, useListQuery } from './record-list.tsx';

const words = strings.administration.keys;

type Issued = Answer<'createApiKey'>;

const columns: readonly Column<ApiKey>[] = [
  { head: words.name, cell: ({ name }) => name },
  { head: words.id, cell: ({ id }) => id, isMinor: true },
  { head: words.permissions, cell: ({ permissions }) => words.permissionCount(permissions.length) },
  { head: words.expires, cell: ({ expiresDateTime }) => <Expiry at={expiresDateTime} /> },
  {
    head: words.lastUsed,
    cell: ({ lastUsedDateTime }) => <When at={lastUsedDateTime} />,
    isMinor: true,
  },
];

function Expiry({ at }: { at: string | null }) {
  const now = useNow();
  if (at !== null && Date.parse(at) <= now)
    return <StateBadge tone="bad">{words.expired}</StateBadge>;
  return <When at={at} never={words.never} />;
}

export function ApiKeys() {
  const list = useListQuery();
  const query = useRead('listApiKeys', { query: list.query }, { keepsPrevious: true });
  const { create, edit, remove: ask, close, doomed, isForm, edited } = useEditing<ApiKey>();
  const [issued, setIssued] = useState<Issued | null>(null);
  const revoke = useWrite('deleteApiKey');
  return (
    <>
      <RecordList
        list={list}
        query={query}
        columns={columns}
        words={words}
        label={strings.administration.tabs['api-keys']}
        empty={
          <Empty title={words.empty} icon={<IconKey />}>
            {words.emptyHint}
          </Empty>
        }
        onCreate={create}
        onEdit={edit}
        onRemove={ask}
      />
      <Dialog title={edited ? words.edit : words.create} isOpen={isForm} onClose={close} size="lg">
        <ApiKeyForm apiKey={edited} onClose={close} onIssued={setIssued} />
      </Dialog>
      <IssuedKey issued={issued} onClose={() => setIssued(null)} />
      <Confirm
        title={words.revokeTitle(doomed?.name ?? '')}
        action={words.revoke}
        isOpen={doomed !== null}
        onClose={close}
        onConfirm={async () => {
          await revoke.mutateAsync({ apiKeyId: doomed?.id ?? '' });
          tell(strings.administration.deleted);
        }}
      >
        {words.revokeText}
      </Confirm>
    </>
  );
}

function IssuedKey({ issued, onClose }: { issued: Issued | null; onClose: () => void }) {
  const { organization } = useSession();
  const { id = '', secret = '' } = issued ?? {};
  const command = `curl -u '${id}:${secret}' \\\n  '${window.location.origin}/primary/v1/${organization.id}/devices'`;
  return (
    <Dialog title={words.secretTitle} isOpen={issued !== null} onClose={onClose} size="lg">
      <Stack gap="sm">
        <Text size="sm">{words.secretText}</Text>
        <CopyField label={words.id} value={id} />
        <CopyField label={words.secret} value={secret} />
        <CopyCommand label={words.try} command={command} />
        <Group justify="flex-end">
          <Button onClick={onClose}>{words.done}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
