import { Text } from '@mantine/core';
import { IconUsersGroup } from '../icons/index.ts';
import { type AlarmGroup, useRead } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import type { Column } from '../ui/index.ts';
import { AlarmGroupForm, useWebhooks } from './alarm-group-form.tsx';
import { RecordList, useListQuery } from './record-list.tsx';

const words = strings.administration.groups;

const columns: readonly Column<AlarmGroup>[] = [
  {
    head: words.name,
    cell: ({ name, description }) => (
      <>
        {name}
        {description ? (
          <Text size="xs" c="dimmed">
            {description}
          </Text>
        ) : null}
      </>
    ),
  },
  { head: words.notifies, cell: (group) => <Recipients group={group} /> },
];

function Recipients({ group }: { group: AlarmGroup }) {
  const webhooks = useWebhooks();
  const names = group.subscriptions.map((each) =>
    each.kind === 'EMAIL'
      ? each.email
      : (webhooks.find(({ id }) => id === each.webhookId)?.name ?? words.webhook),
  );
  return <>{names.length === 0 ? words.noRecipients : names.join(', ')}</>;
}

export function AlarmGroups() {
  const list = useListQuery();
  const query = useRead('listAlarmGroups', { query: list.query }, { keepsPrevious: true });
  return (
    <RecordList
      label={strings.administration.tabs['alarm-groups']}
      words={words}
      icon={<IconUsersGroup />}
      list={list}
      query={query}
      columns={columns}
      nameOf={({ name }) => name}
      form={(group, close) => <AlarmGroupForm group={group} onClose={close} />}
      deletion="deleteAlarmGroup"
      deletedBy={({ id }) => ({ alarmGroupId: id })}
    />
  );
}
