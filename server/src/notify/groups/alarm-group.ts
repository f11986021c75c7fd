import type { AlarmGroup, Body, Operations } from '@fieldwatch/contract';
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
  };
}

/** The stored fields with the given ones over them; what is left out stays. */
export function editedGroupFields(row: AlarmGroupRow, body: UpdateBody): AlarmGroupEdit {
  return {
    name: body.name ?? row.name,
    description: body.description === undefined ? row.description : body.description,
    subscriptions: body.subscriptions?.map(subscriptionRow) ?? null,
  };
}

function subscriptionRow(given: CreateBody['subscriptions'][number]): SubscriptionRow {
  const severities = given.severities ?? [];
  return given.kind === 'EMAIL'
    ? { email: given.email, webhookId: null, severities }
    : { email: null, webhookId: given.webhookId, severities };
}

/** The webhooks that must exist, by the field that names them. */
export function webhooksNamedIn({ subscriptions }: AlarmGroupEdit): Reference[] {
  return (subscriptions ?? []).map(({ webhookId }, index) => ({
    path: `subscriptions[${index}].webhookId`,
    table: 'webhooks',
    id: webhookId,
  }));
}

export function groupRecord(row: AlarmGroupRow): AlarmGroup {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    subscriptions: row.subscriptions.map(subscriptionRecord),
    createdDateTime: isoDateTime(row.createdAt),
    updatedDateTime: isoDateTime(row.updatedAt),
  };
}

function subscriptionRecord(row: SubscriptionRow): AlarmGroup['subscriptions'][number] {
  const severities = [...row.severities];
  return row.email === null
    ? { kind: 'WEBHOOK', webhookId: row.webhookId, severities }
    : { kind: 'EMAIL', email: row.email, severities };
}
