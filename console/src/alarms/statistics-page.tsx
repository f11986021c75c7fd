import { SEVERITIES } from '@fieldwatch/contract';
import { Grid, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { parseRange, RangePicker, useRange } from '../charts/index.ts';
import { IconCircleCheck } from '../icons/index.ts';
import { useNow } from '../runtime/index.ts';
import { type Reply, useFilters, useRead } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import {
  type Column,
  countText,
  duration,
  Filters,
  Loaded,
  numberText,
  Page,
  Panel,
  SeverityBadge,
  SortedTable,
  StateBadge,
  Timestamp,
} from '../ui/index.ts';
import { AlarmTabs } from './alarm-tabs.tsx';
import classes from './statistics-page.module.css';

const words = strings.alarms.statistics;

type Statistics = Reply<'retrieveAlarmKpis'>;
type Counted = Statistics['mostFrequent'][number] & { readonly id: string };
type StandingEvent = Statistics['longestStanding'][number] & { readonly id: string };

/** The acceptable rate per operator by the alarm management standards EEMUA 191 and ISA-18.2. */
const MAX_ACCEPTABLE_EVENTS_PER_HOUR = 6;
/** More events than this in ten minutes are an alarm flood by the same standards. */
const MAX_EVENTS_BEFORE_FLOOD = 10;

/** Key figures of the alarm system: rate, floods, chattering and long-standing alarms. */
export function AlarmStatisticsPage() {
  const [choice, setChoice] = useFilters(parseRange);
  const range = useRange(choice, 'week');
  const query = useRead(
    'retrieveAlarmKpis',
    { query: { startTime: range.startMs, endTime: range.endMs } },
    { keepsPrevious: true, refetchIntervalMs: 60_000 },
  );
  return (
    <Page title={strings.alarms.titles.statistics}>
      <AlarmTabs />
      <Filters>
        <RangePicker choice={choice} range={range} fallback="week" onChange={setChoice} />
      </Filters>
      <Loaded query={query}>{(statistics) => <StatisticsView statistics={statistics} />}</Loaded>
    </Page>
  );
}

function StatisticsView({ statistics }: { statistics: Statistics }) {
  return (
    <Stack gap="md">
      <Totals statistics={statistics} />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <AlarmRanking
            title={words.frequent}
            about={words.frequentAbout}
            items={statistics.mostFrequent}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Stack gap="md">
            <AlarmRanking
              title={words.chattering}
              about={words.chatteringAbout}
              items={statistics.chattering}
            />
            <LongestStanding items={statistics.longestStanding} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Stack>
  );
}

function Totals({ statistics }: { statistics: Statistics }) {
  const { eventCount, openCount, eventsPerHour, peakTenMinutes: peak, bySeverity } = statistics;
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
      <Figure label={words.events} value={countText(eventCount)}>
        <Group gap={6}>
          {SEVERITIES.toReversed()
            .filter((severity) => bySeverity[severity] > 0)
            .map((severity) => (
              <Group key={severity} gap={4} wrap="nowrap">
                <SeverityBadge severity={severity} /> {countText(bySeverity[severity])}
              </Group>
            ))}
        </Group>
      </Figure>
      <Figure label={words.perHour} value={numberText(Math.round(eventsPerHour * 100) / 100)}>
        <Verdict
          isGood={eventsPerHour <= MAX_ACCEPTABLE_EVENTS_PER_HOUR}
          good={words.acceptable}
          bad={words.tooMany}
        />
      </Figure>
      <Figure label={words.peak} value={peak ? countText(peak.count) : '0'}>
        {peak ? (
          <>
            <Verdict
              isGood={peak.count <= MAX_EVENTS_BEFORE_FLOOD}
              good={words.noFlood}
              bad={words.flood}
            />{' '}
            <Timestamp at={peak.startDateTime} form="exact" />
          </>
        ) : null}
      </Figure>
      <Figure label={words.active} value={countText(openCount)}>
        {words.activeAbout}
      </Figure>
    </SimpleGrid>
  );
}

function Verdict({ isGood, good, bad }: { isGood: boolean; good: string; bad: string }) {
  return isGood ? (
    <StateBadge tone="good" icon={<IconCircleCheck aria-hidden />}>
      {good}
    </StateBadge>
  ) : (
    <StateBadge tone="medium">{bad}</StateBadge>
  );
}

interface FigureProps {
  readonly label: string;
  readonly value: string;
  readonly children: ReactNode;
}

function Figure({ label, value, children }: FigureProps) {
  return (
    <Paper withBorder radius="md" p="sm" className={classes.figure}>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text className="tabular" fw={700} fz={24} lh={1.3}>
        {value}
      </Text>
      <Text component="div" size="xs" c="dimmed">
        {children}
      </Text>
    </Paper>
  );
}

const rankingColumns: readonly Column<Counted>[] = [
  {
    head: strings.alarms.alarm,
    cell: ({ alarmId, alarmName }) => (
      <Link to={`/alarms/configurations/${alarmId}`} className="linked">
        {alarmName}
      </Link>
    ),
    sortKey: 'NAME',
    value: ({ alarmName }) => alarmName,
  },
  {
    head: words.count,
    align: 'right',
    width: 110,
    cell: ({ count }) => <span className="tabular">{countText(count)}</span>,
    sortKey: 'COUNT',
    firstDirection: 'descending',
    value: ({ count }) => count,
  },
];

interface RankingProps {
  readonly title: string;
  readonly about: string;
  readonly items: Statistics['mostFrequent'];
}

function AlarmRanking({ title, about, items }: RankingProps) {
  return (
    <Panel title={title}>
      <Text size="xs" c="dimmed" mb="xs">
        {items.length === 0 ? words.none : about}
      </Text>
      {items.length === 0 ? null : (
        <SortedTable
          label={title}
          columns={rankingColumns}
          records={items.map((each) => ({ ...each, id: each.alarmId }))}
          initialSort="-COUNT"
          hrefOf={({ alarmId }) => `/alarms/configurations/${alarmId}`}
        />
      )}
    </Panel>
  );
}

const standingColumns: readonly Column<StandingEvent>[] = [
  {
    head: strings.alarms.alarm,
    cell: ({ eventId, alarmName }) => (
      <Link to={`/alarms/events/${eventId}`} className="linked">
        {alarmName}
      </Link>
    ),
    sortKey: 'NAME',
    value: ({ alarmName }) => alarmName,
  },
  {
    head: words.activeFor,
    cell: (standing) => <ActiveFor standing={standing} />,
    sortKey: 'ACTIVE_FOR',
    firstDirection: 'descending',
    value: ({ raisedDateTime }) => -Date.parse(raisedDateTime),
  },
];

function ActiveFor({ standing }: { standing: StandingEvent }) {
  const now = useNow();
  return <>{duration(now - Date.parse(standing.raisedDateTime))}</>;
}

function LongestStanding({ items }: { items: Statistics['longestStanding'] }) {
  return (
    <Panel title={words.standing}>
      <Text size="xs" c="dimmed" mb="xs">
        {items.length === 0 ? words.none : words.standingAbout}
      </Text>
      {items.length === 0 ? null : (
        <SortedTable
          label={words.standing}
          columns={standingColumns}
          records={items.map((each) => ({ ...each, id: each.eventId }))}
          initialSort="-ACTIVE_FOR"
          hrefOf={({ eventId }) => `/alarms/events/${eventId}`}
        />
      )}
    </Panel>
  );
}
