import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { conditionText, thresholdOf, type Units, useUnits } from '../alarm-events/index.ts';
import { IconArchive, IconPower, IconRestore } from '../icons/index.ts';
import { VariableLink } from '../references/index.ts';
import { type Alarm, useWrite } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import {
  ArchivedBadge,
  attempt,
  type Column,
  ConfirmOperation,
  RecordTable,
  type RowAction,
  SeverityBadge,
  StateBadge,
} from '../ui/index.ts';

const words = strings.alarms;
const icon = { size: 16, 'aria-hidden': true } as const;

const columnsOf = (units: Units): readonly Column<Alarm>[] => [
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
        {alarm.shelving ? <StateBadge tone="shelved">{words.shelve.shelved}</StateBadge> : null}
      </>
    ),
  },
  {
    head: words.condition,
    cell: (alarm) => (
      <span className="running-text">
        <VariableLink id={alarm.deviceVariableId} />{' '}
        {conditionText(
          alarm.operator,
          thresholdOf(alarm),
          units.get(alarm.deviceVariableId) ?? null,
        )}
      </span>
    ),
    isMinor: true,
  },
];

export function ConfigurationTable({ alarms }: { alarms: readonly Alarm[] }) {
  const [archiving, setArchiving] = useState<Alarm | null>(null);
  const actionsOf = useAlarmActions(setArchiving);
  const units = useUnits(alarms.map(({ deviceVariableId }) => deviceVariableId));
  return (
    <>
      <RecordTable
        label={words.titles.configurations}
        columns={columnsOf(units)}
        records={alarms}
        columnsKey="alarm-configurations"
        hrefOf={({ id }) => `/alarms/configurations/${id}`}
        actions={{ nameOf: ({ name }) => name, of: actionsOf }}
      />
      {archiving ? (
        <ConfirmOperation
          operation="archiveAlarm"
          input={{ alarmId: archiving.id }}
          name={archiving.name}
          action={strings.ui.archive}
          done={strings.ui.archived}
          isOpen
          onClose={() => setArchiving(null)}
        >
          {words.list.archiveText}
        </ConfirmOperation>
      ) : null}
    </>
  );
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

function useAlarmActions(
  onArchive: (alarm: Alarm) => void,
): (alarm: Alarm) => readonly RowAction[] {
  const { may } = useSession();
  const update = useWrite('updateAlarm');
  const restore = useWrite('restoreAlarm');
  const mayArchive = may('DeleteAlarmConfiguration');
  const toggle = ({ id, isActive }: Alarm): RowAction => ({
    label: isActive ? words.list.disable : words.list.enable,
    icon: <IconPower {...icon} />,
    act: () =>
      void attempt(
        update.mutateAsync({ alarmId: id, body: { isActive: !isActive } }),
        isActive ? words.list.disabled : words.list.enabled,
      ),
  });
  return (alarm) => {
    if (alarm.isArchived) {
      const act = () =>
        void attempt(restore.mutateAsync({ alarmId: alarm.id }), strings.ui.restored);
      return mayArchive
        ? [{ label: strings.ui.restore, icon: <IconRestore {...icon} />, act }]
        : [];
    }
    const archive = {
      label: strings.ui.archive,
      icon: <IconArchive {...icon} />,
      act: () => onArchive(alarm),
    };
    return [
      ...(may('UpdateAlarmConfiguration') ? [toggle(alarm)] : []),
      ...(mayArchive ? [archive] : []),
    ];
  };
}
