import { IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import { useNow } from '../runtime/index.ts';
import { type Answer, type ApiKey, useRead } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { type Column, CopyCommand, CopyField, StateBadge, When } from '../ui/index.ts';
import { ApiKeyForm } from './api-key-form.tsx';
import { RecordList, useListQuery } from './record-list.tsx';
import { ShownOnce } from './shown-once.tsx';

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
  const [issued, setIssued] = useState<Issued | null>(null);
  return (
    <>
      <RecordList
        label={strings.administration.tabs['api-keys']}
        words={words}
        icon={<IconKey />}
        list={list}
        query={query}
        columns={columns}
        nameOf={({ name }) => name}
        form={(key, close) => <ApiKeyForm apiKey={key} onClose={close} onIssued={setIssued} />}
        deletion="deleteApiKey"
        deletedBy={({ id }) => ({ apiKeyId: id })}
      />
      <IssuedKey issued={issued} onClose={() => setIssued(null)} />
    </>
  );
}

function IssuedKey({ issued, onClose }: { issued: Issued | null; onClose: () => void }) {
  const { organization } = useSession();
  const { id = '', secret = '' } = issued ?? {};
  const command = `curl -u '${id}:${secret}' \\\n  '${window.location.origin}/primary/v1/${organization.id}/devices'`;
  return (
    <ShownOnce
      title={words.secretTitle}
      text={words.secretText}
      isOpen={issued !== null}
      onClose={onClose}
    >
      <CopyField label={words.id} value={id} />
      <CopyField label={words.secret} value={secret} />
      <CopyCommand label={words.try} command={command} />
    </ShownOnce>
  );
}
