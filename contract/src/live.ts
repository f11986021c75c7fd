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

export const ALARM_CHANGES = [
  'RAISED',
  'CLEARED',
  'ACKNOWLEDGED',
  'NOTED',
  'ASSIGNED',
  'SUPPRESSED',
] as const;

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
  { minItems: 1, description: 'The newest value of each Variable' },
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
      description:
        'The server sends something at least this often; after three times as long the connection is lost',
    }),
  },
  closed,
);

export const LiveMissed = Type.Object(
  {
    values: Type.Integer({ minimum: 0, description: 'Number of values that were dropped' }),
    alarmEvents: Type.Boolean({
      description: 'Whether alarm events may be missing; query the alarm history',
    }),
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
    'Stream values, Devices and alarm events as server-sent events; alarm events require `ReadAlarmConfigurations`',
  access: anyCredential,
  effect: 'read',
  query: Type.Object(
    {
      variableIds: Type.Optional({
        ...filter(Type.String()),
        description: 'Only these Variables',
      }),
      deviceIds: Type.Optional({ ...filter(Type.String()), description: 'Only these Devices' }),
      assetIds: Type.Optional({
        ...filter(Type.String()),
        description: 'Only Variables that are bound to these Assets',
      }),
      lastEventId: Type.Optional(
        Type.String({
          maxLength: 100,
          description:
            'Instead of the header `Last-Event-ID`: replay the alarm events after this one',
        }),
      ),
    },
    closed,
  ),
  reply: {
    status: 200,
    description:
      'An open stream: `ready` first, then `readings`, `device`, `alarm` and `missed`, and `end` when the server ends the stream',
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
