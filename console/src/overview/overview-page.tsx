import { SEVERITIES } from '@fieldwatch/contract';
import { Alert, Anchor, Grid, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { Link, Navigate } from '@tanstack/react-router';
import { useActiveEvents } from '../alarm-events/index.ts';
import { IconAlertTriangle, IconCircleCheck } from '../icons/index.ts';
import { readStored, useNow } from '../runtime/index.ts';
import { useRead } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import {
  countText,
  Loaded,
  numberText,
  Page,
  Panel,
  SeverityBadge,
  StateBadge,
} from '../ui/index.ts';
import { useCounts } from './counts.ts';
import { EventList } from './event-list.tsx';
import { OfflineDevices } from './offline-devices.tsx';
import { useReadingsRate } from './readings-rate.ts';
import { Tile } from './tile.tsx';

const words = strings.overview;
const DAY_MS = 24 * 60 * 60_000;
const WEEK_MS = 7 * DAY_MS;
const MAX_EVENTS = 8;

/** Active alarms with their age and acknowledgement, offline Devices and the load; each links to its page. */
export function OverviewPage() {
  const { may, organization } = useSession();
  const { data: counts } = useCounts();
  const isWelcomed = readStored('welcomed') === organization.id;
  // Users who may create the first Device see the first steps; others see an empty overview.
  if (counts?.deviceCount === 0 && may('CreateDevice') && !isWelcomed)
    return <Navigate to="/welcome" />;
  return (
    <Page title={words.title}>
      <Stack gap="md">
        <Warnings />
        <Tiles />
        <Grid gap="md">
          {may('ReadAlarmConfigurations') ? (
            <Grid.Col span={{ base: 12, md: 8 }}>
              <Stack gap="md">
                <ActiveAlarms />
                <LatestEvents />
              </Stack>
            </Grid.Col>
          ) : null}
          <Grid.Col span={{ base: 12, md: 4 }}>
            <OfflineDevices />
          </Grid.Col>
        </Grid>
      </Stack>
    </Page>
  );
}

/** Warnings about the server itself, as the server words them. */
function Warnings() {
  const { data: counts } = useCounts();
  return counts?.warnings?.map(({ code, message }) => (
    <Alert key={code} color="orange" role="alert" icon={<IconAlertTriangle aria-hidden />}>
      {message}
    </Alert>
  ));
}

function Tiles() {
  const { data: counts } = useCounts();
  const { events } = useActiveEvents();
  const rate = useReadingsRate();
  const worst = events?.[0];
  return (
    <SimpleGrid cols={{ base: 2, md: 3 }} spacing="sm">
      <Tile
        label={words.activeAlarms}
        to="/alarms"
        value={events ? countText(events.length) : '…'}
        detail={
          worst ? (
            <SeverityBadge severity={worst.severity} />
          ) : // While events are loading, no state is shown.
          events ? (
            <StateBadge tone="good" icon={<IconCircleCheck aria-hidden />}>
              {words.noActiveAlarms}
            </StateBadge>
          ) : null
        }
      />
      <Tile
        label={words.devices}
        to="/devices"
        value={counts ? countText(counts.deviceCount) : '…'}
        detail={
          counts
            ? words.online(countText(counts.onlineDeviceCount), countText(counts.deviceCount))
            : ''
        }
      />
      <Tile
        label={words.rate}
        to="/variables"
        value={rate === null ? '…' : numberText(Math.round(rate * 10) / 10)}
        detail={words.rateAbout}
      />
    </SimpleGrid>
  );
}

function ActiveAlarms() {
  const { query, events = [] } = useActiveEvents();
  return (
    <Panel title={words.activeAlarms}>
      <Loaded query={query}>
        {() =>
          events.length === 0 ? (
            <Text size="sm" c="dimmed">
              {words.noActiveAlarms}
            </Text>
          ) : (
            <>
              <Group gap="xs" mb="xs">
                {SEVERITIES.toReversed().map((severity) => {
                  const count = events.filter((event) => event.severity === severity).length;
                  return count === 0 ? null : (
                    <Group key={severity} gap={4}>
                      <SeverityBadge severity={severity} />
                      <Text size="sm" fw={600}>
                        {countText(count)}
                      </Text>
                    </Group>
                  );
                })}
              </Group>
              <EventList events={events.slice(0, MAX_EVENTS)} />
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

function LatestEvents() {
  const now = useNow();
  const query = useRead(
    'listAlarmHistory',
    // `now` is sampled every few seconds: an event raised since then is listed as active already.
    { body: { startTime: now - WEEK_MS, endTime: now + DAY_MS, take: MAX_EVENTS } },
    { keepsPrevious: true },
  );
  const all = (
    <Anchor component={Link} to="/alarms/history" size="sm" className="linked">
      {words.seeHistory}
    </Anchor>
  );
  return (
    <Panel title={words.latest} actions={all}>
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Text size="sm" c="dimmed">
              {words.noEvents}
            </Text>
          ) : (
            <EventList events={items} />
          )
        }
      </Loaded>
    </Panel>
  );
}
