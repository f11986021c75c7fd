import { ActionIcon, Menu } from '@mantine/core';
import { IconArchive, IconDots, IconPower, IconRestore } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { conditionText, thresholdOf } from '../alarm-events/index.ts';
import { VariableLink } from '../references/index.ts';
import { type Alarm, useWrite } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import {
  ArchivedBadge,
  attempt,
  type Column,
  Confirm,
  notify,
  RecordTable,
  SeverityBadge,
  StateBadge,
} from '../ui/index.ts';

const words = strings.alarms;
const icon = { size: 16, 'aria-hidden': true } as const;

const columns: readonly Column<Alarm>[] = [
  {
    head: words.alarm,
    cell: ({ id, name }) => (
      <Link to={`/alarms/configurations/${id}`} className="linked">
        {name}
      </Link>
    ),
  },
  {
    head: words.severity,
    cell: ({ severity }) => <SeverityBadge severity={severity} />,
    width: 110,
  },
  {
    head: words.list.state,
    cell: (alarm) => (
      <>
        <AlarmState alarm={alarm} />{' '}
        {alarm.shelving ? <StateBadge tone="medium">{words.shelve.shelved}</StateBadge> : null}
      </>
    ),
  },
  {
    head: words.condition,
    cell: (alarm) => (
      <>
        <VariableLink id={alarm.deviceVariableId} />{' '}
        {conditionText(alarm.operator, thresholdOf(alarm), null)}
      </>
    ),
    isMinor: true,
  },
  {
    head: strings.ui.actions,
    isHeadHidden: true,
    width: 48,
    cell: (alarm) => <Actions alarm={alarm} />,
  },
];

export function ConfigurationTable({ alarms }: { alarms: readonly Alarm[] }) {
  return <RecordTable label={words.tabs.configurations} columns={columns} records={alarms} />;
}

export function AlarmState({ alarm }: { alarm: Alarm }) {
  if (alarm.isArchived) return <ArchivedBadge />;
  if (!alarm.isActive) return <StateBadge tone="plain">{words.list.disabled}</StateBadge>;
  if (thresholdOf(alarm) === null)
    return <StateBadge tone="medium">{words.list.noThreshold}</StateBadge>;
  return alarm.isTriggered ? (
    <StateBadge tone="bad">{words.list.triggered}</StateBadge>
  ) : (
    <StateBadge tone="good">{words.list.normal}</StateBadge>
  );
}

function Actions({ alarm }: { alarm: Alarm }) {
  const { may } = useSession();
  const update = useWrite('updateAlarm');
  const archive = useWrite('archiveAlarm');
  const restore = useWrite('restoreAlarm');
  const [isAsking, setIsAsking] = useState(false);
  const alarmId = alarm.id;
  const toggle = () =>
    attempt(
      update.mutateAsync({ alarmId, body: { isActive: !alarm.isActive } }),
      alarm.isActive ? words.list.disabledDone : words.list.enabled,
    );
  const mayToggle = may('UpdateAlarmConfiguration') && !alarm.isArchived;
  const mayArchive = may('DeleteAlarmConfiguration');
  if (!mayToggle && !mayArchive) return null;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={strings.ui.actionOn(strings.ui.actions, alarm.name)}
          >
            <IconDots {...icon} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {mayToggle ? (
            <Menu.Item leftSection={<IconPower {...icon} />} onClick={() => void toggle()}>
              {alarm.isActive ? words.list.disable : words.list.enable}
            </Menu.Item>
          ) : null}
          {mayArchive && !alarm.isArchived ? (
            <Menu.Item leftSection={<IconArchive {...icon} />} onClick={() => setIsAsking(true)}>
              {strings.ui.archive}
            </Menu.Item>
          ) : null}
          {mayArchive && alarm.isArchived ? (
            <Menu.Item
              leftSection={<IconRestore {...icon} />}
              onClick={() => void attempt(restore.mutateAsync({ alarmId }), words.list.restored)}
            >
              {strings.ui.restore}
            </Menu.Item>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      <Confirm
        title={strings.ui.ask(strings.ui.archive, alarm.name)}
        action={strings.ui.archive}
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        onConfirm={async () => {
          await archive.mutateAsync({ alarmId });
          notify(words.list.archived);
        }}
      >
        {words.list.archiveText}
      </Confirm>
    </>
  );
}
