import { fold, isoDateTime } from '../../runtime/index.ts';
import {
  all,
  among,
  anyOf,
  contains,
  type Page,
  type PageRequest,
  page,
  type Queries,
  run,
  sql,
  type Transaction,
} from '../../storage/index.ts';
import { isActive } from '../is-active.ts';
import { announcedLogWriter } from '../log-order/index.ts';

export interface AssigneeRow {
  readonly userId: string;
  readonly email: string;
  readonly name: string | null;
}

export interface AssignmentRow extends AssigneeRow {
  readonly eventId: string;
  readonly assignedBy: string;
  readonly assignedAt: number;
}

const COLUMNS = sql`a.event_id as "eventId", a.user_id as "userId", u.email, m.name,
  a.assigned_by as "assignedBy", a.assigned_at as "assignedAt"`;

/** An assignment with its member, by the keys of both. */
const ASSIGNED = sql`alarm_assignments a
  join memberships m on m.organization_id = a.organization_id and m.user_id = a.user_id
  join users u on u.id = a.user_id`;

const LATEST_FIRST = sql`a.assigned_at desc, a.event_id desc`;

/** Of these events; of all active ones without ids. */
export function listAssignments(
  db: Queries,
  organizationId: string,
  eventIds: readonly string[],
  request: PageRequest,
): Promise<Page<AssignmentRow>> {
  const these = among(sql`a.event_id`, eventIds);
  const active = sql`exists (select from alarm_events e where e.organization_id = ${organizationId}
    and e.id = a.event_id and ${isActive(sql`e`)})`;
  const where = all([sql`a.organization_id = ${organizationId}`, these ?? active]);
  return page(db, { columns: COLUMNS, from: ASSIGNED, where, order: LATEST_FIRST }, request);
}

/** In no order. */
export function findAssignments(
  db: Queries,
  organizationId: string,
  eventIds: readonly string[],
): Promise<AssignmentRow[]> {
  return run(
    db,
    sql`select ${COLUMNS} from ${ASSIGNED} where a.organization_id = ${organizationId}
          and ${among(sql`a.event_id`, eventIds) ?? sql`false`}`,
  );
}

/** The ids of these events that exist, locked in one order so that requests do not block each other. */
export async function lockEvents(
  tx: Transaction,
  organizationId: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const rows = await run<{ id: string }>(
    tx,
    sql`select id from alarm_events
        where organization_id = ${organizationId} and ${among(sql`id`, ids) ?? sql`false`}
        order by id for no key update`,
  );
  return rows.map(({ id }) => id);
}

const MEMBERS = sql`memberships m join users u on u.id = m.user_id`;
const MEMBER_COLUMNS = sql`m.user_id as "userId", u.email, m.name`;

/** An active member, who stays one until the transaction ends. */
export async function holdAssignee(
  tx: Transaction,
  organizationId: string,
  userId: string,
): Promise<AssigneeRow | null> {
  const [row] = await run<AssigneeRow>(
    tx,
    sql`select ${MEMBER_COLUMNS} from ${MEMBERS}
        where m.organization_id = ${organizationId} and m.user_id = ${userId}
          and m.status = 'ACTIVE' for key share of m`,
  );
  return row ?? null;
}

export function listAssignees(
  db: Queries,
  organizationId: string,
  search: string,
  request: PageRequest,
): Promise<Page<AssigneeRow>> {
  const where = all([
    sql`m.organization_id = ${organizationId} and m.status = 'ACTIVE'`,
    anyOf([
      contains(sql`coalesce(u.email_searched, u.email_folded)`, fold(search)),
      contains(sql`m.name_folded`, fold(search)),
    ]),
  ]);
  const order = sql`m.name_folded, u.email_folded, m.user_id`;
  return page(db, { columns: MEMBER_COLUMNS, from: MEMBERS, where, order }, request);
}

export interface Assigning {
  readonly eventIds: readonly string[];
  /** Null for nobody. */
  readonly assignee: AssigneeRow | null;
  readonly actor: string;
  readonly now: number;
}

export async function saveAssignments(
  tx: Transaction,
  organizationId: string,
  { eventIds, assignee, actor, now }: Assigning,
): Promise<void> {
  if (assignee === null) {
    await run(
      tx,
      sql`delete from alarm_assignments
          where organization_id = ${organizationId} and event_id = any(${eventIds}::uuid[])`,
    );
    return;
  }
  await run(
    tx,
    sql`insert into alarm_assignments (organization_id, event_id, user_id, assigned_by, assigned_at)
        select ${organizationId}, id, ${assignee.userId}, ${actor}, ${isoDateTime(now)}
        from unnest(${eventIds}::uuid[]) as events (id)
        on conflict (organization_id, event_id) do update
        set user_id = excluded.user_id, assigned_by = excluded.assigned_by,
          assigned_at = excluded.assigned_at`,
  );
}

export async function insertAssignedLog(
  tx: Transaction,
  organizationId: string,
  { eventIds, assignee, actor, now }: Assigning,
): Promise<void> {
  const at = isoDateTime(now);
  await run(
    tx,
    sql`with announced as materialized (${announcedLogWriter([organizationId])})
        insert into alarm_event_log (organization_id, event_id, kind, at, recorded_at, actor,
          detail)
        select ${organizationId}, id, 'ASSIGNED', ${at}, ${at}, ${actor}, ${assignee?.email ?? null}
        from unnest(${eventIds}::uuid[]) as events (id) cross join announced`,
  );
}
