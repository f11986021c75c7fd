import { Button, Group, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { useRead, useWrite } from '../service/index.ts';
import { following as words } from '../strings/index.ts';
import {
  attempt,
  type Column,
  createdColumn,
  Loaded,
  Panel,
  type RowAction,
  SortedTable,
} from '../ui/index.ts';

interface Followed {
  readonly id: string;
  readonly name: string;
  readonly createdDateTime: string;
}

/** The most that a user can follow, and that the choice offers. */
const MAX_FOLLOWED = 100;
const MAX_GROUPS = 1_000;

const columns: readonly Column<Followed>[] = [
  { head: words.group, cell: ({ name }) => name, value: ({ name }) => name },
  createdColumn,
];

/** The alarm groups whose notifications also go to the user. */
export function FollowPanel() {
  const query = useRead('listGroupSubscriptions', { query: { take: MAX_FOLLOWED } });
  const unfollow = useWrite('deleteGroupSubscription');
  const actionsOf = ({ id: alarmGroupId }: Followed): readonly RowAction[] => [
    {
      label: words.unfollow,
      act: () => void attempt(unfollow.mutateAsync({ alarmGroupId }), words.unfollowed),
    },
  ];
  return (
    <Panel title={words.title}>
      <Text size="sm" c="dimmed" mb="xs">
        {words.about}
      </Text>
      <Loaded query={query}>
        {({ items }) => (
          <>
            {items.length === 0 ? null : (
              <SortedTable
                label={words.title}
                columns={columns}
                records={items.map(({ alarmGroupId, alarmGroupName, createdDateTime }) => ({
                  ...{ id: alarmGroupId, name: alarmGroupName, createdDateTime },
                }))}
                actions={{ nameOf: ({ name }) => name, of: actionsOf }}
              />
            )}
            <FollowForm followed={items.map(({ alarmGroupId }) => alarmGroupId)} />
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function FollowForm({ followed }: { followed: readonly string[] }) {
  const { data } = useRead('listAlarmGroups', { query: { take: MAX_GROUPS } });
  const follow = useWrite('createGroupSubscription');
  const [chosen, setChosen] = useState<string | null>(null);
  const groups = (data?.items ?? []).filter(({ id }) => !followed.includes(id));
  const send = async (alarmGroupId: string) => {
    await follow.mutateAsync({ body: { alarmGroupId } });
    setChosen(null);
  };
  return (
    <Group align="flex-end" mt="sm" gap="sm">
      <Select
        label={words.group}
        placeholder={groups.length === 0 ? words.none : words.choose}
        data={groups.map(({ id, name }) => ({ value: id, label: name }))}
        value={chosen}
        onChange={setChosen}
        disabled={groups.length === 0}
        searchable
      />
      <Button
        loading={follow.isPending}
        disabled={chosen === null}
        onClick={() => chosen && void attempt(send(chosen), words.followed)}
      >
        {words.follow}
      </Button>
    </Group>
  );
}
