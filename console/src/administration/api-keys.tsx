import { Checkbox } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { IconKey } from '../icons/index.ts';
import { useNow } from '../runtime/index.ts';
import { type ApiKey, type Input, type Reply, useRead } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import {
  type Column,
  CopyCommand,
  CopyField,
  createdColumn,
  StateBadge,
  Timestamp,
  useList,
} from '../ui/index.ts';
import { ApiKeyForm } from './api-key-form.tsx';
import { RecordList, useListFilters } from './record-list.tsx';
import { SecretDialog } from './secret-dialog.tsx';

const words = strings.administration.keys;

type Issued = Reply<'createApiKey'>;

const columns: readonly Column<ApiKey>[] = [
  { head: words.name, cell: ({ name }) => name, sortKey: 'NAME', value: ({ name }) => name },
  { head: words.id, cell: ({ id }) => id, isMinor: true },
  {
    head: words.permissions,
    cell: ({ permissions }) => words.permissionCount(permissions.length),
    sortKey: 'PERMISSIONS',
    value: ({ permissions }) => permissions.join(' '),
    rank: ({ permissions }) => permissions.length,
  },
  {
    head: words.createdBy,
    cell: ({ createdBy }) => <Creator of={createdBy} />,
    sortKey: 'CREATED_BY',
    value: ({ createdBy }) => createdBy?.name ?? null,
    isMinor: true,
  },
  {
    head: words.expires,
    cell: ({ expiresDateTime }) => <Expiry at={expiresDateTime} />,
    sortKey: 'EXPIRES',
    value: ({ expiresDateTime }) => expiresDateTime,
  },
  {
    head: words.lastUsed,
    cell: ({ lastUsedDateTime }) => <Timestamp at={lastUsedDateTime} />,
    sortKey: 'LAST_USED',
    firstDirection: 'descending',
    value: ({ lastUsedDateTime }) => lastUsedDateTime,
    isMinor: true,
  },
  createdColumn,
];

/** The creator of a key, as a link to the list that has it. */
function Creator({ of: creator }: { of: ApiKey['createdBy'] }) {
  const { may } = useSession();
  if (creator === null) return '–';
  if (creator.kind === 'SYSTEM' || (creator.kind === 'USER' && !may('ManageUsers'))) {
    return creator.name;
  }
  const tab = creator.kind === 'USER' ? 'users' : 'api-keys';
  return (
    <Link
      to={`/administration/${tab}`}
      search={{ search: creator.name } as never}
      className="linked"
    >
      {creator.name}
    </Link>
  );
}

function Expiry({ at }: { at: string | null }) {
  const now = useNow();
  if (at !== null && Date.parse(at) <= now)
    return <StateBadge tone="bad">{words.expired}</StateBadge>;
  return <Timestamp at={at} never={words.never} />;
}

export function ApiKeys() {
  const { position, inputOf, ...filters } = useListFilters();
  const list = useList({
    name: 'api-keys',
    operation: 'listApiKeys',
    inputOf,
    columns,
    ...position,
  });
  const [issued, setIssued] = useState<Issued | null>(null);
  const [isWithDescendants, setIsWithDescendants] = useState(false);
  return (
    <>
      <RecordList
        label={strings.administration.tabs['api-keys']}
        resource="ApiKey"
        words={words}
        icon={<IconKey />}
        list={list}
        filters={filters}
        isWide
        nameOf={({ name }) => name}
        form={(key, close) => <ApiKeyForm apiKey={key} onClose={close} onIssued={setIssued} />}
        deletion="deleteApiKey"
        deletedBy={({ id }): Input<'deleteApiKey'> => ({
          apiKeyId: id,
          query: { descendants: isWithDescendants ? 'revoke' : 'keep' },
        })}
        deletionDetails={(key) => (
          <Descendants
            key={key.id}
            of={key}
            isRevoked={isWithDescendants}
            onChange={setIsWithDescendants}
          />
        )}
      />
      <IssuedKey issued={issued} onClose={() => setIssued(null)} />
    </>
  );
}

interface DescendantsProps {
  readonly of: ApiKey;
  readonly isRevoked: boolean;
  readonly onChange: (isRevoked: boolean) => void;
}

/** Offers to revoke the keys that this key created, if any. */
function Descendants({ of: { id }, isRevoked, onChange }: DescendantsProps) {
  // The choice is for this question only.
  useEffect(() => () => onChange(false), [onChange]);
  const { data } = useRead('listApiKeys', { query: { descendantsOf: id, skip: 0, take: 10 } });
  if (!data || data.count === 0) return null;
  const names = data.items.map(({ name }) => name).join(', ');
  return (
    <Checkbox
      mt="sm"
      checked={isRevoked}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      label={words.descendants(data.count)}
      description={data.count > data.items.length ? `${names}, …` : names}
    />
  );
}

function IssuedKey({ issued, onClose }: { issued: Issued | null; onClose: () => void }) {
  const { organization } = useSession();
  const { id = '', secret = '' } = issued ?? {};
  const command = `curl -u '${id}:${secret}' \\\n  '${window.location.origin}/primary/v1/${organization.id}/devices'`;
  return (
    <SecretDialog
      title={words.secretTitle}
      text={words.secretText}
      isOpen={issued !== null}
      onClose={onClose}
    >
      <CopyField label={words.id} value={id} />
      <CopyField label={words.secret} value={secret} />
      <CopyCommand label={words.try} command={command} />
    </SecretDialog>
  );
}
