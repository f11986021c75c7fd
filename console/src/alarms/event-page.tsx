import { CLEARED_REASONS, type ClearedReason } from '@fieldwatch/contract';
import { Button, Grid, Stack, Text, Textarea, Timeline } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { conditionText, isUnacknowledged, SuppressionBadge } from '../alarm-events/index.ts';
import { useLatest, useLiveValue } from '../live/index.ts';
import { useNow } from '../runtime/index.ts';
import { type AlarmEvent, useRead, useWrite } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import {
  FormBody,
  Loaded,
  Loading,
  Page,
  Panel,
  RecordPage,
  readingText,
  SeverityBadge,
  Timestamp,
  useServerForm,
} from '../ui/index.ts';
import { WatchedChart } from '../variable-charts/index.ts';
import { Acknowledge } from './acknowledge.tsx';
import { Assignment } from './assignment.tsx';
import { Acknowledgement } from './event-cells.tsx';
import { NotificationPanel } from './notification-panel.tsx';
import { ParentAlarmOffer } from './parent-alarm-offer.tsx';

const words = strings.alarms;
const HOUR_MS = 60 * 60_000;

export function AlarmEventPage() {
  const { eventId } = useParams({ strict: false }) as { eventId: string };
  const query = useRead('retrieveAlarmEvent', { eventId }, { refetchIntervalMs: 30_000 });
  return (
    <RecordPage query={query} list={{ title: words.titles.active, path: '/alarms' }}>
      {(event) => <EventView event={event} />}
    </RecordPage>
  );
}

function EventView({ event }: { event: AlarmEvent }) {
  const { may } = useSession();
  const [asking, setAsking] = useState<readonly string[]>([]);
  const mayAct = may('AcknowledgeAlarmEvents');
  const trail =
    event.clearedDateTime === null ? (
      <Link to="/alarms" className="linked">
        {words.titles.active}
      </Link>
    ) : (
      <Link to="/alarms/history" className="linked">
        {words.titles.history}
      </Link>
    );
  const actions = (
    <>
      <Button variant="default" component={Link} to={`/alarms/configurations/${event.alarmId}`}>
        {words.event.toAlarm}
      </Button>
      {mayAct && isUnacknowledged(event) ? (
        <Button onClick={() => setAsking([event.id])}>{words.acknowledge.action}</Button>
      ) : null}
    </>
  );
  return (
    <Page
      title={event.alarmName}
      trail={trail}
      about={<About event={event} />}
      actions={actions}
      record={{ resource: 'AlarmEvent', id: event.id }}
    >
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <EventChart event={event} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="md">
            <ParentAlarmOffer event={event} />
            <Panel title={words.acknowledgement}>
              <Acknowledgement event={event} />
            </Panel>
            <Assignment event={event} mayAssign={mayAct} />
            <NotificationPanel event={event} />
            <Notes event={event} mayWrite={mayAct} />
            <EventLog event={event} />
          </Stack>
        </Grid.Col>
      </Grid>
      <Acknowledge eventIds={asking} onClose={() => setAsking([])} />
    </Page>
  );
}

function About({ event }: { event: AlarmEvent }) {
  const { severity, deviceId, deviceName, deviceVariableName, operator, thresholdValue } = event;
  const { deviceVariableId } = event;
  const { data: variable } = useRead('retrieveVariable', { variableId: deviceVariableId });
  const live = useLiveValue(deviceVariableId);
  useLatest([deviceVariableId]);
  const unit = variable?.unit ?? null;
  return (
    <>
      <SeverityBadge severity={severity} /> <SuppressionBadge event={event} />{' '}
      <Link to={`/devices/${deviceId}`} className="linked">
        {deviceName}
      </Link>
      {' · '}
      <Link to={`/variables/${deviceVariableId}`} className="linked">
        {deviceVariableName}
      </Link>
      {` ${conditionText(operator, thresholdValue, unit)} · ${words.raised} `}
      <Timestamp at={event.raisedDateTime} />
      {` · ${words.raisedAt(readingText(event.raisedValue, unit))}`}
      {live ? `, ${words.currently(readingText(live.value, unit))}` : null}
      {event.clearedDateTime ? (
        <>
          {` · ${words.cleared} `}
          <Timestamp at={event.clearedDateTime} />
          {event.clearedReason ? ` (${words.reasons[event.clearedReason]})` : null}
        </>
      ) : null}
    </>
  );
}

function EventChart({ event }: { event: AlarmEvent }) {
  const { data: variable } = useRead('retrieveVariable', { variableId: event.deviceVariableId });
  const now = useNow();
  const raised = Date.parse(event.raisedDateTime);
  const cleared = event.clearedDateTime ? Date.parse(event.clearedDateTime) : now;
  const marginMs = Math.max(HOUR_MS, (cleared - raised) / 2);
  const range = { startMs: raised - marginMs, endMs: Math.min(now, cleared + marginMs) };
  const variables = useMemo(() => (variable ? [variable] : []), [variable]);
  const thresholds = useMemo(
    () =>
      typeof event.thresholdValue === 'number'
        ? [
            {
              value: event.thresholdValue,
              label: words.form.threshold,
              unit: variable?.unit ?? null,
            },
          ]
        : [],
    [event.thresholdValue, variable],
  );
  return (
    <Panel title={words.event.chart}>
      {variables.length > 0 ? (
        <WatchedChart variables={variables} range={range} thresholds={thresholds} height={320} />
      ) : (
        <Loading rows={1} height={320} />
      )}
    </Panel>
  );
}

function Notes({ event, mayWrite }: { event: AlarmEvent; mayWrite: boolean }) {
  return (
    <Panel title={words.event.notes}>
      <Stack gap="sm">
        {event.notes.length === 0 ? (
          <Text size="sm" c="dimmed">
            {words.event.noNotes}
          </Text>
        ) : null}
        {event.notes.map(({ id, text, author, createdDateTime }) => (
          <div key={id}>
            <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {text}
            </Text>
            <Text size="xs" c="dimmed">
              {author}, <Timestamp at={createdDateTime} />
            </Text>
          </div>
        ))}
        {mayWrite ? <NoteForm eventId={event.id} /> : null}
      </Stack>
    </Panel>
  );
}

function NoteForm({ eventId }: { eventId: string }) {
  const write = useWrite('createAlarmEventNote');
  const serverForm = useServerForm({
    initialValues: { text: '' },
    send: async (body) => {
      await write.mutateAsync({ eventId, body });
    },
    doneMessage: words.event.added,
    onDone: (): void => serverForm.form.reset(),
  });
  return (
    <FormBody serverForm={serverForm} action={words.event.add}>
      <Textarea
        label={words.event.note}
        autosize
        minRows={2}
        maxLength={2_000}
        {...serverForm.form.getInputProps('text')}
      />
    </FormBody>
  );
}

/** The log has reasons as codes and notes as text. */
function reasonText(detail: string): string {
  return CLEARED_REASONS.includes(detail as ClearedReason)
    ? words.reasons[detail as ClearedReason]
    : detail;
}

function EventLog({ event }: { event: AlarmEvent }) {
  const query = useRead('listAlarmTimeline', { eventId: event.id, query: { take: 200 } });
  return (
    <Panel title={words.event.timeline}>
      <Loaded query={query}>
        {({ items }) => (
          <Timeline bulletSize={14} lineWidth={2}>
            {items.map(({ kind, dateTime, actor, detail }) => (
              <Timeline.Item key={`${kind} ${dateTime} ${detail}`} title={words.event.kinds[kind]}>
                <Text size="xs" c="dimmed">
                  <Timestamp at={dateTime} /> {actor}
                </Text>
                {detail ? <Text size="sm">{reasonText(detail)}</Text> : null}
              </Timeline.Item>
            ))}
          </Timeline>
        )}
      </Loaded>
    </Panel>
  );
}
