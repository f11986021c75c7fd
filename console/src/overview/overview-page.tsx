import { SEVERITIES } from '@fieldwatch/contract';
import { Alert, Anchor, Grid, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { Link, Navigate } from '@tanstack/react-router';
import { useOpenEvents } from '../alarm-events/index.ts';
import { readKept, useNow } from '../runtime/index.ts';
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
import { OfflineDevices } from './fleet.tsx';
import { useReadingsRate } from './readings-rate.ts';
import { Tile } from './tile.tsx';

const words = strings.overview;
const WEEK_MS = 7 * 24 * 60 * 60_000;
const LATEST = 8;

/** What is wrong, since when, and whether somebody has it in hand; all of it leads further. */
export function OverviewPage() {
  const { may, organization } = useSession();
  const { data: counts } = useCounts();
  const isWelcomed = readKept('welcomed') === organization.id;
  // Who may make the first Device is shown how; others see that there is nothing yet.
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
                <OpenAlarms />
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

/** What is wrong with the server itself, in its own words. */
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
  const { events } = useOpenEvents();
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
          ) : // Not known is not fine.
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

function OpenAlarms() {
  const { query, events = [] } = useOpenEvents();
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
              <EventList events={events.slice(0, LATEST)} />
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
    { body: { startTime: now - WEEK_MS, endTime: now, take: LATEST } },
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
