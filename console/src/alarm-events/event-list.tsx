import { Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useNow } from '../runtime/index.ts';
import type { AlarmEvent } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { duration, SeverityBadge, StateBadge, Timestamp } from '../ui/index.ts';
import { isUnacknowledged } from './condition.ts';
import { SuppressionBadge } from './suppression-badge.tsx';

interface Props {
  readonly events: readonly AlarmEvent[];
  /** The page is not that of a Device, so each event names its own. */
  readonly showsDevice?: boolean;
}

/** Alarm events in two lines each: what is wrong, then where and since when. */
export function EventList({ events, showsDevice = false }: Props) {
  return (
    <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
      {events.map((event) => (
        <Group key={event.id} component="li" gap="sm" align="flex-start" wrap="nowrap">
          <SeverityBadge severity={event.severity} />
          <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
            <Group gap="xs">
              <Link to={`/alarms/events/${event.id}`} className="linked">
                {event.alarmName}
              </Link>
              {event.clearedDateTime === null && isUnacknowledged(event) ? (
                <StateBadge tone="medium">{strings.alarms.unacknowledged}</StateBadge>
              ) : null}
              <SuppressionBadge event={event} />
            </Group>
            <Text size="sm" c="dimmed">
              {showsDevice ? (
                <>
                  <Link to={`/devices/${event.deviceId}`} className="linked within-text">
                    {event.deviceName}
                  </Link>
                  {' · '}
                </>
              ) : null}
              <When event={event} />
            </Text>
          </div>
        </Group>
      ))}
    </Stack>
  );
}

function When({ event: { raisedDateTime, clearedDateTime } }: { event: AlarmEvent }) {
  const now = useNow();
  const raisedAt = Date.parse(raisedDateTime);
  const lasted = duration(
    (clearedDateTime === null ? now : Date.parse(clearedDateTime)) - raisedAt,
  );
  return (
    <>
      <Timestamp at={raisedAt} form="exact" />
      {' · '}
      {clearedDateTime === null ? strings.alarms.activeFor(lasted) : strings.alarms.lasted(lasted)}
    </>
  );
}
