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
  paging,
  search,
} from './schema.ts';
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

const path = '/primary/v1/{organizationId}/webhooks';
const onePath = `${path}/{webhookId}` as const;
const shared = { tag: 'Webhooks', access: permission('ManageWebhooks') } as const;
const tagged = { status: 200, description: 'The webhook', body: Webhook, tagged: true } as const;

export const listWebhooks = operation({
  ...shared,
  id: 'listWebhooks',
  method: 'GET',
  path,
  summary: 'List webhooks, newest first',
  effect: 'read',
  query: Type.Object({ search: Type.Optional(search), ...paging }, closed),
  reply: { status: 200, description: 'A page of webhooks', body: listOf(Webhook) },
});

export const retrieveWebhook = operation({
  ...shared,
  id: 'retrieveWebhook',
  method: 'GET',
  path: onePath,
  summary: 'Retrieve a webhook',
  effect: 'read',
  reply: tagged,
});

export const createWebhook = operation({
  ...shared,
  id: 'createWebhook',
  method: 'POST',
  path,
  summary: 'Create a webhook; only this reply contains its secret',
  effect: 'write',
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
  ...shared,
  id: 'updateWebhook',
  method: 'PATCH',
  path: onePath,
  summary: 'Change a webhook; another url needs the credential again',
  effect: 'write',
  body: Type.Object(
    {
      name: Type.Optional(fields.name),
      url: Type.Optional(webhookUrl),
      isActive: Type.Optional(Type.Boolean()),
      ...formatFields,
    },
    closed,
  ),
  reply: tagged,
});

export const deleteWebhook = operation({
  ...shared,
  id: 'deleteWebhook',
  method: 'DELETE',
  path: onePath,
  summary: 'Delete a webhook, and remove it from every alarm group',
  effect: 'write',
  reply: { status: 204, description: 'The webhook is deleted', tagged: true },
});

export const rotateWebhookSecret = operation({
  ...shared,
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: `${onePath}/secret`,
  summary: 'Issue a new secret for a webhook; the old one stays valid for 24 hours',
  effect: 'write',
  reply: { status: 200, description: 'The new secret', body: WebhookSecret, holdsSecrets: true },
});
