import { Button, Checkbox, Group, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { isWaiting, useOpenEvents } from '../alarm-events/index.ts';
import type { AlarmEvent } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { type Column, countText, Empty, Loaded, Page, RecordTable } from '../ui/index.ts';
import { Acknowledge } from './acknowledge.tsx';
import { AlarmTabs } from './alarm-tabs.tsx';
import {
  acknowledgementColumn,
  alarmColumn,
  deviceColumn,
  raisedColumn,
  severityColumn,
  valueColumn,
} from './event-cells.tsx';

const words = strings.alarms;

export function AlarmsNowPage() {
  const { query, events = [] } = useOpenEvents();
  return (
    <Page title={words.title}>
      <AlarmTabs />
      <Loaded query={query}>
        {() =>
          events.length === 0 ? (
            <Empty title={words.activeList.none} icon={<IconCircleCheck />}>
              {words.activeList.noneHint}
            </Empty>
          ) : (
            <OpenEvents events={events} />
          )
        }
      </Loaded>
    </Page>
  );
}

function OpenEvents({ events }: { events: readonly AlarmEvent[] }) {
  const { may } = useSession();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [asking, setAsking] = useState<readonly string[]>([]);
  const waiting = may('AcknowledgeAlarmEvents') ? events.filter(isWaiting) : [];
  const selected = waiting.filter(({ id }) => chosen.has(id)).map(({ id }) => id);
  const choose = (ids: readonly string[], isOn: boolean) => {
    const next = new Set(chosen);
    for (const id of ids) isOn ? next.add(id) : next.delete(id);
    setChosen(next);
  };
  const columns: readonly Column<AlarmEvent>[] = [
    severityColumn,
    alarmColumn,
    deviceColumn,
    valueColumn,
    raisedColumn,
    acknowledgementColumn,
    ...(waiting.length > 0
      ? [actionColumn({ waiting, chosen, choose, ask: (id) => setAsking([id]) })]
      : []),
  ];
  return (
    <>
      <Group justify="space-between" mb="xs" mih={36}>
        <Text size="sm" c="dimmed" role="status">
          {words.activeList.count(countText(events.length))}
        </Text>
        <Group gap="sm">
          {waiting.length > 1 ? (
            <Checkbox
              label={words.activeList.selectAll}
              checked={selected.length === waiting.length}
              indeterminate={selected.length > 0 && selected.length < waiting.length}
              onChange={({ currentTarget }) =>
                choose(
                  waiting.map(({ id }) => id),
                  currentTarget.checked,
                )
              }
            />
          ) : null}
          {selected.length > 0 ? (
            <Button size="xs" onClick={() => setAsking(selected)}>
              {words.activeList.acknowledgeMany(selected.length)}
            </Button>
          ) : null}
        </Group>
      </Group>
      <RecordTable
        label={words.tabs.active}
        columns={columns}
        records={events}
        toneOf={({ severity }) => severity.toLowerCase()}
      />
      <Acknowledge
        eventIds={asking}
        onClose={() => setAsking([])}
        onDone={() => setChosen(new Set())}
      />
    </>
  );
}

interface Choosing {
  readonly waiting: readonly AlarmEvent[];
  readonly chosen: ReadonlySet<string>;
  readonly choose: (ids: readonly string[], isOn: boolean) => void;
  readonly ask: (id: string) => void;
}

function actionColumn({ waiting, chosen, choose, ask }: Choosing): Column<AlarmEvent> {
  return {
    head: strings.ui.actions,
    isHeadHidden: true,
    width: 180,
    cell: (event) =>
      isWaiting(event) ? (
        <Group gap="xs" wrap="nowrap" justify="flex-end">
          {waiting.length > 1 ? (
            <Checkbox
              aria-label={words.activeList.select(event.alarmName)}
              checked={chosen.has(event.id)}
              onChange={({ currentTarget }) => choose([event.id], currentTarget.checked)}
            />
          ) : null}
          <Button size="xs" variant="light" onClick={() => ask(event.id)}>
            {words.acknowledge.action}
          </Button>
        </Group>
      ) : null,
  };
}
