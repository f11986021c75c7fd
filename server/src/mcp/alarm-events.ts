import {
  type AlarmEvent,
  type FoundVariable,
  SEVERITIES,
  type Severity,
} from '@fieldwatch/contract';
import Type from 'typebox';
import { isoDateTime } from '../runtime/index.ts';
import { closed, range, severities as severitiesInput, site as siteInput } from './inputs.ts';
import { variablesById } from './named-variables.ts';
import { filtersOf } from './site.ts';
import { rangeOf, type Source, shownRange, type TimeRange, type Tool, tool } from './tool.ts';

/** More than an answer holds. */
const EVENTS_PER_CALL = 200;
const DEFAULT_RANGE_MS = 24 * 3_600_000;
/** Only an event without an end reaches this moment. */
const END_OF_TIME = 8_640_000_000_000_000;
const OPEN: TimeRange = { startTime: END_OF_TIME, endTime: END_OF_TIME };

interface Events {
  /** Whether there are more than these. */
  readonly isPartial: boolean;
  readonly events: readonly AlarmEvent[];
  readonly variables: ReadonlyMap<string, FoundVariable>;
}

async function eventsOf(
  source: Source,
  span: TimeRange,
  given: { readonly site?: string; readonly severities?: readonly Severity[] },
): Promise<Events> {
  const { client, organizationId } = source;
  const severities = given.severities ? { severities: [...given.severities] } : {};
  const filters = await filtersOf(source, given.site);
  const pages = await Promise.all(
    filters.map((filter) =>
      client.listAlarmHistory({
        organizationId,
        body: { ...span, ...severities, ...filter, take: EVENTS_PER_CALL },
      }),
    ),
  );
  const byId = new Map(pages.flatMap(({ items }) => items.map((event) => [event.id, event])));
  const events = [...byId.values()];
  return {
    isPartial: pages.some(({ count, items }) => count > items.length),
    events,
    variables: await variablesById(
      source,
      events.map((event) => event.deviceVariableId),
    ),
  };
}

/** How an answer shows an alarm event; fields that say nothing are left out. */
export function shownEvent(event: AlarmEvent, variable: FoundVariable | undefined) {
  const { operator, thresholdValue, notes } = event;
  return {
    eventId: event.id,
    severity: event.severity,
    alarm: event.alarmName,
    condition: `${operator} ${thresholdValue ?? ''}`.trim(),
    device: event.deviceName,
    variable: event.deviceVariableName,
    variableId: event.deviceVariableId,
    unit: variable?.unit ?? null,
    location: variable?.locationName ?? null,
    raisedTime: event.raisedDateTime,
    raisedValue: event.raisedValue,
    ...(event.clearedDateTime === null
      ? { isOpen: true }
      : {
          clearedTime: event.clearedDateTime,
          clearedValue: event.clearedValue,
          clearedReason: event.clearedReason,
        }),
    ...(event.isAcknowledgeable
      ? { acknowledgedTime: event.acknowledgedDateTime, acknowledgedBy: event.acknowledgedBy }
      : {}),
    ...(event.isShelved ? { isShelved: true } : {}),
    ...(event.suppression ? { suppression: event.suppression } : {}),
    ...(notes.length > 0 ? { noteCount: notes.length } : {}),
  };
}

const PARTIAL = { isPartial: `Only the newest ${EVENTS_PER_CALL} were read; narrow the question.` };
const ADVICE = 'Ask for a site or for severities.';

const rank = ({ severity }: AlarmEvent) => SEVERITIES.indexOf(severity);
const byNewest = (a: AlarmEvent, b: AlarmEvent) => b.raisedDateTime.localeCompare(a.raisedDateTime);
const byUrgency = (a: AlarmEvent, b: AlarmEvent) => rank(b) - rank(a) || byNewest(a, b);

export const listOpenAlarms: Tool = tool({
  name: 'list_open_alarms',
  title: 'List open alarms',
  description:
    'List the alarm events that are open now, most severe first: what is wrong at this moment, in the whole organization or at a site. Each has its Device, Variable, unit, condition, the value that raised it and the time. Take an eventId to explain_alarm_event to find out why.',
  input: Type.Object({ site: siteInput, severities: severitiesInput }, closed),
  async run(source, input) {
    const { events, variables, isPartial } = await eventsOf(source, OPEN, input);
    return {
      facts: {
        askedTime: isoDateTime(source.now()),
        count: events.length,
        ...(isPartial ? PARTIAL : {}),
      },
      lists: {
        openAlarms: events
          .toSorted(byUrgency)
          .map((event) => shownEvent(event, variables.get(event.deviceVariableId))),
      },
      advice: ADVICE,
    };
  },
});

export const listAlarmEvents: Tool = tool({
  name: 'list_alarm_events',
  title: 'List alarm events',
  description:
    'List the alarm events that were open at any time of a range, newest first, also those that are cleared: what happened last night, or how often an alarm came. For what is wrong now use list_open_alarms.',
  input: Type.Object(
    { ...range('24 hours'), site: siteInput, severities: severitiesInput },
    closed,
  ),
  async run(source, input) {
    const span = rangeOf(source, input, DEFAULT_RANGE_MS);
    const { events, variables, isPartial } = await eventsOf(source, span, input);
    return {
      facts: { ...shownRange(span), count: events.length, ...(isPartial ? PARTIAL : {}) },
      lists: {
        events: events
          .toSorted(byNewest)
          .map((event) => shownEvent(event, variables.get(event.deviceVariableId))),
      },
      advice: `${ADVICE.slice(0, -1)}, or for a shorter range.`,
    };
  },
});
