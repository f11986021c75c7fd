import Type, { type Static, type TUnsafe } from 'typebox';
import { SEVERITIES } from './alarms.ts';
import { anyCredential, anyone, operation, permission } from './operation.ts';
import type { FieldError } from './problem.ts';
import {
  closed,
  DateTime,
  defaulted,
  Email,
  Id,
  listOf,
  name,
  nullable,
  oneOf,
  paging,
  search,
  text,
} from './schema.ts';

const severities = Type.Array(oneOf(SEVERITIES), {
  uniqueItems: true,
  maxItems: SEVERITIES.length,
  description: 'Severities to notify of; an empty list means all',
});

const toEmail = { kind: oneOf(['EMAIL']), email: Email };
const toWebhook = { kind: oneOf(['WEBHOOK']), webhookId: Id };

export const EmailSubscription = Type.Object({ ...toEmail, severities }, closed);
export const WebhookSubscription = Type.Object({ ...toWebhook, severities }, closed);

const writtenEmail = Type.Object({ ...toEmail, severities: Type.Optional(severities) }, closed);
const writtenWebhook = Type.Object({ ...toWebhook, severities: Type.Optional(severities) }, closed);

type WrittenSubscription = Static<typeof writtenEmail> | Static<typeof writtenWebhook>;

const WrittenSubscription: TUnsafe<WrittenSubscription> = Type.Unsafe<WrittenSubscription>({
  type: 'object',
  required: ['kind'],
  discriminator: { propertyName: 'kind' },
  oneOf: [writtenEmail, writtenWebhook],
});

const MAX_SUBSCRIPTIONS = 100;

const WrittenSubscriptions = Type.Array(WrittenSubscription, { maxItems: MAX_SUBSCRIPTIONS });

/** Nobody is notified twice: a second subscription of one address or webhook is refused. */
function repeatErrors(body: unknown): FieldError[] {
  const { subscriptions } = Object(body) as { subscriptions?: unknown };
  if (!Array.isArray(subscriptions) || subscriptions.length > MAX_SUBSCRIPTIONS) return [];
  const firstOf = new Map<string, number>();
  const errors: FieldError[] = [];
  for (const [index, each] of subscriptions.entries()) {
    for (const field of ['email', 'webhookId']) {
      const value: unknown = Object(each)[field];
      if (typeof value !== 'string') continue;
      const key = `${field} ${value.normalize('NFC').toLowerCase()}`;
      const first = firstOf.get(key);
      if (first === undefined) firstOf.set(key, index);
      else {
        const message = `repeats subscriptions[${first}].${field}`;
        errors.push({ path: `subscriptions[${index}].${field}`, message });
      }
    }
  }
  return errors;
}

const reminderMinutes = Type.Integer({
  minimum: 1,
  maximum: 10_080,
  description:
    'Minutes between reminders while a page is acknowledged or exhausted and its events are active',
});

/** Null ends paging, or reminders. */
const writtenPaging = {
  escalationPolicyId: Type.Optional(nullable(Id)),
  reminderMinutes: Type.Optional(nullable(reminderMinutes)),
};

export const AlarmGroup = Type.Object(
  {
    id: Id,
    name: name(1, 100),
    description: nullable(text(0, 500)),
    subscriptions: Type.Array(Type.Union([EmailSubscription, WebhookSubscription]), {
      maxItems: MAX_SUBSCRIPTIONS,
      description: 'The subscriptions to notify, in the given order',
    }),
    escalationPolicyId: Type.Optional({
      ...Id,
      description: 'Present if its raised events are paged by an escalation policy',
    }),
    reminderMinutes: Type.Optional(reminderMinutes),
    createdDateTime: DateTime,
    updatedDateTime: DateTime,
  },
  closed,
);

export type AlarmGroup = Static<typeof AlarmGroup>;

const path = '/primary/v1/{organizationId}/alarm-groups';
const onePath = `${path}/{alarmGroupId}` as const;
const tag = 'Alarm groups';
const tagged = {
  status: 200,
  description: 'The alarm group',
  body: AlarmGroup,
  tagged: true,
} as const;

export const listAlarmGroups = operation({
  tag,
  id: 'listAlarmGroups',
  method: 'GET',
  path,
  summary: 'List alarm groups, newest first',
  access: anyCredential,
  effect: 'read',
  query: Type.Object({ search: Type.Optional(search), ...paging }, closed),
  reply: { status: 200, description: 'A page of alarm groups', body: listOf(AlarmGroup) },
});

export const retrieveAlarmGroup = operation({
  tag,
  id: 'retrieveAlarmGroup',
  method: 'GET',
  path: onePath,
  summary: 'Retrieve an alarm group',
  access: anyCredential,
  effect: 'read',
  reply: tagged,
});

export const createAlarmGroup = operation({
  tag,
  id: 'createAlarmGroup',
  method: 'POST',
  path,
  summary: 'Create an alarm group',
  access: permission('ManageAlarmGroups'),
  effect: 'write',
  body: Type.Object(
    {
      name: name(1, 100),
      description: Type.Optional(nullable(text(0, 500))),
      subscriptions: defaulted(WrittenSubscriptions, []),
      ...writtenPaging,
    },
    closed,
  ),
  check: ({ body }) => repeatErrors(body),
  reply: { ...tagged, status: 201 },
});

export const updateAlarmGroup = operation({
  tag,
  id: 'updateAlarmGroup',
  method: 'PATCH',
  path: onePath,
  summary: 'Change an alarm group; given subscriptions replace the stored ones',
  access: permission('ManageAlarmGroups'),
  effect: 'write',
  body: Type.Object(
    {
      name: Type.Optional(name(1, 100)),
      description: Type.Optional(nullable(text(0, 500))),
      subscriptions: Type.Optional(WrittenSubscriptions),
      ...writtenPaging,
    },
    closed,
  ),
  check: ({ body }) => repeatErrors(body),
  reply: tagged,
});

export const deleteAlarmGroup = operation({
  tag,
  id: 'deleteAlarmGroup',
  method: 'DELETE',
  path: onePath,
  summary: 'Delete an alarm group; its Alarms stay without a group',
  access: permission('ManageAlarmGroups'),
  effect: 'write',
  reply: { status: 204, description: 'The alarm group is deleted', tagged: true },
});

const unsubscribing = {
  tag,
  path: '/unsubscribe/{token}',
  access: anyone,
  params: { token: Type.String({ description: 'The token in the link of a mail' }) },
} as const;
const htmlPage = {
  status: 200,
  body: Type.String(),
  mediaType: 'text/html; charset=utf-8',
} as const;

export const showUnsubscribe = operation({
  ...unsubscribing,
  id: 'showUnsubscribe',
  method: 'GET',
  summary: 'Show the page of the unsubscribe link of a mail; changes nothing',
  effect: 'read',
  reply: { ...htmlPage, description: 'A page that asks for confirmation' },
});

export const unsubscribe = operation({
  ...unsubscribing,
  id: 'unsubscribe',
  method: 'POST',
  summary: 'Remove the address of a mail from the alarm groups for which it was sent (RFC 8058)',
  effect: 'write',
  takesForms: true,
  reply: {
    ...htmlPage,
    description: 'A page that confirms it, also if the address was removed before',
  },
});
