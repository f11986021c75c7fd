import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { IconLogout } from '../icons/index.ts';
import { type Reply, useCall, useRead, useWrite } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import {
  attempt,
  type BulkAction,
  type Column,
  ConfirmOperation,
  Loaded,
  Panel,
  type RowAction,
  SortedTable,
  StateBadge,
  Timestamp,
} from '../ui/index.ts';
import { clientName } from './client-name.ts';

const words = strings.account.sessions;

type Session = Reply<'listSessions'>['items'][number];

const nameOf = ({ userAgent }: Pick<Session, 'userAgent'>) =>
  userAgent === null ? words.unknownClient : clientName(userAgent);

const columns: readonly Column<Session>[] = [
  {
    head: words.client,
    cell: ({ userAgent, isCurrent }) => (
      <Group gap="xs">
        <span title={userAgent ?? undefined}>{nameOf({ userAgent })}</span>
        {isCurrent ? <StateBadge tone="good">{words.current}</StateBadge> : null}
      </Group>
    ),
    sortKey: 'CLIENT',
    value: nameOf,
  },
  {
    head: words.address,
    cell: ({ address }) => address ?? '–',
    sortKey: 'ADDRESS',
    value: ({ address }) => address,
  },
  {
    head: words.created,
    cell: ({ createdDateTime }) => <Timestamp at={createdDateTime} />,
    sortKey: 'CREATED',
    firstDirection: 'descending',
    value: ({ createdDateTime }) => createdDateTime,
    isMinor: true,
  },
  {
    head: words.lastUsed,
    cell: ({ lastUsedDateTime }) => <Timestamp at={lastUsedDateTime} />,
    sortKey: 'LAST_USED',
    firstDirection: 'descending',
    value: ({ lastUsedDateTime }) => lastUsedDateTime,
  },
];

function useBulk() {
  const call = useCall();
  const end: BulkAction<Session> = {
    label: words.end,
    icon: <IconLogout size={16} aria-hidden />,
    appliesTo: ({ isCurrent }) => !isCurrent,
    effect: words.endEffect,
    run: ({ id }) => call('endSession', { sessionId: id }),
  };
  return { scope: '', nameOf, many: words.many, actions: [end] };
}

/** The sessions of the account. */
export function Sessions() {
  const query = useRead('listSessions', {});
  const end = useWrite('endSession');
  const bulk = useBulk();
  const [isAsking, setIsAsking] = useState(false);
  const others = query.data?.items.filter(({ isCurrent }) => !isCurrent).length ?? 0;
  const actionsOf = ({ id, isCurrent }: Session): readonly RowAction[] =>
    isCurrent
      ? []
      : [
          {
            label: words.end,
            act: () => void attempt(end.mutateAsync({ sessionId: id }), words.ended),
          },
        ];
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
          <SortedTable
            label={words.title}
            isWide
            columns={columns}
            records={items}
            actions={{ nameOf, of: actionsOf }}
            bulk={bulk}
          />
        )}
      </Loaded>
      <ConfirmOperation
        operation="endSessions"
        input={{}}
        name={words.title}
        title={words.endOthersTitle}
        action={words.endOthers}
        done={words.othersEnded}
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
      >
        {words.endOthersText(others)}
      </ConfirmOperation>
    </Panel>
  );
}
