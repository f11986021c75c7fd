import Type, { type Static } from 'typebox';
import { operation, permission } from './operation.ts';
import { recordOperations } from './record-operations.ts';
import { closed, DateTime, defaulted, Id, name, nullable } from './schema.ts';
import { credential, destination, format, template } from './webhook-formats.ts';

/** How a refusal words an address that cannot be called. */
export const WEBHOOK_URL_RULE = 'must be an http or https URL without credentials';

export const webhookUrl = Type.String({
  maxLength: 2000,
  pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#@\\\\]+(?:[/?#]\\S*)?$',
  'x-messages': { pattern: WEBHOOK_URL_RULE },
  description: 'The address of deliveries: http or https, without credentials',
  examples: ['https://example.com/alarms'],
});

const fields = {
  id: Id,
  name: name(1, 100),
  url: webhookUrl,
  isActive: Type.Boolean({ description: 'Whether it receives notifications' }),
  format: Type.Optional({ ...format, description: 'Absent for STANDARD' }),
  destination: Type.Optional(destination),
  hasCredential: Type.Optional(
    Type.Boolean({ description: 'Present, and true, where a credential is stored' }),
  ),
  template: Type.Optional(template),
  createdDateTime: DateTime,
  updatedDateTime: DateTime,
};

/** Further fields of requests; null removes one. */
const formatFields = {
  format: Type.Optional(format),
  destination: Type.Optional(nullable(destination)),
  credential: Type.Optional(nullable(credential)),
  template: Type.Optional(nullable(template)),
};

const secret = Type.String({
  description: 'Signs deliveries according to Standard Webhooks; never shown again',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
});

export const Webhook = Type.Object(fields, closed);

export type Webhook = Static<typeof Webhook>;

export const CreatedWebhook = Type.Object({ ...fields, secret }, closed);

export const WebhookSecret = Type.Object({ secret }, closed);

const webhooks = recordOperations({
  tag: 'Webhooks',
  path: '/primary/v1/{organizationId}/webhooks',
  idName: 'webhookId',
  record: Webhook,
  listed: Webhook,
  names: ['webhook', 'webhooks'],
  reading: permission('ManageWebhooks'),
  managing: permission('ManageWebhooks'),
});
const shared = { tag: 'Webhooks', access: permission('ManageWebhooks') } as const;

export const listWebhooks = operation({
  ...webhooks.list,
  id: 'listWebhooks',
  summary: 'List webhooks, newest first',
});

export const retrieveWebhook = operation({
  ...webhooks.retrieve,
  id: 'retrieveWebhook',
  summary: 'Retrieve a webhook',
});

export const createWebhook = operation({
  ...webhooks.create,
  id: 'createWebhook',
  summary: 'Create a webhook; only this reply contains its secret',
  body: Type.Object(
    {
      name: fields.name,
      url: webhookUrl,
      isActive: defaulted(Type.Boolean(), true),
      ...formatFields,
    },
    closed,
  ),
  reply: {
    status: 201,
    description: 'The webhook with its secret',
    body: CreatedWebhook,
    holdsSecrets: true,
    tagged: true,
  },
});

export const updateWebhook = operation({
  ...webhooks.update,
  id: 'updateWebhook',
  summary: 'Change a webhook; another url needs the credential again',
  body: Type.Object(
    {
      name: Type.Optional(fields.name),
      url: Type.Optional(webhookUrl),
      isActive: Type.Optional(Type.Boolean()),
      ...formatFields,
    },
    closed,
  ),
});

export const deleteWebhook = operation({
  ...webhooks.remove,
  id: 'deleteWebhook',
  summary: 'Delete a webhook, and remove it from every alarm group',
});

export const rotateWebhookSecret = operation({
  ...shared,
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: `${webhooks.onePath}/secret`,
  summary: 'Issue a new secret for a webhook; the old one stays valid for 24 hours',
  effect: 'write',
  reply: { status: 200, description: 'The new secret', body: WebhookSecret, holdsSecrets: true },
});

export const testWebhook = operation({
  ...shared,
  id: 'testWebhook',
  method: 'POST',
  path: `${webhooks.onePath}/test`,
  summary: 'Send a marked test message in the format of a webhook, and report the answer',
  effect: 'write',
  reply: {
    status: 200,
    description: 'How the receiver answered',
    body: Type.Object(
      {
        status: nullable(Type.Integer({ description: 'The status of the HTTP reply' })),
        durationMs: Type.Integer({ minimum: 0 }),
        error: nullable(Type.String({ description: 'Null where the message was accepted' })),
      },
      closed,
    ),
  },
});
