import { Box, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { AlarmEvent } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { SeverityBadge, StateBadge, Timestamp } from '../ui/index.ts';
import classes from './event-list.module.css';

/** Events in two lines each: Alarm, Device, time and state. */
export function EventList({ events }: { events: readonly AlarmEvent[] }) {
  return (
    <ul className={classes.list}>
      {events.map((event) => (
        <li key={event.id}>
          <Group gap="xs" align="flex-start" className={classes.event}>
            <Box miw={92}>
              <SeverityBadge severity={event.severity} />
            </Box>
            <Box className={classes.what}>
              <Link to={`/alarms/events/${event.id}`} className="linked">
                {event.alarmName}
              </Link>
              <Text size="xs" c="dimmed">
                {event.deviceName} · <Timestamp at={event.raisedDateTime} />
              </Text>
            </Box>
            <EventStatus event={event} />
          </Group>
        </li>
      ))}
    </ul>
  );
}

function EventStatus({ event }: { event: AlarmEvent }) {
  const { active, cleared, acknowledged } = strings.alarms;
  if (event.clearedDateTime !== null) return <StateBadge tone="plain">{cleared}</StateBadge>;
  if (event.acknowledgedDateTime !== null)
    return <StateBadge tone="acknowledged">{acknowledged}</StateBadge>;
  return <StateBadge tone="bad">{active}</StateBadge>;
}
