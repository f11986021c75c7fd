import type { Severity } from '@fieldwatch/contract';
import { fold, isoDateTime } from '../../runtime/index.ts';
import { rowsOf, run, sql, type Transaction } from '../../storage/index.ts';

export interface AlarmGroupRow {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  /** In the order given. */
  readonly subscriptions: readonly SubscriptionRow[];
  readonly escalationPolicyId: string | null;
  readonly reminderMinutes: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly revision: number;
}

/** A subscription goes to an address or to a webhook, never to both. */
export type SubscriptionRow = { readonly severities: readonly Severity[] } & (
  | { readonly email: string; readonly webhookId: null }
  | { readonly email: null; readonly webhookId: string }
);

/** What an edit may set. */
export type AlarmGroupFields = Pick<
  AlarmGroupRow,
  'name' | 'description' | 'subscriptions' | 'escalationPolicyId' | 'reminderMinutes'
>;

/** An edit that leaves the subscriptions out keeps them. */
export type AlarmGroupEdit = Omit<AlarmGroupFields, 'subscriptions'> & {
  readonly subscriptions: AlarmGroupFields['subscriptions'] | null;
};

const COLUMNS = sql`id, name, description,
  (select coalesce(json_agg(json_build_object('email', member.email,
      'webhookId', member.webhook_id, 'severities', member.severities) order by position), '[]')
    from alarm_group_subscriptions member
    where member.organization_id = alarm_groups.organization_id
      and member.alarm_group_id = alarm_groups.id) as subscriptions,
  escalation_policy_id as "escalationPolicyId", reminder_minutes as "reminderMinutes",
  created_at as "createdAt", updated_at as "updatedAt", revision`;

const rows = rowsOf<AlarmGroupRow>('alarm_groups', COLUMNS);

export const {
  find: findAlarmGroup,
  list: listAlarmGroups,
  lock: lockAlarmGroup,
  remove: deleteAlarmGroup,
} = rows;

export interface NewAlarmGroup extends AlarmGroupFields {
  readonly id: string;
  readonly now: number;
}

export async function insertAlarmGroup(
  tx: Transaction,
  organizationId: string,
  group: NewAlarmGroup,
): Promise<AlarmGroupRow> {
  const at = isoDateTime(group.now);
  await run(
    tx,
    sql`insert into alarm_groups (organization_id, id, name, name_folded, description,
          escalation_policy_id, reminder_minutes, created_at, updated_at)
        values (${organizationId}, ${group.id}, ${group.name}, ${fold(group.name)},
          ${group.description}, ${group.escalationPolicyId}, ${group.reminderMinutes}, ${at}, ${at})`,
  );
  await insertSubscriptions(tx, organizationId, group.id, group.subscriptions);
  return rows.get(tx, organizationId, group.id);
}

export async function updateAlarmGroup(
  tx: Transaction,
  organizationId: string,
  id: string,
  fields: AlarmGroupEdit,
  now: number,
): Promise<AlarmGroupRow> {
  await run(
    tx,
    sql`update alarm_groups set name = ${fields.name}, name_folded = ${fold(fields.name)},
          description = ${fields.description}, escalation_policy_id = ${fields.escalationPolicyId},
          reminder_minutes = ${fields.reminderMinutes}, updated_at = ${isoDateTime(now)},
          revision = revision + 1
        where organization_id = ${organizationId} and id = ${id}`,
  );
  if (fields.subscriptions) {
    await run(
      tx,
      sql`delete from alarm_group_subscriptions
          where organization_id = ${organizationId} and alarm_group_id = ${id}`,
    );
    await insertSubscriptions(tx, organizationId, id, fields.subscriptions);
  }
  return rows.get(tx, organizationId, id);
}

async function insertSubscriptions(
  tx: Transaction,
  organizationId: string,
  alarmGroupId: string,
  subscriptions: readonly SubscriptionRow[],
): Promise<void> {
  if (subscriptions.length === 0) return;
  const rows = subscriptions.map(
    ({ email, webhookId, severities }, position) =>
      sql`(${organizationId}, ${alarmGroupId}, ${position}, ${email},
        ${email === null ? null : fold(email)}, ${webhookId}, ${severities})`,
  );
  await run(
    tx,
    sql`insert into alarm_group_subscriptions (organization_id, alarm_group_id, position, email,
          email_folded, webhook_id, severities)
        values ${sql.join(rows)}`,
  );
}
