import type { EscalationStep, PageGrouping } from '@fieldwatch/contract';
import { fold, isoDateTime } from '../../runtime/index.ts';
import { type Queries, rowsOf, run, sql, type Transaction } from '../../storage/index.ts';

export interface PolicyRow {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly steps: readonly EscalationStep[];
  readonly repeat: number;
  readonly acknowledgeTimeoutSeconds: number | null;
  readonly groupSeconds: number;
  readonly groupBy: PageGrouping;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly revision: number;
}

/** What an edit may set. */
export type PolicyFields = Omit<PolicyRow, 'id' | 'createdAt' | 'updatedAt' | 'revision'>;

const COLUMNS = sql`id, name, description, steps, repeat,
  acknowledge_timeout_seconds as "acknowledgeTimeoutSeconds", group_seconds as "groupSeconds",
  group_by as "groupBy", created_at as "createdAt", updated_at as "updatedAt", revision`;

const rows = rowsOf<PolicyRow>('escalation_policies', COLUMNS);

export const {
  find: findPolicy,
  list: listPolicies,
  lock: lockPolicy,
  remove: deletePolicy,
} = rows;

export async function insertPolicy(
  tx: Transaction,
  organizationId: string,
  policy: PolicyFields & { readonly id: string; readonly now: number },
): Promise<PolicyRow> {
  const at = isoDateTime(policy.now);
  await run(
    tx,
    sql`insert into escalation_policies (organization_id, id, name, name_folded, description, steps,
          repeat, acknowledge_timeout_seconds, group_seconds, group_by, created_at, updated_at)
        values (${organizationId}, ${policy.id}, ${policy.name}, ${fold(policy.name)},
          ${policy.description}, ${JSON.stringify(policy.steps)}, ${policy.repeat},
          ${policy.acknowledgeTimeoutSeconds}, ${policy.groupSeconds}, ${policy.groupBy}, ${at},
          ${at})`,
  );
  return rows.get(tx, organizationId, policy.id);
}

export async function updatePolicy(
  tx: Transaction,
  organizationId: string,
  id: string,
  fields: PolicyFields,
  now: number,
): Promise<PolicyRow> {
  await run(
    tx,
    sql`update escalation_policies set name = ${fields.name}, name_folded = ${fold(fields.name)},
          description = ${fields.description}, steps = ${JSON.stringify(fields.steps)},
          repeat = ${fields.repeat},
          acknowledge_timeout_seconds = ${fields.acknowledgeTimeoutSeconds},
          group_seconds = ${fields.groupSeconds}, group_by = ${fields.groupBy},
          updated_at = ${isoDateTime(now)}, revision = revision + 1
        where organization_id = ${organizationId} and id = ${id}`,
  );
  return rows.get(tx, organizationId, id);
}

export interface MemberRow {
  readonly userId: string;
  readonly email: string;
  readonly isActive: boolean;
  /** Whether they can be paged otherwise than by mail. */
  readonly hasOtherMethod: boolean;
}

/** Those of the users who are members, also those who have not accepted yet. */
export function listMembers(
  db: Queries,
  organizationId: string,
  userIds: readonly string[],
): Promise<MemberRow[]> {
  return run(
    db,
    sql`select user_id as "userId", email, status = 'ACTIVE' as "isActive",
          exists (select 1 from contact_methods method
            where method.organization_id = memberships.organization_id
              and method.user_id = memberships.user_id and method.kind <> 'EMAIL'
              and method.verified_at is not null) as "hasOtherMethod"
        from memberships join users on users.id = user_id
        where organization_id = ${organizationId} and user_id = any(${userIds}::uuid[])
        order by user_id`,
  );
}

export interface GroupRow {
  readonly id: string;
  readonly name: string;
  /** Subscriptions that a message would reach, without webhooks that are switched off; followers. */
  readonly reachable: number;
}

export function listGroups(
  db: Queries,
  organizationId: string,
  ids: readonly string[],
): Promise<GroupRow[]> {
  return run(
    db,
    sql`select id, name, (select count(*) from alarm_group_subscriptions member
            left join webhooks on webhooks.organization_id = member.organization_id
              and webhooks.id = member.webhook_id
            where member.organization_id = alarm_groups.organization_id
              and member.alarm_group_id = alarm_groups.id
              and webhooks.is_active is not false)
          + (select count(*) from alarm_group_followers follower
            where follower.organization_id = alarm_groups.organization_id
              and follower.alarm_group_id = alarm_groups.id) as reachable
        from alarm_groups
        where organization_id = ${organizationId} and id = any(${ids}::uuid[])`,
  );
}

export interface WebhookRow {
  readonly id: string;
  readonly name: string;
  readonly isActive: boolean;
}

export function listWebhooks(
  db: Queries,
  organizationId: string,
  ids: readonly string[],
): Promise<WebhookRow[]> {
  return run(
    db,
    sql`select id, name, is_active as "isActive" from webhooks
        where organization_id = ${organizationId} and id = any(${ids}::uuid[])`,
  );
}
