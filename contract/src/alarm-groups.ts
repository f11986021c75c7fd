import Type, { type Static, type TUnsafe } from 'typebox';
import { SEVERITIES } from './alarms.ts';
import { fold } from './fold.ts';
import { linkOperations } from './link-operations.ts';
import { anyCredential, operation, permission } from './operation.ts';
import type { FieldError } from './problem.ts';
import { recordOperations } from './record-operations.ts';
import { closed, DateTime, defaulted, Email, Id, name, nullable, oneOf, text } from './schema.ts';

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
      const key = `${field} ${fold(value)}`;
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

const groups = recordOperations({
  tag: 'Alarm groups',
  path: '/primary/v1/{organizationId}/alarm-groups',
  idName: 'alarmGroupId',
  record: AlarmGroup,
  listed: AlarmGroup,
  names: ['alarm group', 'alarm groups'],
  reading: anyCredential,
  managing: permission('ManageAlarmGroups'),
});

export const listAlarmGroups = operation({
  ...groups.list,
  id: 'listAlarmGroups',
  summary: 'List alarm groups, newest first',
});

export const retrieveAlarmGroup = operation({
  ...groups.retrieve,
  id: 'retrieveAlarmGroup',
  summary: 'Retrieve an alarm group',
});

export const createAlarmGroup = operation({
  ...groups.create,
  id: 'createAlarmGroup',
  summary: 'Create an alarm group',
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
});

export const updateAlarmGroup = operation({
  ...groups.update,
  id: 'updateAlarmGroup',
  summary: 'Change an alarm group; given subscriptions replace the stored ones',
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
});

export const deleteAlarmGroup = operation({
  ...groups.remove,
  id: 'deleteAlarmGroup',
  summary: 'Delete an alarm group; its Alarms stay without a group',
});

const link = linkOperations(
  { tag: 'Alarm groups', path: '/unsubscribe/{token}' },
  {
    token: 'The token in the link of a mail',
    confirmed: 'A page that confirms it, also if the address was removed before',
  },
);

export const showUnsubscribe = operation({
  ...link.show,
  id: 'showUnsubscribe',
  summary: 'Show the page of the unsubscribe link of a mail; changes nothing',
});

export const unsubscribe = operation({
  ...link.confirm,
  id: 'unsubscribe',
  summary: 'Remove the address of a mail from the alarm groups for which it was sent (RFC 8058)',
});
