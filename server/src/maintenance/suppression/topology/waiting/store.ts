import { isActive } from '../../../../alarms/index.ts';
import { isoDateTime } from '../../../../runtime/index.ts';
import { run, sql, type Transaction } from '../../../../storage/index.ts';
import { type DeviceName, isOffline } from '../store.ts';

/**
 * Releases the notifications whose wait has ended. Those behind one offline Device go together.
 * The row of an event that has cleared stays until the notification of that has left the outbox, so
 * that the end of an event is not sent without its beginning.
 */
export async function releaseWaiting(tx: Transaction, now: number): Promise<number> {
  const at = isoDateTime(now);
  const rows = await run<object>(
    tx,
    sql`with due as materialized (
          select distinct held.organization_id, held.cause_id, ${isOffline(sql`cause`)} as is_offline
          from held_notifications held left join devices cause
            on cause.organization_id = held.organization_id and cause.id = held.cause_id
          where reason = 'WAIT' and due_at <= ${at}),
        released as (
          delete from held_notifications held using due, alarm_events event
          where held.organization_id = due.organization_id and held.cause_id = due.cause_id
            and held.reason = 'WAIT' and (held.due_at <= ${at} or due.is_offline)
            and event.organization_id = held.organization_id and event.id = held.event_id
            and ${isActive(sql`event`)}
          returning held.id, held.organization_id, held.event_id, held.created_at)
        insert into notification_outbox (id, organization_id, event_id, kind, created_at, has_waited)
        select id, organization_id, event_id, 'raised', created_at, true from released
        returning id`,
  );
  await run(
    tx,
    sql`delete from held_notifications held
        where held.reason = 'WAIT' and held.due_at <= ${at}
          and not exists (select 1 from notification_outbox sent
            where sent.organization_id = held.organization_id and sent.event_id = held.event_id)
          and not exists (select 1 from alarm_events event
            where event.organization_id = held.organization_id and event.id = held.event_id
              and ${isActive(sql`event`)})`,
  );
  return rows.length;
}

interface WaitingRow extends DeviceName {
  readonly id: string;
}

/** The waiting notifications of these organizations. */
export function listWaiting(
  tx: Transaction,
  organizationIds: readonly string[],
): Promise<WaitingRow[]> {
  return run(
    tx,
    sql`select held.id, held.organization_id as "organizationId", event.device_id as "deviceId"
        from held_notifications held join alarm_events event
          on event.organization_id = held.organization_id and event.id = held.event_id
          and ${isActive(sql`event`)}
        where held.reason = 'WAIT' and held.organization_id = any(${organizationIds}::uuid[])`,
  );
}

/** Returns waiting notifications to the outbox, as if they were new. */
export async function returnWaiting(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await run(
    tx,
    sql`with returned as (
          delete from held_notifications where reason = 'WAIT' and id = any(${ids}::uuid[])
          returning id, organization_id, event_id, created_at)
        insert into notification_outbox (id, organization_id, event_id, kind, created_at)
        select id, organization_id, event_id, 'raised', created_at from returned`,
  );
}
