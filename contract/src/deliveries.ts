import Type, { type Static } from 'typebox';
import { operation, permission } from './operation.ts';
import { closed, DateTime, Email, filter, Id, listOf, nullable, oneOf, paging } from './schema.ts';

export const DELIVERY_CHANNELS = ['EMAIL', 'WEBHOOK', 'WEB_PUSH', 'SMS', 'VOICE'] as const;

export type DeliveryChannel = (typeof DELIVERY_CHANNELS)[number];

export const DELIVERY_STATES = ['PENDING', 'DELIVERED', 'FAILED', 'CANCELLED'] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];

export const MESSAGE_TYPES = [
  'alarm.raised',
  'alarm.cleared',
  'alarm.acknowledged',
  'alarm.digest',
  'text',
] as const;

export const Delivery = Type.Object(
  {
    id: Type.String({
      format: 'uuid',
      description: 'Also the `webhook-id`: the same on every attempt and on redelivery',
    }),
    channel: oneOf(DELIVERY_CHANNELS),
    webhookId: nullable(Id),
    email: nullable({ ...Email, description: 'Of web push, the email of the user' }),
    phone: Type.Optional(Type.String({ description: 'Present for SMS and VOICE: the number' })),
    type: oneOf(MESSAGE_TYPES),
    eventId: nullable(
      Type.String({ format: 'uuid', description: 'Null for a digest and for a text' }),
    ),
    eventCount: Type.Integer({ minimum: 1, description: 'The number of changes it reports' }),
    state: oneOf(DELIVERY_STATES),
    attempts: Type.Integer({
      minimum: 0,
      description: 'Attempts since it was created or last redelivered',
    }),
    nextAttemptDateTime: nullable(DateTime),
    lastAttemptDateTime: nullable(DateTime),
    lastStatus: nullable(
      Type.Integer({ description: 'The status of the last HTTP or SMTP reply' }),
    ),
    lastError: nullable(Type.String()),
    lastDurationMs: nullable(Type.Integer({ minimum: 0 })),
    receipt: Type.Optional({
      ...oneOf(['DELIVERED', 'FAILED']),
      description: 'Present once the network has reported what became of a message to a phone',
    }),
    createdDateTime: DateTime,
  },
  closed,
);

export type Delivery = Static<typeof Delivery>;

const organizationPath = '/primary/v1/{organizationId}';
const ofWebhook = `${organizationPath}/webhooks/{webhookId}/deliveries` as const;
const states = Type.Optional(filter(oneOf(DELIVERY_STATES)));
const page = { status: 200, description: 'A page of deliveries', body: listOf(Delivery) } as const;

export const listDeliveries = operation({
  tag: 'Alarm groups',
  id: 'listDeliveries',
  method: 'GET',
  path: `${organizationPath}/deliveries`,
  summary: 'List deliveries by mail, webhook, web push and telephone, newest first',
  access: permission('ManageAlarmGroups'),
  effect: 'read',
  query: Type.Object(
    { channels: Type.Optional(filter(oneOf(DELIVERY_CHANNELS))), states, ...paging },
    closed,
  ),
  reply: page,
});

export const listWebhookDeliveries = operation({
  tag: 'Webhooks',
  id: 'listWebhookDeliveries',
  method: 'GET',
  path: ofWebhook,
  summary: 'List the deliveries to a webhook, newest first',
  access: permission('ManageWebhooks'),
  effect: 'read',
  query: Type.Object({ states, ...paging }, closed),
  reply: page,
});

export const redeliverWebhookDelivery = operation({
  tag: 'Webhooks',
  id: 'redeliverWebhookDelivery',
  method: 'POST',
  path: `${ofWebhook}/{deliveryId}/redeliver`,
  summary: 'Redeliver at once, whatever its state, under the same id',
  access: permission('ManageWebhooks'),
  effect: 'write',
  reply: { status: 200, description: 'The delivery, due now', body: Delivery },
  failures: ['CONFLICT'],
});
