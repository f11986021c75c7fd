import { isoDateTime } from '../../runtime/index.ts';
import { type Queries, run, type Storage, sql, type Transaction } from '../../storage/index.ts';
import type { Message, TextMessage } from '../fan-out/index.ts';
import type { TargetName } from './leases/index.ts';
import type { DeliveryResult, Outcome } from './outcome.ts';

export interface DueDelivery {
  readonly id: string;
  readonly message: Message | TextMessage;
  readonly attempts: number;
  readonly startedAt: number;
}

/** What is due to a target: what was never tried comes first. */
export function listDue(
  tx: Transaction,
  { organizationId, id }: TargetName,
  { now, max }: { now: number; max: number },
): Promise<DueDelivery[]> {
  return run(
    tx,
    sql`select id, payload as message, attempts, started_at as "startedAt"
        from deliveries
        where organization_id = ${organizationId} and target_id = ${id} and state = 'PENDING'
          and next_at <= ${isoDateTime(now)}
          and coalesce(attempt_until <= ${isoDateTime(now)}, true)
        order by attempts, next_at, id limit ${max}`,
  );
}

/**
 * Claims one attempt at a delivery, which from then on may arrive. False when it is no longer to be
 * sent, or when another attempt may be under way.
 */
export async function claimAttempt(
  db: Queries,
  { organizationId }: TargetName,
  { id, attempts }: DueDelivery,
  { now, until }: { readonly now: number; readonly until: number },
): Promise<boolean> {
  const rows = await run(
    db,
    sql`update deliveries set attempt_until = ${isoDateTime(until)}
        where organization_id = ${organizationId} and id = ${id} and attempts = ${attempts}
          and state = 'PENDING' and coalesce(attempt_until <= ${isoDateTime(now)}, true)
        returning 1`,
  );
  return rows.length > 0;
}

/** From now on, what happens goes into another digest. */
export async function closeDigest(
  tx: Transaction,
  { organizationId, id }: TargetName,
  now: number,
): Promise<void> {
  await run(
    tx,
    sql`update notification_targets set open_digest_id = null, last_digest_at = ${isoDateTime(now)}
        where organization_id = ${organizationId} and id = ${id}`,
  );
}

/** Gives up what has waited for too long while the circuit of its target was open. */
export async function expireDeliveries(
  tx: Transaction,
  { organizationId, id }: TargetName,
  startedBefore: number,
): Promise<number> {
  const rows = await run(
    tx,
    sql`update deliveries set state = 'FAILED', next_at = null,
          last_error = coalesce(last_error, 'the target did not answer for three days')
        where organization_id = ${organizationId} and target_id = ${id} and state = 'PENDING'
          and started_at < ${isoDateTime(startedBefore)}
        returning 1`,
  );
  return rows.length;
}

export interface AttemptedDelivery {
  readonly delivery: DueDelivery;
  readonly outcome: Outcome;
  readonly result: DeliveryResult;
}

/**
 * Saves the outcomes of attempts; returns the ids of the deliveries that this changed. One that was
 * asked for again meanwhile keeps that, and one whose outcome is saved already stays as it is.
 */
export async function saveAttempts(
  tx: Transaction,
  { organizationId }: TargetName,
  attempts: readonly AttemptedDelivery[],
  now: number,
): Promise<ReadonlySet<string>> {
  const rows = attempts.map(({ delivery, outcome, result }) => ({
    id: delivery.id,
    attemptsBefore: delivery.attempts,
    state: result.state,
    nextAt: result.nextAt === null ? null : isoDateTime(result.nextAt),
    status: outcome.status,
    error: outcome.error,
    isUnknown: outcome.isUnknown ?? false,
    durationMs: outcome.durationMs,
  }));
  const saved = await run<{ id: string }>(
    tx,
    sql`update deliveries set state = given.state, next_at = given."nextAt",
          attempts = attempts + 1, last_attempt_at = ${isoDateTime(now)},
          attempt_until = case when given."isUnknown" then attempt_until end,
          last_status = given.status, last_error = given.error,
          last_duration_ms = given."durationMs"
        from json_to_recordset(${JSON.stringify(rows)}) as given (id uuid,
          "attemptsBefore" integer, state text, "nextAt" timestamptz, status smallint, error text,
          "isUnknown" boolean, "durationMs" integer)
        where deliveries.organization_id = ${organizationId} and deliveries.id = given.id
          and deliveries.attempts = given."attemptsBefore" and deliveries.state = 'PENDING'
        returning deliveries.id`,
  );
  return new Set(saved.map(({ id }) => id));
}

/** Writes how the target fares. When it is well again, what waited for it is due at once. */
export async function saveHealth(
  tx: Transaction,
  { organizationId, id }: TargetName,
  health: { failures: number; circuitOpenUntil: number | null; isRecovered: boolean; now: number },
): Promise<void> {
  await run(
    tx,
    sql`update notification_targets set failures = ${health.failures},
          rest_until = ${health.circuitOpenUntil === null ? null : isoDateTime(health.circuitOpenUntil)}
        where organization_id = ${organizationId} and id = ${id}`,
  );
  if (!health.isRecovered) return;
  await run(
    tx,
    sql`update deliveries set next_at = ${isoDateTime(health.now)}
        where organization_id = ${organizationId} and target_id = ${id} and state = 'PENDING'
          and attempts > 0 and next_at > ${isoDateTime(health.now)}`,
  );
}

/** Adds an entry to the logs of all events of these deliveries. */
export async function logNotified(
  tx: Transaction,
  { organizationId }: TargetName,
  { deliveryIds, detail }: { readonly deliveryIds: readonly string[]; readonly detail: string },
  now: number,
): Promise<void> {
  if (deliveryIds.length === 0) return;
  const at = isoDateTime(now);
  await run(
    tx,
    sql`insert into alarm_event_log (organization_id, event_id, kind, at, recorded_at, detail)
        select event.organization_id, event.id, 'NOTIFIED', ${at}, ${at},
          ${detail} || case when event_ids is null then '' else ', in a digest' end
        from deliveries
        cross join lateral (
          select distinct unnest(coalesce(event_ids, array[event_id])) as id) notified
        join alarm_events event
          on event.organization_id = ${organizationId} and event.id = notified.id
        where deliveries.organization_id = ${organizationId}
          and deliveries.id = any(${deliveryIds}::uuid[])
        for key share of event`,
  );
}

/** The clock was set, and claims on attempts last so long. */
export interface ClockChange {
  readonly now: number;
  readonly claimMs: number;
}

/**
 * After a step of the clock what waits does not wait longer, and is not given up earlier; a claim on
 * an attempt does not end earlier, nor last longer than one that is made now. Several servers may
 * notice the same step: no harm is done when each of them does this.
 */
export async function shiftDeliveries(
  tx: Transaction,
  { now, claimMs }: ClockChange,
  stepMs: number,
): Promise<void> {
  const at = sql`${isoDateTime(now)}::timestamptz`;
  const forward = sql`${Math.max(stepMs, 0)}::float8 * interval '1 millisecond'`;
  const back = sql`${Math.min(stepMs, 0)}::float8 * interval '1 millisecond'`;
  await run(
    tx,
    sql`update deliveries set next_at = next_at + ${back},
          started_at = least(started_at + ${forward}, ${at}),
          attempt_until = case when attempt_until is not null
            then least(attempt_until + ${forward}, ${isoDateTime(now + claimMs)}) end
        where state = 'PENDING'`,
  );
  await run(
    tx,
    sql`update notification_targets set next_at = next_at + ${back}, rest_until = rest_until + ${back},
          last_digest_at = last_digest_at + ${back}
        where num_nonnulls(next_at, rest_until, last_digest_at) > 0`,
  );
}

/** After a start: what was planned in the future, by a clock that was set back since, is due now. */
export async function resumeDeliveries(
  tx: Transaction,
  { now, claimMs }: ClockChange,
): Promise<void> {
  const at = sql`${isoDateTime(now)}::timestamptz`;
  await run(
    tx,
    sql`with resumed as (
          update deliveries set next_at = ${at}, started_at = least(started_at, ${at}),
            attempt_until = case when attempt_until is not null
              then least(attempt_until, ${isoDateTime(now + claimMs)}) end
          where state = 'PENDING' and greatest(created_at, last_attempt_at) > ${at}
          returning organization_id, target_id)
        update notification_targets target set next_at = ${at}, rest_until = null
        from (select distinct organization_id, target_id from resumed) due
        where target.organization_id = due.organization_id and target.id = due.target_id`,
  );
  await run(
    tx,
    sql`update notification_targets set last_digest_at = ${at} where last_digest_at > ${at}`,
  );
}

/** Deletes finished deliveries that are older, and addresses without pending deliveries. */
export async function deleteFinished(
  storage: Storage,
  before: number,
  max: number,
): Promise<number> {
  const rows = await run(
    storage,
    sql`delete from deliveries where ctid = any(array(
          select ctid from deliveries
          where state <> 'PENDING' and created_at < ${isoDateTime(before)} limit ${max}))
        returning 1`,
  );
  await run(
    storage,
    sql`delete from notification_targets target
        where num_nonnulls(email, phone) > 0 and next_at is null and leased_until is null
          and not exists (select 1 from deliveries where organization_id = target.organization_id
            and target_id = target.id)`,
  );
  return rows.length;
}
