import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { conditionText, SuppressionBadge, type Units } from '../alarm-events/index.ts';
import { useLiveValue } from '../live/index.ts';
import { useNow } from '../runtime/index.ts';
import type { AlarmEvent } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import {
  type Column,
  duration,
  readingText,
  SeverityBadge,
  StateBadge,
  Timestamp,
} from '../ui/index.ts';

const words = strings.alarms;

export const severityColumn: Column<AlarmEvent> = {
  head: words.severity,
  cell: ({ severity }) => <SeverityBadge severity={severity} />,
  width: 110,
};

export const alarmColumn = (units: Units): Column<AlarmEvent> => ({
  head: words.alarm,
  cell: (event) => <AlarmCell event={event} unit={units.get(event.deviceVariableId) ?? null} />,
});

function AlarmCell({ event, unit }: { event: AlarmEvent; unit: string | null }) {
  const { id, alarmName, operator, thresholdValue, deviceVariableName } = event;
  return (
    <div>
      <Link to={`/alarms/events/${id}`} className="linked">
        {alarmName}
      </Link>{' '}
      <SuppressionBadge event={event} />
      <Text size="xs" c="dimmed">
        {deviceVariableName} {conditionText(operator, thresholdValue, unit)}
      </Text>
    </div>
  );
}

export const deviceColumn: Column<AlarmEvent> = {
  head: words.device,
  cell: ({ deviceId, deviceName }) => (
    <Link to={`/devices/${deviceId}`} className="linked">
      {deviceName}
    </Link>
  ),
};

export const valueColumn = (units: Units): Column<AlarmEvent> => ({
  head: words.value,
  cell: (event) => <EventValue event={event} unit={units.get(event.deviceVariableId) ?? null} />,
});

/** The value that raised the alarm, and the current one while it is active. */
export function EventValue({ event, unit }: { event: AlarmEvent; unit: string | null }) {
  const { raisedValue, clearedDateTime, deviceVariableId } = event;
  const live = useLiveValue(deviceVariableId);
  // A long text may wrap; a number must not.
  const style = { whiteSpace: typeof raisedValue === 'string' ? 'normal' : 'nowrap' } as const;
  return (
    <div className="tabular" style={style}>
      <span>{readingText(raisedValue, unit)}</span>
      {clearedDateTime === null && live ? (
        <Text size="xs" c="dimmed">
          {words.currently(readingText(live.value, unit))}
        </Text>
      ) : null}
    </div>
  );
}

export const raisedColumn: Column<AlarmEvent> = {
  head: words.raised,
  cell: ({ raisedDateTime }) => <Timestamp at={raisedDateTime} />,
};

export const durationColumn: Column<AlarmEvent> = {
  head: words.duration,
  cell: (event) => <Duration event={event} />,
};

export const acknowledgementColumn: Column<AlarmEvent> = {
  head: words.acknowledgement,
  cell: (event) => <Acknowledgement event={event} />,
};

function Duration({ event }: { event: AlarmEvent }) {
  const now = useNow();
  const { raisedDateTime, clearedDateTime } = event;
  if (clearedDateTime === null) {
    return (
      <>
        <StateBadge tone="bad">{words.active}</StateBadge>{' '}
        {duration(now - Date.parse(raisedDateTime))}
      </>
    );
  }
  return <>{duration(Date.parse(clearedDateTime) - Date.parse(raisedDateTime))}</>;
}

/** Whether the event is acknowledged, by whom and when. */
export function Acknowledgement({ event }: { event: AlarmEvent }) {
  const { isAcknowledgeable, acknowledgedDateTime, acknowledgedBy } = event;
  if (acknowledgedDateTime !== null) {
    return (
      <div>
        <StateBadge tone="acknowledged">{words.acknowledged}</StateBadge>
        <Text size="xs" c="dimmed">
          {acknowledgedBy ? words.by(acknowledgedBy) : null}{' '}
          <Timestamp at={acknowledgedDateTime} form="relative" />
        </Text>
      </div>
    );
  }
  if (!isAcknowledgeable) return <>{words.noAcknowledgement}</>;
  return <StateBadge tone="medium">{words.unacknowledged}</StateBadge>;
}
