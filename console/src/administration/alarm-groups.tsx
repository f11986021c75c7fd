import { Text } from '@mantine/core';
import { IconUsersGroup } from '@tabler/icons-react';
import { type AlarmGroup, useRead, useWrite } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { type Column, Confirm, Dialog, Empty, tell } from '../ui/index.ts';
import { AlarmGroupForm, useWebhooks } from './alarm-group-form.tsx';
import { useEditing } from './editing.ts';
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
  { head: words.tells, cell: (group) => <Told group={group} /> },
];

function Told({ group }: { group: AlarmGroup }) {
  const webhooks = useWebhooks();
  const names = group.subscriptions.map((each) =>
    each.kind === 'EMAIL'
      ? each.email
      : (webhooks.find(({ id }) => id === each.webhookId)?.name ?? words.webhook),
  );
  return <>{names.length === 0 ? words.nobody : names.join(', ')}</>;
}

export function AlarmGroups() {
  const list = useListQuery();
  const query = useRead('listAlarmGroups', { query: list.query }, { keepsPrevious: true });
  const { create, edit, remove: ask, close, doomed, isForm, edited } = useEditing<AlarmGroup>();
  const remove = useWrite('deleteAlarmGroup');
  return (
    <>
      <RecordList
        list={list}
        query={query}
        columns={columns}
        words={words}
        label={strings.administration.tabs['alarm-groups']}
        empty={
          <Empty title={words.empty} icon={<IconUsersGroup />}>
            {words.emptyHint}
          </Empty>
        }
        onCreate={create}
        onEdit={edit}
        onRemove={ask}
      />
      <Dialog title={edited ? words.edit : words.create} isOpen={isForm} onClose={close} size="lg">
        <AlarmGroupForm group={edited} onClose={close} />
      </Dialog>
      <Confirm
        title={words.removeTitle(doomed?.name ?? '')}
        action={strings.ui.remove}
        isOpen={doomed !== null}
        onClose={close}
        onConfirm={async () => {
          await remove.mutateAsync({ alarmGroupId: doomed?.id ?? '' });
          tell(strings.administration.deleted);
        }}
      >
        {words.removeText}
      </Confirm>
    </>
  );
}
