import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { type AlarmEvent, useRead } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { Panel, Timestamp } from '../ui/index.ts';
import { Assign } from './active/index.ts';

const words = strings.activeAlarms.assign;

/** Who is assigned to an alarm event, by whom and since when. */
export function Assignment({ event, mayAssign }: { event: AlarmEvent; mayAssign: boolean }) {
  const [isAsking, setIsAsking] = useState(false);
  const { data } = useRead(
    'listAlarmAssignments',
    { query: { eventIds: [event.id] } },
    { refetchIntervalMs: 30_000 },
  );
  const [assignment] = data?.items ?? [];
  return (
    <Panel title={words.panel}>
      <Group justify="space-between" align="flex-start" gap="xs">
        {assignment ? (
          <div>
            <Text size="sm">{assignment.name ?? assignment.email}</Text>
            <Text size="xs" c="dimmed">
              {words.by(assignment.assignedBy)} <Timestamp at={assignment.assignedDateTime} />
            </Text>
          </div>
        ) : (
          <Text size="sm" c="dimmed">
            {words.none}
          </Text>
        )}
        {mayAssign ? (
          <Button size="xs" variant="default" onClick={() => setIsAsking(true)}>
            {words.action}
          </Button>
        ) : null}
      </Group>
      <Assign eventIds={isAsking ? [event.id] : []} onClose={() => setIsAsking(false)} />
    </Panel>
  );
}
