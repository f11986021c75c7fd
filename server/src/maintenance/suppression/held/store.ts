import { isActive } from '../../../alarms/index.ts';
import { isoDateTime } from '../../../runtime/index.ts';
import { type Queries, run, sql, type Transaction } from '../../../storage/index.ts';
import type { Candidate, DigestCause } from '../candidate.ts';

export interface HeldRow {
  readonly organizationId: string;
  readonly id: string;
  readonly eventId: string;
  readonly createdAt: number;
  readonly reason: 'MAINTENANCE' | 'WAIT' | 'TOPOLOGY';
  /** The window, or the Device above. */
  readonly causeId: string;
  readonly dueAt: number | null;
}

export function heldName({ organizationId, id, event, at: createdAt }: Candidate) {
  return { organizationId, id, eventId: event.id, createdAt };
}

export async function insertHeld(tx: Transaction, held: readonly HeldRow[]): Promise<void> {
  if (held.length === 0) return;
  const rows = held.map((each) => ({
    ...each,
    createdAt: isoDateTime(each.createdAt),
    dueAt: each.dueAt === null ? null : isoDateTime(each.dueAt),
  }));
  await run(
    tx,
    sql`insert into held_notifications (id, organization_id, event_id, created_at, reason, cause_id,
          due_at)
        select id, "organizationId", "eventId", "createdAt", reason, "causeId", "dueAt"
        from json_to_recordset(${JSON.stringify(rows)}) as given (id uuid, "organizationId" uuid,
          "eventId" uuid, "createdAt" timestamptz, reason text, "causeId" uuid, "dueAt" timestamptz)
        on conflict (id) do nothing`,
  );
}

/** Which of the events have a held notification. */
export async function listHeldEvents(
  tx: Transaction,
  candidates: readonly Candidate[],
): Promise<ReadonlySet<string>> {
  if (candidates.length === 0) return new Set();
  const rows = await run<{ eventId: string }>(
    tx,
    sql`select event_id as "eventId" from held_notifications
        where organization_id = any(${candidates.map((each) => each.organizationId)}::uuid[])
          and event_id = any(${candidates.map(({ event }) => event.id)}::uuid[])`,
  );
  return new Set(rows.map(({ eventId }) => eventId));
}

/** The events are over: their beginning is not sent any more. */
export async function deleteHeld(tx: Transaction, candidates: readonly Candidate[]): Promise<void> {
  if (candidates.length === 0) return;
  await run(
    tx,
    sql`delete from held_notifications
        where organization_id = any(${candidates.map((each) => each.organizationId)}::uuid[])
          and event_id = any(${candidates.map(({ event }) => event.id)}::uuid[])`,
  );
}

/**
 * Puts what is held under a window or a Device back into the outbox, as one digest. Of an event that
 * has cleared, nothing is sent; its row stays until the notification of the clearing has left, too.
 */
export async function release(
  tx: Transaction,
  {
    organizationId,
    causeId,
    digest,
  }: { organizationId: string; causeId: string; digest: DigestCause },
): Promise<void> {
  await run(
    tx,
    sql`with released as (
          delete from held_notifications held using alarm_events event
          where held.organization_id = ${organizationId} and held.cause_id = ${causeId}
            and held.reason <> 'WAIT'
            and event.organization_id = held.organization_id and event.id = held.event_id
            and ${isActive(sql`event`)}
          returning held.id, held.event_id, held.created_at)
        insert into notification_outbox (id, organization_id, event_id, kind, created_at, has_waited,
          digest)
        select id, ${organizationId}, event_id, 'raised', created_at, true,
          ${JSON.stringify(digest)}::jsonb
        from released`,
  );
  await run(
    tx,
    sql`delete from held_notifications held
        where held.organization_id = ${organizationId} and held.cause_id = ${causeId}
          and held.reason <> 'WAIT'
          and not exists (select 1 from notification_outbox sent
            where sent.organization_id = held.organization_id and sent.event_id = held.event_id)`,
  );
}

/** Whether anything is held for another reason than a window. */
export async function hasHeldBehind(db: Queries): Promise<boolean> {
  const rows = await run<object>(
    db,
    sql`select 1 from held_notifications where reason in ('WAIT', 'TOPOLOGY')
        union all select 1 from device_outages limit 1`,
  );
  return rows.length > 0;
}

/** By cause, how many notifications are held. */
export async function countHeld(
  db: Queries,
  organizationId: string,
  causeIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (causeIds.length === 0) return new Map();
  const rows = await run<{ causeId: string; count: number }>(
    db,
    sql`select cause_id as "causeId", count(*)::int as count from held_notifications held
        join alarm_events event on event.organization_id = held.organization_id
          and event.id = held.event_id and ${isActive(sql`event`)}
        where held.organization_id = ${organizationId} and cause_id = any(${causeIds}::uuid[])
        group by cause_id`,
  );
  return new Map(rows.map(({ causeId, count }) => [causeId, count]));
}
