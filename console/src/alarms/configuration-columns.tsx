import { SEVERITIES } from '@fieldwatch/contract';
import { Link } from '@tanstack/react-router';
import { conditionText, thresholdOf } from '../alarm-events/index.ts';
import { VariableLink } from '../references/index.ts';
import { type Alarm, useRead } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import {
  ArchivedBadge,
  type Column,
  type CsvColumn,
  createdColumn,
  SeverityBadge,
  StateBadge,
  type Tone,
} from '../ui/index.ts';

const words = strings.alarms;

/** The alarm groups, which are few. */
export function useAlarmGroups() {
  return useRead('listAlarmGroups', { query: { take: 1000 } });
}

/** The columns of Alarm configurations, with the names of their groups. */
export function useAlarmColumns(): readonly Column<Alarm>[] {
  const { data } = useAlarmGroups();
  const groups = new Map(data?.items.map(({ id, name }) => [id, name]));
  const groupOf = ({ alarmGroupId }: Alarm) => groups.get(alarmGroupId ?? '') ?? null;
  return [
    nameColumn,
    severityColumn,
    stateColumn,
    {
      head: words.condition,
      cell: (alarm) => <Condition alarm={alarm} />,
      value: (alarm) => conditionText(alarm.operator, thresholdOf(alarm), null),
      isMinor: true,
    },
    {
      head: words.group,
      cell: (alarm) =>
        groupOf(alarm) === null ? (
          '–'
        ) : (
          <Link to="." search={{ groupId: alarm.alarmGroupId } as never} className="linked">
            {groupOf(alarm)}
          </Link>
        ),
      sortKey: 'GROUP',
      value: groupOf,
      isMinor: true,
      isOptional: true,
    },
    createdColumn,
  ];
}

/** The columns of a file that a table shows as links. */
export const ALARM_CSV: readonly CsvColumn<Alarm>[] = [
  { head: words.deviceId, value: ({ deviceId }) => deviceId },
  { head: words.variableId, value: ({ deviceVariableId }) => deviceVariableId },
];

const nameColumn: Column<Alarm> = {
  head: words.alarm,
  cell: ({ id, name }) => (
    <Link to={`/alarms/configurations/${id}`} className="linked">
      {name}
    </Link>
  ),
  sortKey: 'NAME',
  value: ({ name }) => name,
};

const severityColumn: Column<Alarm> = {
  head: words.severity,
  cell: ({ severity }) => <SeverityBadge severity={severity} />,
  width: 110,
  sortKey: 'SEVERITY',
  firstDirection: 'descending',
  value: ({ severity }) => strings.severities[severity],
  rank: ({ severity }) => SEVERITIES.indexOf(severity),
};

const stateColumn: Column<Alarm> = {
  head: words.list.state,
  cell: (alarm) => (
    <>
      <AlarmState alarm={alarm} />{' '}
      {alarm.shelving ? <StateBadge tone="shelved">{words.shelve.shelved}</StateBadge> : null}
    </>
  ),
  sortKey: 'STATE',
  firstDirection: 'descending',
  value: (alarm) => STATES[stateOf(alarm)].text,
  rank: (alarm) => Object.keys(STATES).indexOf(stateOf(alarm)),
};

/** The watched Variable and the condition. The unit is that of the record behind the link. */
function Condition({ alarm }: { alarm: Alarm }) {
  const { data: variable } = useRead(
    'retrieveVariable',
    { variableId: alarm.deviceVariableId },
    { staleMs: 60_000 },
  );
  return (
    <span className="running-text">
      <VariableLink id={alarm.deviceVariableId} />{' '}
      {conditionText(alarm.operator, thresholdOf(alarm), variable?.unit ?? null)}
    </span>
  );
}

/** The states of an Alarm, the most urgent last. */
const STATES = {
  archived: { tone: 'plain', text: strings.ui.archived },
  disabled: { tone: 'plain', text: words.list.disabled },
  normal: { tone: 'good', text: words.list.normal },
  noThreshold: { tone: 'medium', text: words.list.noThreshold },
  triggered: { tone: 'bad', text: words.list.triggered },
} as const satisfies Record<string, { tone: Tone; text: string }>;

function stateOf(alarm: Alarm): keyof typeof STATES {
  if (alarm.isArchived) return 'archived';
  if (!alarm.isActive) return 'disabled';
  if (thresholdOf(alarm) === null) return 'noThreshold';
  return alarm.isTriggered ? 'triggered' : 'normal';
}

export function AlarmState({ alarm }: { alarm: Alarm }) {
  const state = stateOf(alarm);
  if (state === 'archived') return <ArchivedBadge />;
  return <StateBadge tone={STATES[state].tone}>{STATES[state].text}</StateBadge>;
}
