import type { PageGrouping, Severity } from '@fieldwatch/contract';
import { isoDateTime } from '../../../runtime/index.ts';
import { run, sql, type Transaction } from '../../../storage/index.ts';
import { COLUMNS, type PagePolicy, type PageRow } from '../records/index.ts';

export interface GroupPolicy {
  readonly alarmGroupId: string;
  readonly policyId: string;
  readonly name: string;
  readonly groupSeconds: number;
  readonly groupBy: PageGrouping;
  readonly policy: PagePolicy;
}

interface GroupName {
  readonly organizationId: string;
  readonly alarmGroupId: string;
}

/**
 * The policies of alarm groups. Their rows are locked until the transaction ends, so that two
 * servers do not both start the first page of a key.
 */
export function lockPolicies(
  tx: Transaction,
  groups: readonly GroupName[],
): Promise<GroupPolicy[]> {
  return run(
    tx,
    sql`select alarm_groups.id as "alarmGroupId", policy.id as "policyId", policy.name,
          group_seconds as "groupSeconds", group_by as "groupBy",
          json_build_object('steps', steps, 'repeat', repeat,
            'acknowledgeTimeoutSeconds', acknowledge_timeout_seconds,
            'reminderMinutes', reminder_minutes) as policy
        from json_to_recordset(${JSON.stringify(groups)}) as asked
          ("organizationId" uuid, "alarmGroupId" uuid)
        join alarm_groups on alarm_groups.organization_id = "organizationId"
          and alarm_groups.id = "alarmGroupId"
        join escalation_policies policy on policy.organization_id = "organizationId"
          and policy.id = escalation_policy_id
        order by policy.organization_id, policy.id
        for no key update of policy`,
  );
}

export type KeyedPage = PageRow & { readonly groupKey: string };

interface PageKey {
  readonly organizationId: string;
  readonly policyId: string;
  readonly groupKey: string;
}

/** The newest page of each policy and key that is not resolved, locked. */
export function lockNewest(tx: Transaction, keys: readonly PageKey[]): Promise<KeyedPage[]> {
  return run(
    tx,
    sql`select ${COLUMNS}, group_key as "groupKey" from pages
        where (organization_id, id) in (
          select newest.organization_id, newest.id
          from json_to_recordset(${JSON.stringify(keys)}) as asked
            ("organizationId" uuid, "policyId" uuid, "groupKey" text)
          cross join lateral (select organization_id, id from pages
            where pages.organization_id = "organizationId" and pages.policy_id = "policyId"
              and pages.group_key = "groupKey"
            order by created_at desc, id desc limit 1) newest)
        order by organization_id, id
        for no key update`,
  );
}

export interface AlarmPages {
  readonly alarmId: string;
  readonly eventCount: number;
  readonly pageId: string;
}

/** How many events of each Alarm joined pages of late, and the newest of these pages. */
export function listAlarmPages(
  tx: Transaction,
  alarms: readonly { readonly organizationId: string; readonly alarmId: string }[],
  since: number,
): Promise<AlarmPages[]> {
  return run(
    tx,
    sql`select "alarmId", count(*) as "eventCount",
          (array_agg(page_id order by joined_at desc, page_id desc))[1] as "pageId"
        from json_to_recordset(${JSON.stringify(alarms)}) as asked
          ("organizationId" uuid, "alarmId" uuid)
        join page_events on page_events.organization_id = "organizationId"
          and page_events.alarm_id = "alarmId" and joined_at > ${isoDateTime(since)}
        group by "alarmId"
        order by "alarmId"`,
  );
}

export async function lockPages(
  tx: Transaction,
  names: readonly { readonly organizationId: string; readonly pageId: string }[],
): Promise<KeyedPage[]> {
  if (names.length === 0) return [];
  return await run(
    tx,
    sql`select ${COLUMNS}, group_key as "groupKey" from pages
        where (organization_id, id) in (select "organizationId", "pageId"
          from json_to_recordset(${JSON.stringify(names)}) as asked
            ("organizationId" uuid, "pageId" uuid))
        order by organization_id, id
        for no key update`,
  );
}

export interface NewPageEvent {
  readonly organizationId: string;
  readonly pageId: string;
  readonly eventId: string;
  readonly alarmId: string;
  readonly severity: Severity;
}

export async function insertPageEvents(
  tx: Transaction,
  events: readonly NewPageEvent[],
  now: number,
): Promise<void> {
  await run(
    tx,
    sql`insert into page_events (organization_id, page_id, event_id, alarm_id, severity, joined_at)
        select "organizationId", "pageId", "eventId", "alarmId", severity, ${isoDateTime(now)}
        from json_to_recordset(${JSON.stringify(events)}) as given ("organizationId" uuid,
          "pageId" uuid, "eventId" uuid, "alarmId" uuid, severity text)
        on conflict do nothing`,
  );
}

/** Events were cleared or acknowledged: their pages are looked at. */
export async function wakePagesOf(
  tx: Transaction,
  events: readonly { readonly organizationId: string; readonly eventId: string }[],
  now: number,
): Promise<void> {
  const at = isoDateTime(now);
  await run(
    tx,
    sql`update pages set wake_at = least(wake_at, ${at})
        where (organization_id, id) in (
          select page_events.organization_id, page_id
          from json_to_recordset(${JSON.stringify(events)}) as asked
            ("organizationId" uuid, "eventId" uuid)
          join page_events on page_events.organization_id = "organizationId"
            and page_events.event_id = "eventId"
          join pages on pages.organization_id = page_events.organization_id
            and pages.id = page_id and pages.state <> 'RESOLVED'
          order by page_events.organization_id, page_id)`,
  );
}
