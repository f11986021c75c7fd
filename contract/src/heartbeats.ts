import Type, { type Static } from 'typebox';
import { operation, permission } from './operation.ts';
import {
  closed,
  DateTime,
  defaulted,
  Id,
  listOf,
  name,
  nullable,
  oneOf,
  paging,
  search,
} from './schema.ts';
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

const path = '/primary/v1/{organizationId}/heartbeats';
const onePath = `${path}/{heartbeatId}` as const;
const shared = { tag: 'Paging', access: permission('ManagePaging') } as const;
const tagged = {
  status: 200,
  description: 'The heartbeat',
  body: Heartbeat,
  tagged: true,
} as const;

export const listHeartbeats = operation({
  ...shared,
  id: 'listHeartbeats',
  method: 'GET',
  path,
  summary: 'List heartbeats, newest first',
  effect: 'read',
  query: Type.Object({ search: Type.Optional(search), ...paging }, closed),
  reply: { status: 200, description: 'A page of heartbeats', body: listOf(Heartbeat) },
});

export const retrieveHeartbeat = operation({
  ...shared,
  id: 'retrieveHeartbeat',
  method: 'GET',
  path: onePath,
  summary: 'Retrieve a heartbeat',
  effect: 'read',
  reply: tagged,
});

export const createHeartbeat = operation({
  ...shared,
  id: 'createHeartbeat',
  method: 'POST',
  path,
  summary: 'Create a heartbeat; its address is called at once, and then regularly',
  effect: 'write',
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
  reply: { ...tagged, status: 201 },
  failures: ['CONFLICT'],
});

export const updateHeartbeat = operation({
  ...shared,
  id: 'updateHeartbeat',
  method: 'PATCH',
  path: onePath,
  summary: 'Change a heartbeat; its address is called at once',
  effect: 'write',
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
  reply: tagged,
});

export const deleteHeartbeat = operation({
  ...shared,
  id: 'deleteHeartbeat',
  method: 'DELETE',
  path: onePath,
  summary: 'Delete a heartbeat; delete it at the service too, which else reports silence',
  effect: 'write',
  reply: { status: 204, description: 'The heartbeat is deleted', tagged: true },
});
