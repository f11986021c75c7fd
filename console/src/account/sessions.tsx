import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { type Reply, useRead, useWrite } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import {
  attempt,
  type Column,
  Confirm,
  Loaded,
  notify,
  Panel,
  RecordTable,
  StateBadge,
  Timestamp,
} from '../ui/index.ts';
import { clientName } from './client-name.ts';

const words = strings.account.sessions;

type Session = Reply<'listSessions'>['items'][number];

const columns: readonly Column<Session>[] = [
  {
    head: words.client,
    cell: ({ userAgent, isCurrent }) => (
      <Group gap="xs">
        <span title={userAgent ?? undefined}>
          {userAgent === null ? words.unknownClient : clientName(userAgent)}
        </span>
        {isCurrent ? <StateBadge tone="good">{words.current}</StateBadge> : null}
      </Group>
    ),
  },
  { head: words.address, cell: ({ address }) => address ?? '–' },
  {
    head: words.created,
    cell: ({ createdDateTime }) => <Timestamp at={createdDateTime} />,
    isMinor: true,
  },
  { head: words.lastUsed, cell: ({ lastUsedDateTime }) => <Timestamp at={lastUsedDateTime} /> },
];

/** The sessions of the account. */
export function Sessions() {
  const query = useRead('listSessions', {});
  const end = useWrite('endSession');
  const endOthers = useWrite('endSessions');
  const [isAsking, setIsAsking] = useState(false);
  const others = query.data?.items.filter(({ isCurrent }) => !isCurrent).length ?? 0;
  const actions: Column<Session> = {
    head: strings.ui.actions,
    isHeadHidden: true,
    width: 90,
    align: 'right',
    cell: (session) =>
      session.isCurrent ? null : (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={words.endLabel(clientName(session.userAgent ?? words.unknownClient))}
          onClick={() => void attempt(end.mutateAsync({ sessionId: session.id }), words.ended)}
        >
          {words.end}
        </Button>
      ),
  };
  return (
    <Panel
      title={words.title}
      actions={
        <Button
          size="compact-sm"
          variant="default"
          disabled={others === 0}
          onClick={() => setIsAsking(true)}
        >
          {words.endOthers}
        </Button>
      }
    >
      <Text size="sm" c="dimmed" mb="xs">
        {words.about}
      </Text>
      <Loaded query={query}>
        {({ items }) => (
          <RecordTable label={words.title} columns={[...columns, actions]} records={items} />
        )}
      </Loaded>
      <Confirm
        title={words.endOthersTitle}
        action={words.endOthers}
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        onConfirm={async () => {
          await endOthers.mutateAsync({});
          notify(words.othersEnded);
        }}
      >
        {words.endOthersText(others)}
      </Confirm>
    </Panel>
  );
}
