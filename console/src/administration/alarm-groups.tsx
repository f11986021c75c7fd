import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { IconUsersGroup } from '../icons/index.ts';
import type { AlarmGroup, Webhook } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { type Column, createdColumn, useList } from '../ui/index.ts';
import { AlarmGroupForm, useWebhooks } from './alarm-group-form.tsx';
import { RecordList, useListFilters } from './record-list.tsx';
import { WebhookLink } from './webhook-link.tsx';

const words = strings.administration.groups;

function columnsOf(webhooks: readonly Webhook[]): readonly Column<AlarmGroup>[] {
  const webhookName = (id: string) => webhooks.find((each) => each.id === id)?.name;
  return [
    {
      head: words.name,
      cell: ({ id, name, description }) => (
        <>
          <Link
            to="/alarms/configurations"
            search={{ groupId: id } as never}
            className="linked"
            title={words.alarmsOf}
          >
            {name}
          </Link>
          {description ? (
            <Text size="xs" c="dimmed">
              {description}
            </Text>
          ) : null}
        </>
      ),
      sortKey: 'NAME',
      value: ({ name }) => name,
    },
    {
      head: words.notifies,
      cell: (group) => <Recipients group={group} webhookName={webhookName} />,
      sortKey: 'RECIPIENTS',
      firstDirection: 'descending',
      value: ({ subscriptions }) =>
        subscriptions
          .map((each) =>
            each.kind === 'EMAIL' ? each.email : (webhookName(each.webhookId) ?? words.webhook),
          )
          .join(' '),
      rank: ({ subscriptions }) => subscriptions.length,
    },
    createdColumn,
  ];
}

interface RecipientsProps {
  readonly group: AlarmGroup;
  readonly webhookName: (id: string) => string | undefined;
}

function Recipients({ group: { subscriptions }, webhookName }: RecipientsProps) {
  if (subscriptions.length === 0) return <>{words.noRecipients}</>;
  return subscriptions.map((each, index) => (
    <Fragment key={each.kind === 'EMAIL' ? each.email : each.webhookId}>
      {index > 0 ? ', ' : null}
      {each.kind === 'EMAIL' ? (
        each.email
      ) : (
        <WebhookLink name={webhookName(each.webhookId) ?? words.webhook} />
      )}
    </Fragment>
  ));
}

export function AlarmGroups() {
  const { position, inputOf, ...filters } = useListFilters();
  const list = useList({
    name: 'alarm-groups',
    operation: 'listAlarmGroups',
    inputOf,
    columns: columnsOf(useWebhooks()),
    ...position,
  });
  return (
    <RecordList
      label={strings.administration.tabs['alarm-groups']}
      resource="AlarmGroup"
      words={words}
      icon={<IconUsersGroup />}
      list={list}
      filters={filters}
      nameOf={({ name }) => name}
      form={(group, close) => <AlarmGroupForm group={group} onClose={close} />}
      deletion="deleteAlarmGroup"
      deletedBy={({ id }) => ({ alarmGroupId: id })}
    />
  );
}
