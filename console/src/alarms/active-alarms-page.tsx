import { Button, Checkbox, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { isUnacknowledged, useActiveEvents, useUnits } from '../alarm-events/index.ts';
import { IconCircleCheck } from '../icons/index.ts';
import { useLatest } from '../live/index.ts';
import type { AlarmEvent } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import {
  type Column,
  countText,
  Empty,
  Loaded,
  Page,
  RecordTable,
  type RowAction,
} from '../ui/index.ts';
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
    <Page title={words.titles.active}>
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
  const variableIds = [...new Set(events.map(({ deviceVariableId }) => deviceVariableId))];
  const units = useUnits(variableIds);
  useLatest(variableIds);
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
    alarmColumn(units),
    deviceColumn,
    valueColumn(units),
    raisedColumn,
    acknowledgementColumn,
    ...(unacknowledged.length > 1 ? [selectionColumn({ selectedIds, select })] : []),
  ];
  const actionsOf = (event: AlarmEvent): readonly RowAction[] =>
    isUnacknowledged(event)
      ? [{ label: words.acknowledge.action, act: () => setAsking([event.id]) }]
      : [];
  return (
    <>
      <Group justify="space-between" mb="xs" mih={36}>
        <Text size="sm" c="dimmed" role="status">
          {words.activeList.count(countText(events.length))}
        </Text>
        <SelectionBar
          selectable={unacknowledged.map(({ id }) => id)}
          selected={selected}
          select={select}
          onAcknowledge={() => setAsking(selected)}
        />
      </Group>
      <RecordTable
        label={words.titles.active}
        isWide
        columns={columns}
        records={events}
        toneOf={({ severity }) => severity.toLowerCase()}
        actions={
          unacknowledged.length > 0
            ? { nameOf: ({ alarmName }) => alarmName, of: actionsOf }
            : undefined
        }
      />
      <Acknowledge
        eventIds={asking}
        onClose={() => setAsking([])}
        onDone={() => setSelectedIds(new Set())}
      />
    </>
  );
}

interface SelectionBarProps {
  readonly selectable: readonly string[];
  readonly selected: readonly string[];
  readonly select: Selection['select'];
  readonly onAcknowledge: () => void;
}

/** Selects all unacknowledged events and acknowledges the selected ones. */
function SelectionBar({ selectable, selected, select, onAcknowledge }: SelectionBarProps) {
  return (
    <Group gap="sm">
      {selectable.length > 1 ? (
        <Checkbox
          label={words.activeList.selectAll}
          checked={selected.length === selectable.length}
          indeterminate={selected.length > 0 && selected.length < selectable.length}
          onChange={({ currentTarget }) => select(selectable, currentTarget.checked)}
        />
      ) : null}
      {selected.length > 0 ? (
        <Button size="xs" onClick={onAcknowledge}>
          {words.activeList.acknowledgeMany(selected.length)}
        </Button>
      ) : null}
    </Group>
  );
}

interface Selection {
  readonly selectedIds: ReadonlySet<string>;
  readonly select: (ids: readonly string[], isOn: boolean) => void;
}

function selectionColumn({ selectedIds, select }: Selection): Column<AlarmEvent> {
  return {
    head: words.activeList.selection,
    width: 60,
    cell: (event) =>
      isUnacknowledged(event) ? (
        <Checkbox
          aria-label={words.activeList.select(event.alarmName)}
          checked={selectedIds.has(event.id)}
          onChange={({ currentTarget }) => select([event.id], currentTarget.checked)}
        />
      ) : null,
  };
}
