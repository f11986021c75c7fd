import { Button, Grid, Group, Stack, Text, Timeline } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { type Reply, useRead, useWrite } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { pages as words } from '../strings/index.ts';
import {
  attempt,
  DeliveryStateBadge,
  Page,
  Panel,
  RecordPage,
  SeverityBadge,
  Timestamp,
} from '../ui/index.ts';
import { PageStateBadge } from './page-state.tsx';

type PageDetails = Reply<'retrievePage'>;

/** One run of an escalation policy: who was notified, and what became of it. */
export function PagePage() {
  const { pageId } = useParams({ strict: false }) as { pageId: string };
  const query = useRead('retrievePage', { pageId }, { refetchIntervalMs: 10_000 });
  return (
    <RecordPage query={query} list={{ title: words.title, path: '/alarms/pages' }}>
      {(page) => <PageView page={page} />}
    </RecordPage>
  );
}

function PageView({ page }: { page: PageDetails }) {
  const trail = (
    <Link to="/alarms/pages" className="linked">
      {words.title}
    </Link>
  );
  return (
    <Page
      title={page.title}
      trail={trail}
      about={<About page={page} />}
      actions={<Actions page={page} />}
      record={{ resource: 'Page', id: page.id }}
    >
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack gap="md">
            <Events page={page} />
            <Deliveries page={page} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Log page={page} />
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function About({ page }: { page: PageDetails }) {
  const { state, severity, isTest, policyName, acknowledgedBy, nextStepDateTime } = page;
  return (
    <>
      <PageStateBadge state={state} /> <SeverityBadge severity={severity} />
      {` · ${isTest ? words.test : policyName} · `}
      <Timestamp at={page.createdDateTime} />
      {acknowledgedBy === null ? null : ` · ${words.acknowledgedBy} ${acknowledgedBy}`}
      {page.chatterCount > 0 ? ` · ${words.chattering(page.chatterCount)}` : null}
      {nextStepDateTime === null ? null : (
        <>
          {` · ${words.nextStep} `}
          <Timestamp at={nextStepDateTime} />
        </>
      )}
    </>
  );
}

function Actions({ page: { id: pageId, state } }: { page: PageDetails }) {
  const { may } = useSession();
  const acknowledge = useWrite('acknowledgePage');
  const escalate = useWrite('escalatePage');
  const resolve = useWrite('resolvePage');
  if (state === 'RESOLVED' || !may('AcknowledgeAlarmEvents')) return null;
  const isBusy = acknowledge.isPending || escalate.isPending || resolve.isPending;
  return (
    <>
      <Button
        variant="default"
        disabled={isBusy}
        onClick={() => void attempt(resolve.mutateAsync({ pageId }), words.resolved)}
      >
        {words.resolve}
      </Button>
      {state === 'ACTIVE' || state === 'SUPPRESSED' ? (
        <Button
          variant="default"
          disabled={isBusy}
          onClick={() => void attempt(escalate.mutateAsync({ pageId }), words.escalated)}
        >
          {words.escalate}
        </Button>
      ) : null}
      {state === 'ACKNOWLEDGED' ? null : (
        <Button
          loading={acknowledge.isPending}
          onClick={() => void attempt(acknowledge.mutateAsync({ pageId }), words.acknowledged)}
        >
          {words.acknowledge}
        </Button>
      )}
    </>
  );
}

function Events({ page: { events } }: { page: PageDetails }) {
  return (
    <Panel title={words.events}>
      <Stack gap="xs">
        {events.length === 0 ? <Nothing text={words.noEvents} /> : null}
        {events.map(({ eventId, severity, alarmName, deviceName, ...times }) => (
          <div key={eventId}>
            <SeverityBadge severity={severity} />{' '}
            <Link to={`/alarms/events/${eventId}`} className="linked">
              {alarmName}
            </Link>
            {` · ${deviceName}`}
            <Text size="xs" c="dimmed">
              <Timestamp at={times.raisedDateTime} />
              {times.clearedDateTime === null ? null : (
                <>
                  {`, ${words.cleared} `}
                  <Timestamp at={times.clearedDateTime} />
                </>
              )}
            </Text>
          </div>
        ))}
      </Stack>
    </Panel>
  );
}

function Deliveries({ page: { deliveries } }: { page: PageDetails }) {
  return (
    <Panel title={words.deliveries}>
      <Stack gap="xs">
        {deliveries.length === 0 ? <Nothing text={words.noDeliveries} /> : null}
        {deliveries.map(({ id, recipient, loop, step, state, dueDateTime, lastError }) => (
          <div key={id}>
            <Group gap="xs" wrap="nowrap">
              <DeliveryStateBadge state={state} />
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {recipient}
              </Text>
            </Group>
            <Text size="xs" c="dimmed">
              {words.step(loop, step)}, <Timestamp at={dueDateTime} />
              {lastError === null || state === 'DELIVERED' ? null : ` · ${lastError}`}
            </Text>
          </div>
        ))}
      </Stack>
    </Panel>
  );
}

function Log({ page: { timeline } }: { page: PageDetails }) {
  return (
    <Panel title={words.timeline}>
      <Timeline bulletSize={14} lineWidth={2}>
        {timeline.map(({ kind, dateTime, actor, detail }) => (
          <Timeline.Item key={`${kind} ${dateTime} ${detail}`} title={words.kinds[kind]}>
            <Text size="xs" c="dimmed">
              <Timestamp at={dateTime} />
              {actor ? ` · ${actor}` : null}
            </Text>
            {detail ? <Text size="sm">{detail}</Text> : null}
          </Timeline.Item>
        ))}
      </Timeline>
    </Panel>
  );
}

function Nothing({ text }: { text: string }) {
  return (
    <Text size="sm" c="dimmed">
      {text}
    </Text>
  );
}
