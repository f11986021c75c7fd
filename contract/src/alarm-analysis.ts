import Type, { type Static } from 'typebox';
import { alarmBody } from './alarms.ts';
import { operation, permission } from './operation.ts';
import { ReadingValue } from './readings.ts';
import { closed, DateTime, epochMs, Id, nullable } from './schema.ts';

const range = { startTime: epochMs, endTime: epochMs };

/** What both ends of a range must be to each other. */
function rangeErrors(sent: unknown) {
  const { startTime, endTime } = Object(sent) as { startTime?: unknown; endTime?: unknown };
  return Number(endTime) < Number(startTime)
    ? [{ path: 'endTime', message: 'must not be before startTime' }]
    : [];
}

export const MAX_BACKTEST_EVENTS = 1_000;

export const AlarmBacktest = Type.Object(
  {
    readingCount: Type.Integer({ minimum: 0, description: 'Number of readings judged' }),
    eventCount: Type.Integer({
      minimum: 0,
      description: 'Number of events that would have been raised',
    }),
    triggeredMs: Type.Integer({
      minimum: 0,
      description: 'Total time for which the Alarm would have been triggered',
    }),
    events: Type.Array(
      Type.Object(
        {
          raisedDateTime: DateTime,
          raisedValue: ReadingValue,
          clearedDateTime: nullable(DateTime),
          clearedValue: nullable(ReadingValue),
        },
        closed,
      ),
      { description: `The first ${MAX_BACKTEST_EVENTS} events, oldest first` },
    ),
  },
  closed,
);

export type AlarmBacktest = Static<typeof AlarmBacktest>;

export const backtestAlarm = operation({
  tag: 'Alarms',
  id: 'backtestAlarm',
  method: 'POST',
  path: '/primary/v1/{organizationId}/alarms/backtest',
  summary: 'Calculate the events that an Alarm would have raised over stored history',
  access: permission('ReadAlarmConfigurations'),
  effect: 'read',
  body: Type.Object({ ...alarmBody, ...range }, closed),
  check: ({ body }) => rangeErrors(body),
  reply: { status: 200, description: 'The result of the backtest', body: AlarmBacktest },
});

const count = Type.Integer({ minimum: 0 });

const Counted = Type.Object(
  {
    alarmId: Id,
    alarmName: Type.String({ description: 'The name in the newest event' }),
    count: Type.Integer({ minimum: 1 }),
  },
  closed,
);

const Standing = Type.Object(
  { eventId: Id, alarmId: Id, alarmName: Type.String(), raisedDateTime: DateTime },
  closed,
);

export const AlarmKpis = Type.Object(
  {
    eventCount: Type.Integer({ minimum: 0, description: 'Events raised within the range' }),
    openCount: Type.Integer({ minimum: 0, description: 'Events active at the end of the range' }),
    eventsPerHour: Type.Number({ minimum: 0, description: 'On average over the range' }),
    peakTenMinutes: nullable(
      Type.Object({ startDateTime: DateTime, count: Type.Integer({ minimum: 1 }) }, closed),
    ),
    bySeverity: Type.Object(
      { INFO: count, LOW: count, MEDIUM: count, HIGH: count, CRITICAL: count },
      closed,
    ),
    longestStanding: Type.Array(Standing, {
      description: 'The ten that have been active for the longest time at the end of the range',
    }),
    mostFrequent: Type.Array(Counted, { description: 'The ten Alarms with the most events' }),
    chattering: Type.Array(Counted, {
      description: 'Alarms raised three times or more within a minute, most frequent first',
    }),
  },
  closed,
);

export type AlarmKpis = Static<typeof AlarmKpis>;

export const retrieveAlarmKpis = operation({
  tag: 'Alarms',
  id: 'retrieveAlarmKpis',
  method: 'GET',
  path: '/primary/v1/{organizationId}/alarm-kpis',
  summary: 'Retrieve alarm statistics of a time range',
  access: permission('ReadAlarmConfigurations'),
  effect: 'read',
  query: Type.Object(range, closed),
  check: ({ query }) => rangeErrors(query),
  reply: { status: 200, description: 'The statistics', body: AlarmKpis },
});
