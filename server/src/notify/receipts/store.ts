import { isoDateTime } from '../../runtime/index.ts';
import { type Queries, run, sql, type Transaction } from '../../storage/index.ts';
import type { Message } from '../fan-out/index.ts';

/** One attempt at a delivery, counted from 1. */
export interface AttemptName {
  readonly organizationId: string;
  readonly deliveryId: string;
  readonly attempt: number;
}

export type Receipt = 'DELIVERED' | 'FAILED';

/**
 * Records what became of an attempt. False when it changes nothing: another report was first, a later
 * attempt was made, or the delivery has ended otherwise. A report may come before the outcome of the
 * attempt is saved.
 */
export async function saveReceipt(
  tx: Transaction,
  { organizationId, deliveryId, attempt }: AttemptName,
  receipt: Receipt,
  now: number,
): Promise<boolean> {
  // The target is locked before what goes to it, here as everywhere.
  await run(
    tx,
    sql`select 1 from notification_targets target join deliveries
          on deliveries.organization_id = target.organization_id and target_id = target.id
        where target.organization_id = ${organizationId} and deliveries.id = ${deliveryId}
        for no key update of target`,
  );
  const rows = await run(
    tx,
    sql`update deliveries set receipt = ${receipt}, receipt_attempt = ${attempt},
          receipt_at = ${isoDateTime(now)}
        where organization_id = ${organizationId} and id = ${deliveryId}
          and coalesce(receipt_attempt, 0) < ${attempt}
          and ((state = 'DELIVERED' and attempts = ${attempt})
            or (state = 'PENDING' and attempts = ${attempt}::integer - 1))
        returning 1`,
  );
  return rows.length > 0;
}

/** The deliveries whose last attempt was accepted, and did not arrive. */
const UNDELIVERED = sql`state = 'DELIVERED' and receipt = 'FAILED' and receipt_attempt = attempts`;

/** Calls that nobody answered are made again at this moment, so often, while their page is active. */
export async function repeatCalls(
  tx: Transaction,
  organizationId: string,
  deliveryIds: readonly string[],
  { maxCalls, at }: { readonly maxCalls: number; readonly at: number },
): Promise<void> {
  await run(
    tx,
    sql`with repeated as (
          update deliveries set state = 'PENDING', next_at = ${isoDateTime(at)},
            last_error = 'nobody answered the call'
          from notification_targets target
          where deliveries.organization_id = ${organizationId}
            and deliveries.id = any(${deliveryIds}::uuid[]) and ${UNDELIVERED}
            and attempts < ${maxCalls}
            and target.organization_id = deliveries.organization_id and target.id = target_id
            and target.phone_kind = 'VOICE'
            and not exists (select 1 from pages
              where pages.organization_id = deliveries.organization_id
                and pages.id = deliveries.page_id and pages.state <> 'ACTIVE')
          returning target_id)
        update notification_targets target set next_at = least(target.next_at, ${isoDateTime(at)})
        from repeated where target.organization_id = ${organizationId}
          and target.id = repeated.target_id`,
  );
}

/** Lets deliveries fail that did not arrive; returns their ids. */
export async function failUndelivered(
  tx: Transaction,
  organizationId: string,
  deliveryIds: readonly string[],
): Promise<string[]> {
  const rows = await run<{ id: string }>(
    tx,
    sql`update deliveries set state = 'FAILED',
          last_error = 'undeliverable: the network reported that it did not arrive'
        where organization_id = ${organizationId} and id = any(${deliveryIds}::uuid[])
          and ${UNDELIVERED}
        returning id`,
  );
  return rows.map(({ id }) => id);
}

/** What a call is about. */
export interface Call {
  readonly pageId: string;
  readonly userId: string;
  readonly phone: string;
  readonly message: Message;
}

/** The call of an attempt that was made since then; null when there is none. */
export async function findCall(
  db: Queries,
  { organizationId, deliveryId, attempt }: AttemptName,
  since: number,
): Promise<Call | null> {
  const [row] = await run<Call>(
    db,
    sql`select page_id as "pageId", user_id as "userId", phone, payload as message
        from deliveries join notification_targets target
          on target.organization_id = deliveries.organization_id and target.id = target_id
        where deliveries.organization_id = ${organizationId} and deliveries.id = ${deliveryId}
          and page_id is not null and user_id is not null and phone is not null
          and phone_kind = 'VOICE' and attempts between ${attempt}::integer - 1 and ${attempt}
          and coalesce(last_attempt_at, deliveries.created_at) > ${isoDateTime(since)}`,
  );
  return row ?? null;
}
