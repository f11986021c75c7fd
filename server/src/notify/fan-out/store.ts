import type { PhoneKind, Severity } from '@fieldwatch/contract';
import type { DigestCause } from '../../maintenance/index.ts';
import { isoDateTime } from '../../runtime/index.ts';
import { type Queries, run, sql, type Transaction } from '../../storage/index.ts';
import { describeEvents } from './context/index.ts';
import { DIGEST_WINDOW_MS } from './digest-policy.ts';
import type { DigestMessage, Message } from './message.ts';
import type { Notification, NotificationKind } from './notification.ts';
import type { Destination, Subscription } from './recipients.ts';

interface NotificationRow {
  readonly id: string;
  readonly organizationId: string;
  readonly eventId: string;
  readonly kind: NotificationKind;
  readonly at: number;
  readonly hasWaited: boolean;
  readonly digest: DigestCause | null;
}

export async function hasNotifications(db: Queries): Promise<boolean> {
  return (await run(db, sql`select 1 from notification_outbox limit 1`)).length > 0;
}

/** Takes the oldest out of the outbox; they are there again should the transaction fail. */
export async function takeNotifications(tx: Transaction, max: number): Promise<Notification[]> {
  const rows = await run<NotificationRow>(
    tx,
    // An array is made once, whatever PostgreSQL believes of a table that fills and empties.
    sql`with taken as (
          delete from notification_outbox where id = any(array(
            select id from notification_outbox order by created_at, id limit ${max}
            for update skip locked))
          returning id, organization_id, event_id, kind, created_at, has_waited, digest)
        select id, organization_id as "organizationId", event_id as "eventId",
          upper(kind) as kind, created_at as at, has_waited as "hasWaited", digest
        from taken order by created_at, id`,
  );
  const described = await describeEvents(tx, rows);
  return rows.flatMap(({ eventId, ...row }) => {
    const known = described.get(eventId);
    return known ? [{ ...row, ...known }] : [];
  });
}

type SubscriptionRow = Destination & {
  readonly alarmGroupId: string;
  readonly severities: readonly Severity[];
};

/** The subscriptions of these groups; webhooks that are switched off are left out. */
export async function listSubscriptions(
  db: Queries,
  groups: readonly { readonly organizationId: string; readonly alarmGroupId: string }[],
): Promise<Subscription[]> {
  const rows = await run<SubscriptionRow>(
    db,
    sql`select member.organization_id as "organizationId", member.alarm_group_id as "alarmGroupId",
          email, email_folded as "emailFolded", webhook_id as "webhookId", null::uuid as "pushId",
          severities
        from json_to_recordset(${JSON.stringify(groups)}) as asked
          ("organizationId" uuid, "alarmGroupId" uuid)
        join alarm_group_subscriptions member on member.organization_id = "organizationId"
          and member.alarm_group_id = "alarmGroupId"
        left join webhooks on webhooks.organization_id = member.organization_id
          and webhooks.id = member.webhook_id
        where webhooks.is_active is not false
        order by member.alarm_group_id, position`,
  );
  return rows.map(({ alarmGroupId, severities, ...destination }) => ({
    alarmGroupId,
    severities,
    destination,
  }));
}

interface PushRow {
  readonly organizationId: string;
  readonly pushId: string;
  readonly severities: readonly Severity[];
}

/** The browsers of members that receive notifications. */
export async function listPushSubscriptions(
  tx: Transaction,
  organizationIds: readonly string[],
): Promise<Subscription[]> {
  const rows = await run<PushRow>(
    tx,
    sql`select organization_id as "organizationId", id as "pushId", severities
        from web_push_subscriptions where organization_id = any(${organizationIds}::uuid[])
        order by organization_id, id`,
  );
  return rows.map(({ organizationId, pushId, severities }) => ({
    alarmGroupId: null,
    severities,
    destination: { organizationId, pushId, email: null, emailFolded: null, webhookId: null },
  }));
}

/** A target, and its digest that is open or was last sent. */
export interface TargetRow {
  readonly organizationId: string;
  readonly id: string;
  readonly emailFolded: string | null;
  readonly webhookId: string | null;
  readonly pushId: string | null;
  readonly phone: string | null;
  readonly phoneKind: PhoneKind | null;
  readonly openDigestId: string | null;
  readonly lastDigestAt: number | null;
  /** False for a service that keeps the state of each event by itself. */
  readonly takesDigests: boolean;
}

/** The targets of the destinations, kept from others until the transaction ends. */
export async function lockTargets(
  tx: Transaction,
  wanted: readonly (Destination & { readonly newTargetId: string })[],
): Promise<TargetRow[]> {
  const asked = sql`json_to_recordset(${JSON.stringify(wanted)}) as asked ("organizationId" uuid,
    "newTargetId" uuid, email text, "emailFolded" text, "webhookId" uuid, "pushId" uuid,
    phone text, "phoneKind" text)`;
  await run(
    tx,
    sql`insert into notification_targets (organization_id, id, email, email_folded, webhook_id,
          push_id, phone, phone_kind)
        select "organizationId", "newTargetId", email, "emailFolded", "webhookId", "pushId", phone,
          "phoneKind"
        from ${asked}
        order by "newTargetId"
        on conflict do nothing`,
  );
  return await run<TargetRow>(
    tx,
    sql`select target.organization_id as "organizationId", target.id,
          target.email_folded as "emailFolded", target.webhook_id as "webhookId",
          target.push_id as "pushId", target.phone, target.phone_kind as "phoneKind", open_digest_id as "openDigestId", last_digest_at as "lastDigestAt",
          not exists (select 1 from webhooks
            where webhooks.organization_id = target.organization_id
              and webhooks.id = target.webhook_id
              and format in ('PAGERDUTY', 'ALERTMANAGER')) as "takesDigests"
        from ${asked} join notification_targets target
          on target.organization_id = "organizationId"
          and (target.webhook_id = "webhookId" or target.email_folded = "emailFolded"
            or target.push_id = "pushId"
            or (target.phone = asked.phone and target.phone_kind = "phoneKind"))
        order by target.organization_id, target.id
        for no key update of target`,
  );
}

export interface RecentDeliveries {
  readonly targetId: string;
  /** Messages within the last minute, those in digests included. */
  readonly recentCount: number;
  readonly digest: DigestMessage | null;
}

/**
 * Recent deliveries to locked targets, and the content of their open digests. A digest counts from when it is due, at most a minute after it was created. What is due later is
 * none of the last minute: an open digest, or, after the clock was set back, what was sent before.
 */
export function listRecentDeliveries(
  tx: Transaction,
  targets: readonly TargetRow[],
  now: number,
): Promise<RecentDeliveries[]> {
  return run(
    tx,
    sql`select id as "targetId", digest.payload as digest,
          (select coalesce(sum(event_count), 0) from deliveries recent
            where recent.organization_id = "organizationId" and recent.target_id = asked.id
              and recent.created_at > ${isoDateTime(now - 2 * DIGEST_WINDOW_MS)}
              and recent.started_at > ${isoDateTime(now - DIGEST_WINDOW_MS)}
              and recent.started_at <= ${isoDateTime(now)}) as "recentCount"
        from json_to_recordset(${JSON.stringify(targets)}) as asked
          ("organizationId" uuid, id uuid, "openDigestId" uuid)
        left join lateral (select payload from deliveries
          where organization_id = "organizationId" and id = "openDigestId"
            and state = 'PENDING') digest on true`,
  );
}

export interface NewDelivery {
  readonly organizationId: string;
  readonly id: string;
  readonly targetId: string;
  readonly notificationId: string | null;
  readonly eventId: string | null;
  /** The events of a digest. */
  readonly eventIds: readonly string[] | null;
  readonly message: Message;
  readonly eventCount: number;
  readonly dueAt: number;
  /** Of a message that waits for a person: nothing else joins it. */
  readonly userId?: string;
}

export async function insertDeliveries(
  tx: Transaction,
  deliveries: readonly NewDelivery[],
  now: number,
): Promise<void> {
  if (deliveries.length === 0) return;
  const rows = deliveries.map(({ message, dueAt, ...each }) => ({
    ...each,
    type: message.type,
    isClosed:
      message.type === 'alarm.digest' &&
      (message.data.cause !== undefined || each.userId !== undefined),
    payload: message,
    dueAt: isoDateTime(dueAt),
  }));
  const given = sql`json_to_recordset(${JSON.stringify(rows)}) as given ("organizationId" uuid,
    id uuid, "targetId" uuid, "notificationId" uuid, "eventId" uuid, "eventIds" uuid[], type text,
    "eventCount" integer, payload json, "dueAt" timestamptz, "isClosed" boolean, "userId" uuid)`;
  await run(
    tx,
    sql`insert into deliveries (organization_id, id, target_id, notice_id, event_id, event_ids, type,
          event_count, payload, state, started_at, next_at, created_at, user_id)
        select "organizationId", id, "targetId", "notificationId", "eventId", "eventIds", type,
          "eventCount", payload, 'PENDING', "dueAt", "dueAt", ${isoDateTime(now)}, "userId"
        from ${given}
        on conflict (organization_id, target_id, notice_id) do nothing`,
  );
  await run(
    tx,
    sql`update notification_targets target
        set next_at = least(target.next_at, due.at),
          open_digest_id = coalesce(due."digestId"::uuid, target.open_digest_id)
        from (select "organizationId", "targetId", min("dueAt") as at,
            min(case when type = 'alarm.digest' and not "isClosed" then id::text end)
              as "digestId"
          from ${given} group by "organizationId", "targetId") due
        where target.organization_id = due."organizationId" and target.id = due."targetId"`,
  );
}

export interface WaitingDigest {
  readonly id: string;
  readonly targetId: string;
  readonly userId: string;
  readonly message: DigestMessage;
}

/** The digests that wait for people at locked targets, and were not tried yet. */
export function listWaitingDigests(
  tx: Transaction,
  names: readonly {
    readonly organizationId: string;
    readonly targetId: string;
    readonly userId: string;
  }[],
  now: number,
): Promise<WaitingDigest[]> {
  return run(
    tx,
    sql`select distinct on (target_id, user_id) deliveries.id, target_id as "targetId",
          coalesce(user_id, "userId") as "userId", payload as message
        from json_to_recordset(${JSON.stringify(names)}) as asked
          ("organizationId" uuid, "targetId" uuid, "userId" uuid)
        join deliveries on deliveries.organization_id = "organizationId"
          and target_id = "targetId" and user_id = "userId"
        where page_id is null and state = 'PENDING' and type = 'alarm.digest' and attempts = 0
          and next_at > ${isoDateTime(now)}
        order by target_id, user_id, next_at`,
  );
}

/** Puts more into digests that are still open. */
export async function updateDigests(
  tx: Transaction,
  digests: readonly {
    readonly organizationId: string;
    readonly id: string;
    /** Events that are added to the digest. */
    readonly eventIds: readonly string[];
    readonly message: DigestMessage;
  }[],
): Promise<void> {
  if (digests.length === 0) return;
  await run(
    tx,
    sql`update deliveries set payload = message, event_ids = event_ids || "eventIds",
          event_count = (message -> 'data' ->> 'count')::integer
        from json_to_recordset(${JSON.stringify(digests)}) as given
          ("organizationId" uuid, id uuid, "eventIds" uuid[], message json)
        where deliveries.organization_id = "organizationId" and deliveries.id = given.id`,
  );
}
