import Type, { type Static } from 'typebox';
import { operation, permission } from './operation.ts';
import { recordOperations } from './record-operations.ts';
import { closed, DateTime, defaulted, Id, name, nullable, oneOf } from './schema.ts';
import { webhookUrl } from './webhooks.ts';

/** The services that notice when the calls stop. */
export const HEARTBEAT_KINDS = [
  'HEALTHCHECKS',
  'UPTIME_KUMA',
  'BETTER_STACK',
  'DEAD_MANS_SNITCH',
  'OTHER',
] as const;

export type HeartbeatKind = (typeof HEARTBEAT_KINDS)[number];

export const HEARTBEAT_LIMITS = {
  perOrganization: 20,
  minEverySeconds: 30,
  maxEverySeconds: 3_600,
} as const;

const url = {
  ...webhookUrl,
  description:
    'The address that the service gave for this heartbeat: http or https, without credentials. Whoever knows it can call it',
  examples: ['https://hc-ping.com/5bf66975-d4c7-4bf5-bcc8-b8d8a82ea278'],
};

const fields = {
  id: Id,
  name: name(1, 100),
  kind: {
    ...oneOf(HEARTBEAT_KINDS),
    description:
      'The service. HEALTHCHECKS, BETTER_STACK and UPTIME_KUMA are also called when the server is not well; the others are not called then',
  },
  url,
  everySeconds: Type.Integer({
    minimum: HEARTBEAT_LIMITS.minEverySeconds,
    maximum: HEARTBEAT_LIMITS.maxEverySeconds,
    description: 'How often the address is called',
  }),
  isActive: Type.Boolean({ description: 'Whether the address is called' }),
  isHealthy: nullable(
    Type.Boolean({ description: 'Whether the server was well at the last check; null before' }),
  ),
  lastSentDateTime: nullable(
    Type.String({
      format: 'date-time',
      description: 'When the service last accepted a call that the server is well',
    }),
  ),
  lastError: nullable(
    Type.String({ description: 'What was wrong at the last check, or with the call' }),
  ),
  createdDateTime: DateTime,
  updatedDateTime: DateTime,
};

export const Heartbeat = Type.Object(fields, closed);

export type Heartbeat = Static<typeof Heartbeat>;

const heartbeats = recordOperations({
  tag: 'Paging',
  path: '/primary/v1/{organizationId}/heartbeats',
  idName: 'heartbeatId',
  record: Heartbeat,
  listed: Heartbeat,
  names: ['heartbeat', 'heartbeats'],
  reading: permission('ManagePaging'),
  managing: permission('ManagePaging'),
});

export const listHeartbeats = operation({
  ...heartbeats.list,
  id: 'listHeartbeats',
  summary: 'List heartbeats, newest first',
});

export const retrieveHeartbeat = operation({
  ...heartbeats.retrieve,
  id: 'retrieveHeartbeat',
  summary: 'Retrieve a heartbeat',
});

export const createHeartbeat = operation({
  ...heartbeats.create,
  id: 'createHeartbeat',
  summary: 'Create a heartbeat; its address is called at once, and then regularly',
  body: Type.Object(
    {
      name: fields.name,
      kind: defaulted(fields.kind, 'OTHER'),
      url,
      everySeconds: defaulted(fields.everySeconds, 60),
      isActive: defaulted(Type.Boolean(), true),
    },
    closed,
  ),
  failures: ['CONFLICT'],
});

export const updateHeartbeat = operation({
  ...heartbeats.update,
  id: 'updateHeartbeat',
  summary: 'Change a heartbeat; its address is called at once',
  body: Type.Object(
    {
      name: Type.Optional(fields.name),
      kind: Type.Optional(fields.kind),
      url: Type.Optional(url),
      everySeconds: Type.Optional(fields.everySeconds),
      isActive: Type.Optional(Type.Boolean()),
    },
    closed,
  ),
});

export const deleteHeartbeat = operation({
  ...heartbeats.remove,
  id: 'deleteHeartbeat',
  summary: 'Delete a heartbeat; delete it at the service too, which else reports silence',
});
