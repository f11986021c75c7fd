import { isoDateTime } from '../../runtime/index.ts';
import { run, sql, type Transaction } from '../../storage/index.ts';
import type { Message } from '../fan-out/index.ts';

interface PageStep {
  readonly organizationId: string;
  readonly pageId: string;
  readonly loop: number;
  readonly step: number;
}

export interface NamedEvents {
  /** Of a message about one event. */
  readonly eventId: string | null;
  readonly eventIds: readonly string[];
  readonly eventCount: number;
}

export interface NewPageDelivery {
  readonly id: string;
  readonly targetId: string;
  readonly userId: string | null;
  readonly dueAt: number;
  readonly message: Message;
}

export async function insertPageDeliveries(
  tx: Transaction,
  { organizationId, pageId, loop, step }: PageStep,
  { eventId, eventIds, eventCount }: NamedEvents,
  deliveries: readonly NewPageDelivery[],
  now: number,
): Promise<void> {
  const rows = deliveries.map(({ message, dueAt, ...each }) => ({
    ...each,
    type: message.type,
    payload: message,
    dueAt: isoDateTime(dueAt),
  }));
  const given = sql`json_to_recordset(${JSON.stringify(rows)}) as given (id uuid, "targetId" uuid,
    "userId" uuid, type text, payload json, "dueAt" timestamptz)`;
  await run(
    tx,
    sql`insert into deliveries (organization_id, id, target_id, page_id, page_loop, page_step,
          user_id, event_id, event_ids, type, event_count, payload, state, started_at, next_at,
          created_at)
        select ${organizationId}, id, "targetId", ${pageId}, ${loop}, ${step}, "userId", ${eventId},
          case when type = 'alarm.digest' then ${eventIds}::uuid[] end, type, ${eventCount}, payload,
          'PENDING', "dueAt", "dueAt", ${isoDateTime(now)}
        from ${given}`,
  );
  await run(
    tx,
    sql`update notification_targets target set next_at = least(target.next_at, due.at)
        from (select "targetId", min("dueAt") as at from ${given} group by "targetId") due
        where target.organization_id = ${organizationId} and target.id = due."targetId"`,
  );
}

export interface PagedTarget {
  readonly targetId: string;
  readonly userId: string | null;
}

/** The targets that were sent a message of the page, or may have been, kept until the end. */
export async function listPaged(
  tx: Transaction,
  organizationId: string,
  pageId: string,
): Promise<PagedTarget[]> {
  const rows = await run<PagedTarget>(
    tx,
    sql`select target_id as "targetId", min(user_id::text)::uuid as "userId" from deliveries
        where organization_id = ${organizationId} and page_id = ${pageId}
          and (state = 'DELIVERED' or attempts > 0 or attempt_until is not null)
        group by target_id order by target_id`,
  );
  await run(
    tx,
    sql`select 1 from notification_targets where organization_id = ${organizationId}
          and id = any(${rows.map(({ targetId }) => targetId)}::uuid[])
        order by id for no key update`,
  );
  return rows;
}

/** Deliveries of a page that nobody has tried to send, or that did not arrive, are not sent any more. */
export async function cancelUnsent(
  tx: Transaction,
  organizationId: string,
  pageId: string,
): Promise<void> {
  await run(
    tx,
    sql`update deliveries set state = 'CANCELLED', next_at = null
        where organization_id = ${organizationId} and page_id = ${pageId} and state = 'PENDING'
          and (attempts = 0 or receipt_attempt = attempts) and attempt_until is null`,
  );
}

/** After deliveries that failed for good, the next one of the same person and step goes at once. */
export async function hastenNext(
  tx: Transaction,
  organizationId: string,
  failedIds: readonly string[],
  now: number,
): Promise<void> {
  const at = isoDateTime(now);
  await run(
    tx,
    sql`with hastened as (
          update deliveries set next_at = ${at}, started_at = ${at}
          from (select distinct on (failed.page_id, failed.user_id, failed.page_loop,
                failed.page_step) waiting.id
              from deliveries failed join deliveries waiting
                on waiting.organization_id = failed.organization_id
                and waiting.page_id = failed.page_id and waiting.user_id = failed.user_id
                and waiting.page_loop = failed.page_loop and waiting.page_step = failed.page_step
              where failed.organization_id = ${organizationId}
                and failed.id = any(${failedIds}::uuid[])
                and waiting.state = 'PENDING' and waiting.attempts = 0
                and waiting.next_at > ${at}
              order by failed.page_id, failed.user_id, failed.page_loop, failed.page_step,
                waiting.next_at, waiting.id) next
          where deliveries.organization_id = ${organizationId} and deliveries.id = next.id
          returning target_id)
        update notification_targets target set next_at = least(target.next_at, ${at})
        from hastened where target.organization_id = ${organizationId}
          and target.id = hastened.target_id`,
  );
}
