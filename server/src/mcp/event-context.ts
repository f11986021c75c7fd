import type { AlarmEvent, FoundVariable, ManyReadings } from '@fieldwatch/contract';
import Type from 'typebox';
import { isoDateTime } from '../runtime/index.ts';
import { shownEvent } from './alarm-events.ts';
import { isNumeric, readAll, readBuckets, readChanges, rounded } from './history.ts';
import { closed, id } from './inputs.ts';
import { variablesById } from './named-variables.ts';
import { type Source, shownRange, type TimeRange, type Tool, tool } from './tool.ts';

const CONTEXT_MINUTES = 10;
const MINUTE_MS = 60_000;
const RECURRENCE_MS = 30 * 24 * 60 * MINUTE_MS;
const MAX_READINGS = 60;
/** The interface takes this many ids in one question about readings. */
const MAX_OTHER_VARIABLES = 50;
const MAX_TIMELINE = 50;
const MAX_OTHER_EVENTS = 20;

/** The readings of the Variable itself: each one, or where there are many, a summary. */
async function readingsOf(source: Source, event: AlarmEvent, span: TimeRange, isNumber: boolean) {
  const series = { variableId: event.deviceVariableId, ...span };
  const all = await readAll(source, series, MAX_READINGS);
  if (all) return all.map(({ timestamp, value }) => ({ time: isoDateTime(timestamp), value }));
  if (!isNumber) {
    const { items } = await readChanges(source, series, MAX_READINGS);
    return items.map(({ startTime, value }) => ({ time: isoDateTime(startTime), value }));
  }
  const { items } = await readBuckets(source, series, MAX_READINGS);
  return items.map(({ timestamp, count, min, max, mean }) => ({
    time: isoDateTime(timestamp),
    count,
    min,
    max,
    mean: rounded(mean),
  }));
}

/** What one Variable of the Device did in the meantime, in one line. */
function shownSeries(series: ManyReadings['items'][number], variable: FoundVariable) {
  const named = { variableId: variable.id, variable: variable.name, unit: variable.unit };
  const first = series.items[0];
  if (first !== undefined && 'min' in first) {
    const { min, max, first: from, last } = first;
    return { ...named, first: from, last, min, max };
  }
  const values = series.items.map((item) => ('value' in item ? item.value : null));
  return { ...named, changes: Math.max(0, values.length - 1), last: values.at(-1) ?? null };
}

async function otherVariables(source: Source, event: AlarmEvent, span: TimeRange) {
  const { client, organizationId } = source;
  const { items } = await client.searchVariables({
    organizationId,
    body: { deviceIds: [event.deviceId], take: MAX_OTHER_VARIABLES },
  });
  const others = new Map(items.map((item) => [item.id, item]));
  others.delete(event.deviceVariableId);
  if (others.size === 0) return [];
  const query = { ids: [...others.keys()], ...span, buckets: 1 };
  const many = await client.listManyReadings({ organizationId, query });
  return many.items.flatMap((series) => {
    const variable = others.get(series.variableId);
    return variable && series.items.length > 0 ? [shownSeries(series, variable)] : [];
  });
}

/** Other events around the event: of its Location, or where it has none, of its Variable. */
async function otherEvents(source: Source, event: AlarmEvent, span: TimeRange) {
  const { client, organizationId } = source;
  const filter =
    event.locationId === null
      ? { deviceVariableIds: [event.deviceVariableId] }
      : { locationIds: [event.locationId] };
  const { items } = await client.listAlarmHistory({
    organizationId,
    body: { ...span, ...filter, take: MAX_OTHER_EVENTS },
  });
  const others = items.filter((each) => each.id !== event.id);
  const variables = await variablesById(
    source,
    others.map((each) => each.deviceVariableId),
  );
  return others.map((each) => shownEvent(each, variables.get(each.deviceVariableId)));
}

async function recurrence({ client, organizationId }: Source, event: AlarmEvent) {
  const raised = Date.parse(event.raisedDateTime);
  const { count } = await client.listAlarmHistory({
    organizationId,
    body: {
      startTime: Math.max(0, raised - RECURRENCE_MS),
      endTime: raised,
      deviceVariableIds: [event.deviceVariableId],
      take: 1,
    },
  });
  return Math.max(0, count - 1);
}

async function timelineOf({ client, organizationId }: Source, eventId: string) {
  const query = { take: MAX_TIMELINE };
  const { items } = await client.listAlarmTimeline({ organizationId, eventId, query });
  return items.map(({ kind, dateTime, actor, detail }) => ({
    kind,
    time: dateTime,
    actor,
    detail,
  }));
}

export const explainAlarmEvent: Tool = tool({
  name: 'explain_alarm_event',
  title: 'Explain an alarm event',
  description: `Get one alarm event with its context: its condition with delay and deadband, notes and timeline, the readings of its Variable from ${CONTEXT_MINUTES} minutes before to ${CONTEXT_MINUTES} minutes after it was raised, what the other Variables of the Device did in that time, other events of the same Location, and how many events the Variable had in the 30 days before.`,
  input: Type.Object(
    { eventId: id('The id of the event, from list_open_alarms or list_alarm_events') },
    closed,
  ),
  async run(source, { eventId }) {
    const { client, organizationId } = source;
    const event = await client.retrieveAlarmEvent({ organizationId, eventId });
    const raised = Date.parse(event.raisedDateTime);
    const span = {
      startTime: Math.max(0, raised - CONTEXT_MINUTES * MINUTE_MS),
      endTime: raised + CONTEXT_MINUTES * MINUTE_MS,
    };
    const variables = await variablesById(source, [event.deviceVariableId]);
    const variable = variables.get(event.deviceVariableId);
    const alarm = await client.retrieveAlarm({ organizationId, alarmId: event.alarmId });
    const isNumber = variable !== undefined && isNumeric(variable);
    return {
      facts: {
        event: { ...shownEvent(event, variable), deviceId: event.deviceId },
        alarm: {
          isActive: alarm.isActive,
          isTriggered: alarm.isTriggered,
          delaySeconds: alarm.delayProcessingSeconds ?? 0,
          deadband: alarm.deadband ?? 0,
          clearDelaySeconds: alarm.clearDelaySeconds ?? 0,
          shelving: alarm.shelving ?? null,
        },
        context: shownRange(span),
        eventsOfVariableIn30DaysBefore: await recurrence(source, event),
      },
      lists: {
        notes: event.notes.map(({ text, author, createdDateTime }) => ({
          text,
          author,
          time: createdDateTime,
        })),
        timeline: await timelineOf(source, eventId),
        readings: variable ? await readingsOf(source, event, span, isNumber) : [],
        otherVariables: variable ? await otherVariables(source, event, span) : [],
        otherEvents: await otherEvents(source, event, span),
      },
      advice: 'Use summarize_history for a Variable, and list_alarm_events for more events.',
    };
  },
});
