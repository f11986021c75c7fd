import Type, { type Static } from 'typebox';
import { ALARM_OPERATORS, SEVERITIES } from './alarms.ts';
import { operation, permission, userOnly } from './operation.ts';
import { ReadingValue } from './readings.ts';
import {
  closed,
  DateTime,
  epochMs,
  filter,
  Id,
  listOf,
  nullable,
  oneOf,
  paging,
  search,
  text,
} from './schema.ts';

export const CLEARED_REASONS = ['RECOVERED', 'DISABLED', 'ARCHIVED', 'RECONFIGURED'] as const;

export type ClearedReason = (typeof CLEARED_REASONS)[number];

const TIMELINE_KINDS = [
  'RAISED',
  'CLEARED',
  'ACKNOWLEDGED',
  'NOTE',
  'NOTIFIED',
  'ASSIGNED',
  'SUPPRESSED',
] as const;

const SUPPRESSION_KINDS = ['MAINTENANCE', 'TEST', 'TOPOLOGY'] as const;

export type SuppressionKind = (typeof SUPPRESSION_KINDS)[number];

const noteText = text(1, 2_000);

const Note = Type.Object(
  { id: Id, text: noteText, author: Type.String(), createdDateTime: DateTime },
  closed,
);

export const AlarmEvent = Type.Object(
  {
    id: Id,
    alarmId: Id,
    alarmName: Type.String(),
    severity: oneOf(SEVERITIES),
    operator: oneOf(ALARM_OPERATORS),
    thresholdValue: nullable(ReadingValue),
    deviceId: Id,
    deviceName: Type.String(),
    deviceVariableId: Id,
    deviceVariableName: Type.String(),
    assetIds: Type.Array(Id),
    locationId: nullable(Id),
    alarmGroupId: nullable(Id),
    raisedDateTime: DateTime,
    raisedValue: ReadingValue,
    clearedDateTime: nullable(DateTime),
    clearedValue: nullable(ReadingValue),
    clearedReason: nullable(oneOf(CLEARED_REASONS)),
    isAcknowledgeable: Type.Boolean(),
    acknowledgedDateTime: nullable(DateTime),
    acknowledgedBy: nullable(Type.String({ description: 'The email of the user' })),
    notes: Type.Array(Note),
    isShelved: Type.Optional(
      Type.Boolean({
        description: 'Present and true if the Alarm was shelved when the event was raised',
      }),
    ),
    suppression: Type.Optional(
      Type.Object(
        {
          kind: oneOf(SUPPRESSION_KINDS),
          id: Type.String({
            format: 'uuid',
            description: 'The maintenance window, or the event of the Device above',
          }),
        },
        { ...closed, description: 'Present if the notification of the event was held back' },
      ),
    ),
  },
  closed,
);

export type AlarmEvent = Static<typeof AlarmEvent>;

export const AlarmTimelineEntry = Type.Object(
  {
    kind: oneOf(TIMELINE_KINDS),
    dateTime: DateTime,
    recordedDateTime: DateTime,
    actor: nullable(Type.String({ description: 'The person who did it, if any' })),
    detail: nullable(Type.String()),
  },
  closed,
);

export type AlarmTimelineEntry = Static<typeof AlarmTimelineEntry>;

const path = '/primary/v1/{organizationId}/alarm-history';
const onePath = `${path}/{eventId}` as const;
const theEvent = { status: 200, description: 'The event', body: AlarmEvent, tagged: true } as const;
const acknowledging = userOnly('AcknowledgeAlarmEvents');

export const listAlarmHistory = operation({
  tag: 'Alarms',
  stage: 'Integrate',
  id: 'listAlarmHistory',
  method: 'POST',
  path,
  summary: 'List events that were active at any time of a range, newest first',
  access: permission('ReadAlarmConfigurations'),
  effect: 'read',
  body: Type.Object(
    {
      startTime: epochMs,
      endTime: epochMs,
      severities: Type.Optional(filter(oneOf(SEVERITIES))),
      deviceVariableIds: Type.Optional(filter(Type.String())),
      assetIds: Type.Optional(filter(Type.String())),
      locationIds: Type.Optional(filter(Type.String())),
      alarmGroupIds: Type.Optional(filter(Type.String())),
      search: Type.Optional(search),
      ...paging,
    },
    closed,
  ),
  check: ({ body }) => {
    const { startTime, endTime } = Object(body) as { startTime?: unknown; endTime?: unknown };
    const areTimes = typeof startTime === 'number' && typeof endTime === 'number';
    return areTimes && endTime < startTime
      ? [{ path: 'endTime', message: 'must not be before startTime' }]
      : [];
  },
  reply: { status: 200, description: 'A page of events', body: listOf(AlarmEvent) },
});

export const retrieveAlarmEvent = operation({
  tag: 'Alarms',
  id: 'retrieveAlarmEvent',
  method: 'GET',
  path: onePath,
  summary: 'Retrieve an event of an Alarm',
  access: permission('ReadAlarmConfigurations'),
  effect: 'read',
  reply: theEvent,
});

export const listAlarmTimeline = operation({
  tag: 'Alarms',
  id: 'listAlarmTimeline',
  method: 'GET',
  path: `${onePath}/timeline`,
  summary: 'List everything that happened to an event, in the order in which it was recorded',
  access: permission('ReadAlarmConfigurations'),
  effect: 'read',
  query: Type.Object(paging, closed),
  reply: { status: 200, description: 'A page of the log', body: listOf(AlarmTimelineEntry) },
});

export const acknowledgeAlarmEvent = operation({
  tag: 'Alarms',
  id: 'acknowledgeAlarmEvent',
  method: 'POST',
  path: `${onePath}/acknowledge`,
  summary: 'Acknowledge an event; only the first acknowledgement counts',
  access: acknowledging,
  effect: 'write',
  body: Type.Object({ note: Type.Optional(noteText) }, closed),
  bodyOptional: true,
  reply: theEvent,
  failures: ['CONFLICT'],
});

export const acknowledgeAlarmEvents = operation({
  tag: 'Alarms',
  id: 'acknowledgeAlarmEvents',
  method: 'POST',
  path: `${path}/acknowledge`,
  summary: 'Acknowledge many events, all or none; repeated ids count once',
  access: acknowledging,
  effect: 'write',
  body: Type.Object(
    {
      eventIds: Type.Array(Id, { minItems: 1, maxItems: 500 }),
      note: Type.Optional(noteText),
    },
    closed,
  ),
  reply: { status: 200, description: 'The events, in the given order', body: listOf(AlarmEvent) },
  failures: ['CONFLICT'],
});

export const createAlarmEventNote = operation({
  tag: 'Alarms',
  id: 'createAlarmEventNote',
  method: 'POST',
  path: `${onePath}/notes`,
  summary: 'Add a note to an event',
  access: acknowledging,
  effect: 'write',
  body: Type.Object({ text: noteText }, closed),
  reply: { ...theEvent, status: 201 },
});
