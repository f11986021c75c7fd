import type { Delivery, DeliveryChannel, DeliveryState, PhoneKind } from '@fieldwatch/contract';
import { isoDateTime } from '../../runtime/index.ts';
import {
  all,
  type Page,
  type PageRequest,
  page,
  type Queries,
  run,
  type Sql,
  saved,
  sql,
  type Transaction,
} from '../../storage/index.ts';

type SameInRow =
  | 'id'
  | 'webhookId'
  | 'email'
  | 'type'
  | 'eventId'
  | 'eventCount'
  | 'state'
  | 'attempts'
  | 'lastStatus'
  | 'lastError'
  | 'lastDurationMs';

export interface DeliveryRow extends Readonly<Pick<Delivery, SameInRow>> {
  readonly pushId: string | null;
  readonly phone: string | null;
  readonly phoneKind: PhoneKind | null;
  readonly receipt: NonNullable<Delivery['receipt']> | null;
  readonly nextAt: number | null;
  readonly lastAttemptAt: number | null;
  readonly createdAt: number;
}

const COLUMNS = sql`id, (select webhook_id from notification_targets target
    where target.organization_id = deliveries.organization_id and target.id = target_id)
    as "webhookId",
  (select push_id from notification_targets target
    where target.organization_id = deliveries.organization_id and target.id = target_id)
    as "pushId",
  (select phone from notification_targets target
    where target.organization_id = deliveries.organization_id and target.id = target_id) as phone,
  (select phone_kind from notification_targets target
    where target.organization_id = deliveries.organization_id and target.id = target_id)
    as "phoneKind",
  (select coalesce(target.email, users.email) from notification_targets target
    left join web_push_subscriptions push
      on push.organization_id = target.organization_id and push.id = target.push_id
    left join users on users.id = push.user_id
    where target.organization_id = deliveries.organization_id and target.id = target_id) as email,
  type,
  case when type <> 'text' then event_id end as "eventId", event_count as "eventCount", state, attempts,
  case when next_at is not null then greatest(next_at, attempt_until) end as "nextAt",
  last_attempt_at as "lastAttemptAt", last_status as "lastStatus", last_error as "lastError",
  last_duration_ms as "lastDurationMs", receipt, created_at as "createdAt"`;

export interface DeliveryFilter {
  /** None means all; so do no states and no channels. */
  readonly webhookId: string | null;
  readonly states: readonly DeliveryState[];
  readonly channels: readonly DeliveryChannel[];
}

export function listDeliveries(
  db: Queries,
  organizationId: string,
  { webhookId, states, channels }: DeliveryFilter,
  request: PageRequest,
): Promise<Page<DeliveryRow>> {
  const where = all([
    sql`organization_id = ${organizationId}`,
    webhookId === null ? undefined : sql`target_id = ${targetOf(organizationId, webhookId)}`,
    states.length === 0 ? undefined : sql`state = any(${states})`,
    channels.length === 0
      ? undefined
      : sql`exists (select 1 from notification_targets target
      where target.organization_id = deliveries.organization_id and target.id = target_id
        and (case when webhook_id is not null then 'WEBHOOK' when push_id is not null then 'WEB_PUSH'
          when phone is not null then phone_kind
          else 'EMAIL' end) = any(${channels}))`,
  ]);
  return page(db, { columns: COLUMNS, from: sql`deliveries`, where }, request);
}

function targetOf(organizationId: string, webhookId: string): Sql {
  return sql`(select target.id from notification_targets target
    where target.organization_id = ${organizationId} and target.webhook_id = ${webhookId})`;
}

/** The target is locked before what goes to it, here as everywhere. */
export async function lockDelivery(
  tx: Transaction,
  organizationId: string,
  { webhookId, deliveryId }: { webhookId: string; deliveryId: string },
): Promise<DeliveryRow | null> {
  await run(
    tx,
    sql`select 1 from notification_targets where organization_id = ${organizationId}
          and webhook_id = ${webhookId} for no key update`,
  );
  const [row] = await run<DeliveryRow>(
    tx,
    sql`select ${COLUMNS} from deliveries
        where organization_id = ${organizationId} and id = ${deliveryId}
          and target_id = ${targetOf(organizationId, webhookId)}
        for no key update`,
  );
  return row ?? null;
}

/** Makes a locked delivery due now, and closes the circuit of its target. */
export async function redeliver(
  tx: Transaction,
  organizationId: string,
  { webhookId, deliveryId }: { webhookId: string; deliveryId: string },
  now: number,
): Promise<DeliveryRow> {
  const at = isoDateTime(now);
  await run(
    tx,
    sql`update notification_targets set next_at = ${at}, rest_until = null,
          open_digest_id = nullif(open_digest_id, ${deliveryId})
        where organization_id = ${organizationId} and webhook_id = ${webhookId}`,
  );
  return await saved(
    run<DeliveryRow>(
      tx,
      sql`update deliveries set state = 'PENDING', attempts = 0, started_at = ${at}, next_at = ${at},
            attempt_until = null
          where organization_id = ${organizationId} and id = ${deliveryId}
          returning ${COLUMNS}`,
    ),
  );
}
