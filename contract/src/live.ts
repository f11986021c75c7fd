import Type, { type Static } from 'typebox';
import { anyCredential, operation } from './operation.ts';
import { ReadingValue } from './readings.ts';
import { closed, DateTime, filter, Id, nullable, oneOf } from './schema.ts';

export const LIVE_HEARTBEAT_SECONDS = 15;

/** Why the service ended a stream. */
export const LIVE_END_REASONS = [
  'CREDENTIALS_ENDED',
  'TOO_SLOW',
  'STORAGE_UNAVAILABLE',
  'STOPPING',
] as const;

export type LiveEndReason = (typeof LIVE_END_REASONS)[number];

export const ALARM_CHANGES = ['RAISED', 'CLEARED', 'ACKNOWLEDGED', 'NOTED'] as const;

export type AlarmChange = (typeof ALARM_CHANGES)[number];

export const LiveReadings = Type.Array(
  Type.Object(
    {
      variableId: Id,
      deviceId: Id,
      timestamp: Type.Integer({ description: 'Epoch milliseconds' }),
      value: ReadingValue,
    },
    closed,
  ),
  { minItems: 1, description: 'At most one value of each Variable: its newest' },
);

export const LiveDevice = Type.Object(
  { deviceId: Id, isOnline: Type.Boolean(), lastSeenDateTime: nullable(DateTime) },
  closed,
);

export const LiveAlarm = Type.Object(
  {
    change: oneOf(ALARM_CHANGES),
    event: Type.Object(
      { id: Id, alarmId: Id, deviceId: Id, deviceVariableId: Id },
      { additionalProperties: true, description: 'The alarm event after the change' },
    ),
  },
  closed,
);

export const LiveReady = Type.Object(
  {
    heartbeatSeconds: Type.Integer({
      minimum: 1,
      description: 'Something is sent at least this often; silence for much longer is a lost line',
    }),
  },
  closed,
);

export const LiveMissed = Type.Object(
  {
    values: Type.Integer({ minimum: 0, description: 'Values that were not sent' }),
    alarmEvents: Type.Boolean({ description: 'Alarm events may be missing: read the history' }),
  },
  closed,
);

export const LiveEnd = Type.Object({ reason: oneOf(LIVE_END_REASONS) }, closed);

export type LiveDevice = Static<typeof LiveDevice>;
export type LiveAlarm = Static<typeof LiveAlarm>;

export const followLive = operation({
  id: 'followLive',
  method: 'GET',
  path: '/primary/v1/{organizationId}/live',
  tag: 'Readings',
  summary:
    'Follow values, Devices and alarm events as they come, as server-sent events; alarm events need `ReadAlarmConfigurations`',
  access: anyCredential,
  effect: 'read',
  query: Type.Object(
    {
      variableIds: Type.Optional({
        ...filter(Type.String()),
        description: 'Only of these Variables',
      }),
      deviceIds: Type.Optional({ ...filter(Type.String()), description: 'Only of these Devices' }),
      assetIds: Type.Optional({
        ...filter(Type.String()),
        description: 'Only of Variables that are bound to these Assets at the moment',
      }),
      lastEventId: Type.Optional(
        Type.String({
          maxLength: 100,
          description: 'Instead of the header `Last-Event-ID`: the alarm events after this one',
        }),
      ),
    },
    closed,
  ),
  reply: {
    status: 200,
    description:
      'Events without end: `ready` first, then `readings`, `device`, `alarm` and `missed`, and `end` when the service ends the stream',
    body: Type.String(),
    mediaType: 'text/event-stream',
    events: {
      ready: LiveReady,
      readings: LiveReadings,
      device: LiveDevice,
      alarm: LiveAlarm,
      missed: LiveMissed,
      end: LiveEnd,
    },
  },
});
