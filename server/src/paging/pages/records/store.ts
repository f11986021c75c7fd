import type { EscalationStep, Severity } from '@fieldwatch/contract';
import { isActive } from '../../../alarms/index.ts';
import { isoDateTime } from '../../../runtime/index.ts';
import { type Queries, rowsOf, run, saved, sql, type Transaction } from '../../../storage/index.ts';
import type { Facts, Run, RunPolicy } from '../machine/index.ts';

/** The policy of a page, as it was when the page began. */
export interface PagePolicy extends RunPolicy {
  readonly steps: readonly EscalationStep[];
}

/** A page as it is stored. */
export interface PageRow {
  readonly organizationId: string;
  readonly id: string;
  readonly policyId: string | null;
  readonly policyName: string;
  readonly policy: PagePolicy;
  readonly state: Run['state'];
  readonly severity: Severity;
  readonly isTest: boolean;
  readonly loop: number;
  readonly step: number | null;
  readonly lastLoop: number;
  readonly nextLoop: number | null;
  readonly nextStep: number | null;
  readonly nextAt: number | null;
  readonly activeAt: number;
  readonly acknowledgedAt: number | null;
  readonly acknowledgedBy: string | null;
  readonly acknowledgedUserId: string | null;
  readonly remindAt: number | null;
  readonly resumeAt: number | null;
  /** Somebody escalated or reassigned it: it is not suppressed any more. */
  readonly ignoresSuppression: boolean;
  readonly resolutionSentAt: number | null;
  readonly chatterCount: number;
  readonly createdAt: number;
  readonly endedAt: number | null;
  readonly revision: number;
}

export const COLUMNS = sql`organization_id as "organizationId", id, policy_id as "policyId",
  policy_name as "policyName", policy, state, severity, is_test as "isTest", loop, step,
  last_loop as "lastLoop", next_loop as "nextLoop", next_step as "nextStep", next_at as "nextAt",
  active_at as "activeAt", acknowledged_at as "acknowledgedAt",
  acknowledged_by as "acknowledgedBy", acknowledged_user_id as "acknowledgedUserId",
  remind_at as "remindAt", resume_at as "resumeAt",
  ignores_suppression as "ignoresSuppression", resolution_sent_at as "resolutionSentAt",
  chatter_count as "chatterCount", created_at as "createdAt", ended_at as "endedAt", revision`;

const rows = rowsOf<PageRow>('pages', COLUMNS);

export const { lock: lockPage } = rows;

export interface NewPage {
  readonly organizationId: string;
  readonly id: string;
  readonly policyId: string | null;
  readonly policyName: string;
  readonly policy: PagePolicy;
  readonly groupKey: string;
  readonly severity: Severity;
  readonly isTest: boolean;
  readonly run: Run;
  readonly wakeAt: number | null;
  readonly now: number;
}

const time = (at: number | null) => (at === null ? null : isoDateTime(at));

export async function insertPages(tx: Transaction, pages: readonly NewPage[]): Promise<void> {
  if (pages.length === 0) return;
  const values = pages.map(
    ({ run: { next, ...run }, ...page }) =>
      sql`(${page.organizationId}, ${page.id}, ${page.policyId}, ${page.policyName},
        ${JSON.stringify(page.policy)}, ${page.groupKey}, ${run.state}, ${page.severity},
        ${page.isTest}, ${run.loop}, ${run.step}, ${run.lastLoop}, ${next?.loop ?? null},
        ${next?.step ?? null}, ${time(next?.at ?? null)}, ${isoDateTime(run.activeAt)},
        ${time(page.wakeAt)}, ${isoDateTime(page.now)})`,
  );
  await run(
    tx,
    sql`insert into pages (organization_id, id, policy_id, policy_name, policy, group_key, state,
          severity, is_test, loop, step, last_loop, next_loop, next_step, next_at, active_at,
          wake_at, created_at)
        values ${sql.join(values)}`,
  );
}

/** What changes of a page beside its run. */
export interface PageChange {
  readonly severity?: Severity;
  readonly acknowledgedBy?: string | null;
  readonly acknowledgedUserId?: string | null;
  readonly resolutionSentAt?: number | null;
  readonly chatterCount?: number;
  readonly ignoresSuppression?: boolean;
  readonly endedAt?: number | null;
}

/** Saves the run of a locked page. */
export async function savePage(
  tx: Transaction,
  page: PageRow,
  { next, ...state }: Run,
  { wakeAt, ...change }: PageChange & { readonly wakeAt: number | null },
): Promise<PageRow> {
  const after = { ...page, ...change };
  return await saved(
    run<PageRow>(
      tx,
      sql`update pages set state = ${state.state}, severity = ${after.severity},
            loop = ${state.loop}, step = ${state.step}, last_loop = ${state.lastLoop},
            next_loop = ${next?.loop ?? null}, next_step = ${next?.step ?? null},
            next_at = ${time(next?.at ?? null)}, active_at = ${isoDateTime(state.activeAt)},
            acknowledged_at = ${time(state.acknowledgedAt)},
            acknowledged_by = ${after.acknowledgedBy},
            acknowledged_user_id = ${after.acknowledgedUserId},
            remind_at = ${time(state.remindAt)}, resume_at = ${time(state.resumeAt)},
            ignores_suppression = ${after.ignoresSuppression},
            resolution_sent_at = ${time(after.resolutionSentAt)},
            chatter_count = ${after.chatterCount}, ended_at = ${time(after.endedAt)},
            wake_at = ${time(wakeAt)}, revision = revision + 1
          where organization_id = ${page.organizationId} and id = ${page.id}
          returning ${COLUMNS}`,
    ),
  );
}

export interface LogEntry {
  readonly organizationId: string;
  readonly pageId: string;
  readonly kind: string;
  readonly at: number;
  readonly actor?: string | null;
  readonly detail?: string | null;
}

export async function insertLog(tx: Transaction, entries: readonly LogEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const given = entries.map(({ at, ...each }) => ({ ...each, at: isoDateTime(at) }));
  await run(
    tx,
    sql`insert into page_log (organization_id, page_id, kind, at, actor, detail)
        select "organizationId", "pageId", kind, at, actor, detail
        from json_to_recordset(${JSON.stringify(given)}) as given ("organizationId" uuid,
          "pageId" uuid, kind text, at timestamptz, actor text, detail text)`,
  );
}

export interface PageFacts extends Omit<Facts, 'suppression'> {
  readonly acknowledgedBy: string | null;
}

/** What is true of the events of a page now. An event that was deleted counts as cleared. */
export async function findFacts(
  tx: Transaction,
  organizationId: string,
  pageId: string,
): Promise<PageFacts> {
  return await saved(
    run<PageFacts>(
      tx,
      sql`select count(*) as "openCount",
            case when count(*) filter (where is_acknowledgeable) > 0
                and count(*) filter (where is_acknowledgeable and acknowledged_at is null) = 0
              then max(acknowledged_at) end as "acknowledgedAt",
            (array_agg(acknowledged_by order by acknowledged_at desc nulls last))[1]
              as "acknowledgedBy"
          from page_events named join alarm_events event
            on event.organization_id = named.organization_id and event.id = named.event_id
          where named.organization_id = ${organizationId} and named.page_id = ${pageId}
            and ${isActive(sql`event`)}`,
    ),
  );
}

/** The ids of the events of a page that are active. */
export async function listOpenEvents(
  db: Queries,
  organizationId: string,
  pageId: string,
): Promise<string[]> {
  const found = await run<{ id: string }>(
    db,
    sql`select event.id from page_events named join alarm_events event
          on event.organization_id = named.organization_id and event.id = named.event_id
        where named.organization_id = ${organizationId} and named.page_id = ${pageId}
          and ${isActive(sql`event`)}
        order by event.id`,
  );
  return found.map(({ id }) => id);
}

export interface PageEventRow {
  readonly eventId: string;
  readonly severity: Severity;
}

/** The first events of a page, the gravest first, and how many there are of each severity. */
export async function summarizeEvents(
  tx: Transaction,
  organizationId: string,
  pageId: string,
  max: number,
): Promise<{ readonly named: PageEventRow[]; readonly counts: Partial<Record<Severity, number>> }> {
  const of = sql`organization_id = ${organizationId} and page_id = ${pageId}`;
  const named = await run<PageEventRow>(
    tx,
    sql`select event_id as "eventId", severity from page_events where ${of}
        order by array_position(array['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'], severity),
          joined_at, event_id
        limit ${max}`,
  );
  const counts = await run<{ severity: Severity; count: number }>(
    tx,
    sql`select severity, count(*) from page_events where ${of} group by severity order by severity`,
  );
  return {
    named,
    counts: Object.fromEntries(counts.map(({ severity, count }) => [severity, count])),
  };
}

/** What may suppress pages began or ended: those that are active or suppressed are looked at. */
export async function wakeSuppressible(
  tx: Transaction,
  organizationId: string,
  now: number,
): Promise<void> {
  const at = isoDateTime(now);
  await run(
    tx,
    sql`update pages set wake_at = least(wake_at, ${at})
        where organization_id = ${organizationId} and id = any(array(
          select id from pages
          where organization_id = ${organizationId} and state in ('ACTIVE', 'SUPPRESSED')
            and state <> 'RESOLVED'
          order by id for no key update))`,
  );
}
