import Type, { type Static } from 'typebox';
import { SEVERITIES } from './alarms.ts';
import { operation, userOnly } from './operation.ts';
import { closed, DateTime, defaulted, Id, listOf, name, oneOf, paging } from './schema.ts';

const KEY_RULE = 'must be a public key of the curve P-256, uncompressed and in base64url';
const SECRET_RULE = 'must be 16 bytes in base64url';
const ENDPOINT_RULE = 'must be an http or https URL without credentials';

const endpoint = Type.String({
  maxLength: 1000,
  pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#@\\\\]+(?:[/?#][\\x21-\\x7e]*)?$',
  'x-messages': { pattern: ENDPOINT_RULE },
  description:
    "The address of the browser at its push service, as the browser's subscription has it",
});

const severities = Type.Array(oneOf(SEVERITIES), {
  uniqueItems: true,
  maxItems: SEVERITIES.length,
  description: 'Severities to notify of; an empty list means all',
});

export const WebPushSubscription = Type.Object(
  { id: Id, name: name(1, 100), endpoint, severities, createdDateTime: DateTime },
  closed,
);

export type WebPushSubscription = Static<typeof WebPushSubscription>;

const path = '/primary/v1/{organizationId}/web-push-subscriptions';
const shared = { tag: 'Web push', access: userOnly('ReadAlarmConfigurations') } as const;

export const retrieveWebPushKey = operation({
  ...shared,
  id: 'retrieveWebPushKey',
  method: 'GET',
  path: '/primary/v1/{organizationId}/web-push-key',
  summary: 'Retrieve the public key to which browsers bind their subscriptions (RFC 8292)',
  effect: 'read',
  reply: {
    status: 200,
    description: 'The key',
    body: Type.Object(
      { publicKey: Type.String({ description: 'The `applicationServerKey`, in base64url' }) },
      closed,
    ),
  },
});

export const listWebPushSubscriptions = operation({
  ...shared,
  id: 'listWebPushSubscriptions',
  method: 'GET',
  path,
  summary: 'List the browsers in which the user receives notifications, newest first',
  effect: 'read',
  query: Type.Object(paging, closed),
  reply: {
    status: 200,
    description: 'A page of subscriptions',
    body: listOf(WebPushSubscription),
  },
});

export const createWebPushSubscription = operation({
  ...shared,
  id: 'createWebPushSubscription',
  method: 'POST',
  path,
  summary: 'Notify the user of alarms in a browser; a subscription of the same browser is replaced',
  effect: 'write',
  body: Type.Object(
    {
      name: name(1, 100),
      endpoint,
      keys: Type.Object(
        {
          p256dh: Type.String({
            pattern: '^[\\w-]{87}=?$',
            'x-messages': { pattern: KEY_RULE },
            description: 'The public key of the browser',
          }),
          auth: Type.String({
            pattern: '^[\\w-]{22}={0,2}$',
            'x-messages': { pattern: SECRET_RULE },
            description: 'The secret that the browser shares with this server',
          }),
        },
        closed,
      ),
      severities: defaulted(severities, []),
    },
    closed,
  ),
  reply: { status: 201, description: 'The subscription', body: WebPushSubscription, tagged: true },
  failures: ['CONFLICT'],
});

export const deleteWebPushSubscription = operation({
  ...shared,
  id: 'deleteWebPushSubscription',
  method: 'DELETE',
  path: `${path}/{subscriptionId}`,
  summary: 'Stop notifications in a browser of the user',
  effect: 'write',
  reply: { status: 204, description: 'The browser receives no more notifications' },
});
