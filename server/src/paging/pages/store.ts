import type {
  DeliveryChannel,
  DeliveryState,
  PageLogKind,
  PageState,
  Severity,
} from '@fieldwatch/contract';
import { isActive } from '../../alarms/index.ts';
import { isoDateTime } from '../../runtime/index.ts';
import {
  all,
  type Page,
  type PageRequest,
  page,
  type Queries,
  run,
  sql,
} from '../../storage/index.ts';
import { COLUMNS, type PageRow } from './records/index.ts';

/** A page with what a list shows of its events. */
export interface ListedPage extends PageRow {
  readonly eventCount: number;
  readonly activeEventCount: number;
  readonly alarmName: string | null;
  readonly deviceName: string | null;
}

const OF_PAGE = sql`
  (select count(*) from page_events named where named.organization_id = page."organizationId"
    and named.page_id = page.id) as "eventCount",
  (select count(*) from page_events named join alarm_events event
      on event.organization_id = named.organization_id and event.id = named.event_id
    where named.organization_id = page."organizationId" and named.page_id = page.id
      and ${isActive(sql`event`)}) as "activeEventCount",
  gravest.alarm_name as "alarmName", gravest.device_name as "deviceName"`;

const GRAVEST = sql`lateral (select alarm_name, device_name from page_events named
    join alarm_events event on event.organization_id = named.organization_id
      and event.id = named.event_id
    where named.organization_id = page."organizationId" and named.page_id = page.id
    order by array_position(array['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'], named.severity),
      joined_at, named.event_id
    limit 1) gravest on true`;

export interface PageFilter {
  /** None means all. */
  readonly states: readonly PageState[];
  readonly policyId: string | null;
}

export async function listPages(
  db: Queries,
  organizationId: string,
  { states, policyId }: PageFilter,
  request: PageRequest,
): Promise<Page<ListedPage>> {
  const where = all([
    sql`organization_id = ${organizationId}`,
    states.length === 0 ? undefined : sql`state = any(${states})`,
    policyId === null ? undefined : sql`policy_id = ${policyId}`,
  ]);
  const found = await page<PageRow>(db, { columns: COLUMNS, from: sql`pages`, where }, request);
  const rows = await withEvents(
    db,
    organizationId,
    found.rows.map(({ id }) => id),
  );
  const shown = new Map(rows.map((each) => [each.id, each]));
  return { count: found.count, rows: found.rows.flatMap(({ id }) => shown.get(id) ?? []) };
}

/** Pages with what is to be shown of their events. */
export function withEvents(
  db: Queries,
  organizationId: string,
  ids: readonly string[],
): Promise<ListedPage[]> {
  return run(
    db,
    sql`select page.*, ${OF_PAGE}
        from (select ${COLUMNS} from pages
          where organization_id = ${organizationId} and id = any(${ids}::uuid[])) page
        left join ${GRAVEST}`,
  );
}

export interface EventRow {
  readonly eventId: string;
  readonly alarmName: string;
  readonly deviceName: string;
  readonly severity: Severity;
  readonly raisedAt: number;
  readonly clearedAt: number | null;
  readonly acknowledgedBy: string | null;
}

export function listEvents(
  db: Queries,
  organizationId: string,
  pageId: string,
  max: number,
): Promise<EventRow[]> {
  return run(
    db,
    sql`select event.id as "eventId", alarm_name as "alarmName", device_name as "deviceName",
          event.severity, raised_at as "raisedAt", cleared_at as "clearedAt",
          acknowledged_by as "acknowledgedBy"
        from page_events named join alarm_events event
          on event.organization_id = named.organization_id and event.id = named.event_id
        where named.organization_id = ${organizationId} and named.page_id = ${pageId}
        order by array_position(array['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'], event.severity),
          raised_at, event.id
        limit ${max}`,
  );
}

export interface DeliveryRow {
  readonly id: string;
  readonly channel: DeliveryChannel;
  readonly recipient: string;
  readonly userEmail: string | null;
  readonly step: number;
  readonly loop: number;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly lastError: string | null;
  readonly dueAt: number;
  readonly lastAttemptAt: number | null;
}

/** The last deliveries, oldest first. */
export async function listDeliveries(
  db: Queries,
  organizationId: string,
  pageId: string,
  max: number,
): Promise<DeliveryRow[]> {
  const rows = await run<DeliveryRow>(
    db,
    sql`select deliveries.id,
          case when target.webhook_id is not null then 'WEBHOOK'
            when target.push_id is not null then 'WEB_PUSH'
            when target.phone is not null then target.phone_kind else 'EMAIL' end as channel,
          coalesce(target.email, target.phone, webhooks.name, push.name, '') as recipient,
          users.email as "userEmail", coalesce(page_step, 0) as step,
          coalesce(page_loop, 0) as loop, state, attempts,
          last_error as "lastError", started_at as "dueAt", last_attempt_at as "lastAttemptAt"
        from deliveries join notification_targets target
          on target.organization_id = deliveries.organization_id and target.id = target_id
        left join webhooks on webhooks.organization_id = target.organization_id
          and webhooks.id = target.webhook_id
        left join web_push_subscriptions push on push.organization_id = target.organization_id
          and push.id = target.push_id
        left join users on users.id = deliveries.user_id
        where deliveries.organization_id = ${organizationId} and page_id = ${pageId}
        order by deliveries.created_at desc, deliveries.id desc limit ${max}`,
  );
  return rows.reverse();
}

export interface LogRow {
  readonly kind: PageLogKind;
  readonly at: number;
  readonly actor: string | null;
  readonly detail: string | null;
}

/** The last entries, oldest first. */
export async function listLog(
  db: Queries,
  organizationId: string,
  pageId: string,
  max: number,
): Promise<LogRow[]> {
  const rows = await run<LogRow>(
    db,
    sql`select kind, at, actor, detail from page_log
        where organization_id = ${organizationId} and page_id = ${pageId}
        order by number desc limit ${max}`,
  );
  return rows.reverse();
}

/** The email of an active member; null for anyone else. */
export async function findMemberEmail(
  db: Queries,
  organizationId: string,
  userId: string,
): Promise<string | null> {
  const [row] = await run<{ email: string }>(
    db,
    sql`select email from memberships join users on users.id = user_id
        where organization_id = ${organizationId} and user_id = ${userId} and status = 'ACTIVE'`,
  );
  return row?.email ?? null;
}

/** How many pages there are in each state that is not resolved. */
export function countOpen(
  db: Queries,
): Promise<{ readonly state: PageState; readonly count: number }[]> {
  return run(
    db,
    sql`select state, count(*) from pages where state <> 'RESOLVED' group by state order by state`,
  );
}

/** Steps that are due, and those of them that have been for longer than a time. */
export async function countDueSteps(
  db: Queries,
  now: number,
  lateMs: number,
): Promise<{ readonly due: number; readonly late: number }> {
  const [row] = await run<{ due: number; late: number }>(
    db,
    sql`select count(*) as due,
          count(*) filter (where next_at < ${isoDateTime(now - lateMs)}) as late
        from pages where wake_at <= ${isoDateTime(now)} and next_at <= ${isoDateTime(now)}
          and state <> 'SUPPRESSED'`,
  );
  return row ?? { due: 0, late: 0 };
}

/** Deletes the oldest of the pages that ended before, and of tests that began before. */
export async function deleteEnded(db: Queries, before: number, max: number): Promise<void> {
  const at = isoDateTime(before);
  await run(
    db,
    sql`delete from pages where (organization_id, id) in (
          (select organization_id, id from pages where ended_at < ${at}
            order by ended_at limit ${max})
          union all
          (select organization_id, id from pages where is_test and created_at < ${at}
            order by created_at limit ${max}))`,
  );
}
