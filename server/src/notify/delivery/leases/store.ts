import { isoDateTime } from '../../../runtime/index.ts';
import { type Queries, run, type Sql, type Storage, sql } from '../../../storage/index.ts';

export interface TargetName {
  readonly organizationId: string;
  readonly id: string;
}

/** A target that until the lease ends is served by its holder alone. */
export interface Lease extends TargetName {
  /** Distinguishes this lease from any later one of the same target. */
  readonly until: number;
}

export interface LeaseRequest {
  readonly now: number;
  readonly until: number;
  /** Web push counts as a webhook: both are requests over HTTP. */
  readonly channel: 'EMAIL' | 'WEBHOOK';
  readonly max: number;
  /** Targets that this process still serves, though their leases may have run out. */
  readonly exceptIds: readonly string[];
}

/** A target with a delivery due, and no lease or one of a server that is gone. */
const isDue = (at: string): Sql =>
  sql`next_at <= ${at} and coalesce(rest_until <= ${at}, true)
            and (coalesce(leased_until <= ${at}, true) or not is_running(leased_by))`;

export async function hasDueTargets(db: Queries, now: number): Promise<boolean> {
  const rows = await run(
    db,
    sql`select 1 from notification_targets where ${isDue(isoDateTime(now))} limit 1`,
  );
  return rows.length > 0;
}

/** Leases targets with something due, the longest due first. */
export async function leaseTargets(
  db: Queries,
  { now, until, channel, max, exceptIds }: LeaseRequest,
): Promise<Lease[]> {
  const names = await run<TargetName>(
    db,
    sql`update notification_targets target set leased_until = ${isoDateTime(until)},
          leased_by = current_setting('application_name')
        from (select organization_id, id from notification_targets
          where ${isDue(isoDateTime(now))}
            and (email is not null) = ${channel === 'EMAIL'}
            and id <> all(${exceptIds}::uuid[])
          order by next_at limit ${max} for no key update skip locked) due
        where target.organization_id = due.organization_id and target.id = due.id
        returning target.organization_id as "organizationId", target.id`,
  );
  return names.map((name) => ({ ...name, until }));
}

/** Extends those of the leases that are still held; returns their ids. */
export async function renewLeases(
  db: Queries,
  leases: readonly Lease[],
  until: number,
): Promise<ReadonlySet<string>> {
  const rows = leases.map((lease) => ({ ...lease, until: isoDateTime(lease.until) }));
  const renewed = await run<{ id: string }>(
    db,
    sql`update notification_targets target set leased_until = ${isoDateTime(until)}
        from json_to_recordset(${JSON.stringify(rows)}) as held
          ("organizationId" uuid, id uuid, until timestamptz)
        where target.organization_id = held."organizationId" and target.id = held.id
          and target.leased_until = held.until
        returning target.id`,
  );
  return new Set(renewed.map(({ id }) => id));
}

/**
 * The clock was set: no lease lasts longer than one that is made now. Those that this process serves
 * are renewed instead.
 */
export async function limitLeases(
  db: Queries,
  until: number,
  exceptIds: readonly string[],
): Promise<void> {
  await run(
    db,
    sql`update notification_targets set leased_until = ${isoDateTime(until)}
        where leased_until > ${isoDateTime(until)} and id <> all(${exceptIds}::uuid[])`,
  );
}

/** Ends a lease that is still held, and records when something is due next. */
export async function releaseTarget(
  storage: Storage,
  { organizationId, id, until }: Lease,
): Promise<void> {
  await storage.transaction(async (tx) => {
    // In a statement of its own: one that waits for the lock does not see what came meanwhile.
    await run(
      tx,
      sql`select 1 from notification_targets
          where organization_id = ${organizationId} and id = ${id} for no key update`,
    );
    await run(
      tx,
      sql`update notification_targets set leased_until = null, leased_by = null,
            next_at = (select case when count(*) > 0
                then greatest(min(greatest(next_at, attempt_until)), rest_until) end
              from deliveries where organization_id = ${organizationId} and target_id = ${id}
                and state = 'PENDING')
          where organization_id = ${organizationId} and id = ${id}
            and leased_until = ${isoDateTime(until)}`,
    );
  });
}
