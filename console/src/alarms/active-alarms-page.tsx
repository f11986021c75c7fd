import { Button, Checkbox, Group, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { isUnacknowledged, useActiveEvents } from '../alarm-events/index.ts';
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

export function ActiveAlarmsPage() {
  const { query, events = [] } = useActiveEvents();
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
            <ActiveEvents events={events} />
          )
        }
      </Loaded>
    </Page>
  );
}

function ActiveEvents({ events }: { events: readonly AlarmEvent[] }) {
  const { may } = useSession();
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  const [asking, setAsking] = useState<readonly string[]>([]);
  const unacknowledged = may('AcknowledgeAlarmEvents') ? events.filter(isUnacknowledged) : [];
  const selected = unacknowledged.filter(({ id }) => selectedIds.has(id)).map(({ id }) => id);
  const select = (ids: readonly string[], isOn: boolean) => {
    const next = new Set(selectedIds);
    for (const id of ids) isOn ? next.add(id) : next.delete(id);
    setSelectedIds(next);
  };
  const columns: readonly Column<AlarmEvent>[] = [
    severityColumn,
    alarmColumn,
    deviceColumn,
    valueColumn,
    raisedColumn,
    acknowledgementColumn,
    ...(unacknowledged.length > 0
      ? [actionColumn({ unacknowledged, selectedIds, select, ask: (id) => setAsking([id]) })]
      : []),
  ];
  return (
    <>
      <Group justify="space-between" mb="xs" mih={36}>
        <Text size="sm" c="dimmed" role="status">
          {words.activeList.count(countText(events.length))}
        </Text>
        <Group gap="sm">
          {unacknowledged.length > 1 ? (
            <Checkbox
              label={words.activeList.selectAll}
              checked={selected.length === unacknowledged.length}
              indeterminate={selected.length > 0 && selected.length < unacknowledged.length}
              onChange={({ currentTarget }) =>
                select(
                  unacknowledged.map(({ id }) => id),
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
        onDone={() => setSelectedIds(new Set())}
      />
    </>
  );
}

interface Selection {
  readonly unacknowledged: readonly AlarmEvent[];
  readonly selectedIds: ReadonlySet<string>;
  readonly select: (ids: readonly string[], isOn: boolean) => void;
  readonly ask: (id: string) => void;
}

function actionColumn({ unacknowledged, selectedIds, select, ask }: Selection): Column<AlarmEvent> {
  return {
    head: strings.ui.actions,
    isHeadHidden: true,
    width: 180,
    cell: (event) =>
      isUnacknowledged(event) ? (
        <Group gap="xs" wrap="nowrap" justify="flex-end">
          {unacknowledged.length > 1 ? (
            <Checkbox
              aria-label={words.activeList.select(event.alarmName)}
              checked={selectedIds.has(event.id)}
              onChange={({ currentTarget }) => select([event.id], currentTarget.checked)}
            />
          ) : null}
          <Button size="xs" variant="light" onClick={() => ask(event.id)}>
            {words.acknowledge.action}
          </Button>
        </Group>
      ) : null,
  };
}
