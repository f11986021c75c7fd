import type { AlarmGroup, Body, FieldError, Operations } from '@fieldwatch/contract';
import { isoDateTime } from '../../runtime/index.ts';
import type { Reference } from '../../storage/index.ts';
import type { AlarmGroupEdit, AlarmGroupFields, AlarmGroupRow, SubscriptionRow } from './store.ts';

type CreateBody = Body<Operations['createAlarmGroup']>;
type UpdateBody = Body<Operations['updateAlarmGroup']>;

export function newGroupFields(body: CreateBody): AlarmGroupFields {
  return {
    name: body.name,
    description: body.description ?? null,
    subscriptions: body.subscriptions.map(subscriptionRow),
    escalationPolicyId: body.escalationPolicyId ?? null,
    reminderMinutes: body.reminderMinutes ?? null,
  };
}

/** The stored fields with the given ones over them; what is left out stays. */
export function editedGroupFields(row: AlarmGroupRow, body: UpdateBody): AlarmGroupEdit {
  const { escalationPolicyId = row.escalationPolicyId } = body;
  // Without a policy the stored reminders end too.
  const stored = escalationPolicyId === null ? null : row.reminderMinutes;
  return {
    name: body.name ?? row.name,
    description: body.description === undefined ? row.description : body.description,
    subscriptions: body.subscriptions?.map(subscriptionRow) ?? null,
    escalationPolicyId,
    reminderMinutes: body.reminderMinutes === undefined ? stored : body.reminderMinutes,
  };
}

function subscriptionRow(given: CreateBody['subscriptions'][number]): SubscriptionRow {
  const severities = given.severities ?? [];
  return given.kind === 'EMAIL'
    ? { email: given.email, webhookId: null, severities }
    : { email: null, webhookId: given.webhookId, severities };
}

/** What must exist, by the field that names it. */
export function referencesIn({ subscriptions, escalationPolicyId }: AlarmGroupEdit): Reference[] {
  const webhooks = (subscriptions ?? []).map(
    ({ webhookId }, index): Reference => ({
      path: `subscriptions[${index}].webhookId`,
      table: 'webhooks',
      id: webhookId,
    }),
  );
  return [
    ...webhooks,
    { path: 'escalationPolicyId', table: 'escalation_policies', id: escalationPolicyId },
  ];
}

/** Reminders are of pages. */
export function reminderErrors(fields: AlarmGroupEdit): FieldError[] {
  if (fields.reminderMinutes === null || fields.escalationPolicyId !== null) return [];
  const message = 'needs an escalationPolicyId: without a policy nobody is paged or reminded';
  return [{ path: 'reminderMinutes', message }];
}

export function groupRecord(row: AlarmGroupRow): AlarmGroup {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    subscriptions: row.subscriptions.map(subscriptionRecord),
    ...pagingRecord(row),
    createdDateTime: isoDateTime(row.createdAt),
    updatedDateTime: isoDateTime(row.updatedAt),
  };
}

function pagingRecord({ escalationPolicyId, reminderMinutes }: AlarmGroupRow) {
  if (escalationPolicyId === null) return {};
  return { escalationPolicyId, ...(reminderMinutes === null ? {} : { reminderMinutes }) };
}

function subscriptionRecord(row: SubscriptionRow): AlarmGroup['subscriptions'][number] {
  const severities = [...row.severities];
  return row.email === null
    ? { kind: 'WEBHOOK', webhookId: row.webhookId, severities }
    : { kind: 'EMAIL', email: row.email, severities };
}
