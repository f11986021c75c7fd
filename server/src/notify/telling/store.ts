import type { Severity } from '@fieldwatch/contract';
import { type LocationPath, listLocationPaths } from '../../locations/index.ts';
import { isoDateTime } from '../../runtime/index.ts';
import { run, sql, type Transaction } from '../../storage/index.ts';
import type { DigestMessage, Message } from './message.ts';
import type { EventContext, EventRecord, Notice, NoticeKind } from './notice.ts';
import { PACE_WINDOW_MS } from './pace.ts';
import type { Destination, Subscription } from './route.ts';

interface NoticeRow
  extends Omit<
    EventRecord,
    'id' | 'raisedDateTime' | 'clearedDateTime' | 'acknowledgedDateTime' | 'notes'
  > {
  readonly noticeId: string;
  readonly organizationId: string;
  readonly kind: NoticeKind;
  readonly at: number;
  readonly eventId: string;
  readonly raisedAt: number;
  readonly clearedAt: number | null;
  readonly acknowledgedAt: number | null;
  readonly unit: string | null;
  readonly notes: readonly { id: string; text: string; author: string; createdMs: number }[];
}

/** Takes the oldest out of the outbox; they are there again should the transaction fail. */
export async function takeNotices(tx: Transaction, most: number): Promise<Notice[]> {
  const rows = await run<NoticeRow>(
    tx,
    // An array is made once, whatever PostgreSQL believes of a table that fills and empties.
    sql`with taken as (
          delete from notification_outbox where id = any(array(
            select id from notification_outbox order by created_at, id limit ${most}
            for update skip locked))
          returning id, organization_id, event_id, kind, created_at)
        select taken.id as "noticeId", taken.organization_id as "organizationId",
          upper(taken.kind) as kind, taken.created_at as at, event.id as "eventId",
          alarm_id as "alarmId", alarm_name as "alarmName", severity, operator,
          threshold as "thresholdValue", device_id as "deviceId", device_name as "deviceName",
          variable_id as "deviceVariableId", variable_name as "deviceVariableName",
          asset_ids as "assetIds", location_id as "locationId", alarm_group_id as "alarmGroupId",
          raised_at as "raisedAt", raised_value as "raisedValue", cleared_at as "clearedAt",
          cleared_value as "clearedValue", cleared_reason as "clearedReason",
          is_acknowledgeable as "isAcknowledgeable", acknowledged_at as "acknowledgedAt",
          acknowledged_by as "acknowledgedBy",
          (select unit from variables where variables.organization_id = event.organization_id
            and variables.id = event.variable_id) as unit,
          (select coalesce(json_agg(json_build_object('id', note.id, 'text', note.text,
              'author', note.author,
              'createdMs', floor(1000 * extract(epoch from note.created_at))::int8)
              order by note.created_at, note.id), '[]')
            from alarm_event_notes note where note.organization_id = event.organization_id
              and note.event_id = event.id) as notes
        from taken join alarm_events event
          on event.organization_id = taken.organization_id and event.id = taken.event_id
        order by taken.created_at, taken.id`,
  );
  const places = await locationPaths(tx, rows);
  return rows.map((row) => noticeOf(row, places.get(row.locationId ?? '')));
}

/** The paths of the Locations that the events name, by their ids. */
async function locationPaths(
  tx: Transaction,
  rows: readonly NoticeRow[],
): Promise<Map<string, LocationPath>> {
  const named = rows.flatMap(({ organizationId, locationId }) =>
    locationId === null ? [] : [{ organizationId, locationId }],
  );
  if (named.length === 0) return new Map();
  const paths = await listLocationPaths(tx, named);
  return new Map(paths.map((path) => [path.locationId, path]));
}

function noticeOf(row: NoticeRow, place: LocationPath | undefined): Notice {
  const { noticeId, organizationId, kind, at } = row;
  const event: EventRecord = {
    id: row.eventId,
    alarmId: row.alarmId,
    alarmName: row.alarmName,
    severity: row.severity,
    operator: row.operator,
    thresholdValue: row.thresholdValue,
    deviceId: row.deviceId,
    deviceName: row.deviceName,
    deviceVariableId: row.deviceVariableId,
    deviceVariableName: row.deviceVariableName,
    assetIds: row.assetIds,
    locationId: row.locationId,
    alarmGroupId: row.alarmGroupId,
    raisedDateTime: isoDateTime(row.raisedAt),
    raisedValue: row.raisedValue,
    clearedDateTime: row.clearedAt === null ? null : isoDateTime(row.clearedAt),
    clearedValue: row.clearedValue,
    clearedReason: row.clearedReason,
    isAcknowledgeable: row.isAcknowledgeable,
    acknowledgedDateTime: row.acknowledgedAt === null ? null : isoDateTime(row.acknowledgedAt),
    acknowledgedBy: row.acknowledgedBy,
    notes: row.notes.map(({ createdMs, ...note }) => ({
      ...note,
      createdDateTime: isoDateTime(createdMs),
    })),
  };
  const { names: locationPath = [], timeZone = null } = place ?? {};
  const context: EventContext = { unit: row.unit, locationPath, timeZone };
  return { id: noticeId, organizationId, kind, at, event, context };
}

interface SubscriptionRow {
  readonly organizationId: string;
  readonly alarmGroupId: string;
  readonly email: string | null;
  readonly emailFolded: string;
  readonly webhookId: string;
  readonly severities: readonly Severity[];
}

/** Who is subscribed to these groups; webhooks that are switched off are left out. */
export async function listSubscriptions(
  tx: Transaction,
  groups: readonly { readonly organizationId: string; readonly alarmGroupId: string }[],
): Promise<Subscription[]> {
  const rows = await run<SubscriptionRow>(
    tx,
    sql`select member.organization_id as "organizationId", member.alarm_group_id as "alarmGroupId",
          email, email_folded as "emailFolded", webhook_id as "webhookId", severities
        from json_to_recordset(${JSON.stringify(groups)}) as asked
          ("organizationId" uuid, "alarmGroupId" uuid)
        join alarm_group_subscriptions member on member.organization_id = "organizationId"
          and member.alarm_group_id = "alarmGroupId"
        left join webhooks on webhooks.organization_id = member.organization_id
          and webhooks.id = member.webhook_id
        where webhooks.is_active is not false
        order by member.alarm_group_id, position`,
  );
  return rows.map(
    ({ organizationId, alarmGroupId, email, emailFolded, webhookId, severities }) => ({
      alarmGroupId,
      severities,
      destination:
        email === null
          ? { organizationId, email, emailFolded: null, webhookId }
          : { organizationId, email, emailFolded, webhookId: null },
    }),
  );
}

/** A target and how much it was told lately. */
export interface TargetRow {
  readonly organizationId: string;
  readonly id: string;
  readonly emailFolded: string | null;
  readonly webhookId: string | null;
  readonly openDigestId: string | null;
  readonly lastDigestAt: number | null;
}

/** The targets of the destinations, kept from others until the transaction ends. */
export async function lockTargets(
  tx: Transaction,
  wanted: readonly (Destination & { readonly newTargetId: string })[],
): Promise<TargetRow[]> {
  const asked = sql`json_to_recordset(${JSON.stringify(wanted)}) as asked ("organizationId" uuid,
    "newTargetId" uuid, email text, "emailFolded" text, "webhookId" uuid)`;
  await run(
    tx,
    sql`insert into notification_targets (organization_id, id, email, email_folded, webhook_id)
        select "organizationId", "newTargetId", email, "emailFolded", "webhookId" from ${asked}
        order by "newTargetId"
        on conflict do nothing`,
  );
  return await run<TargetRow>(
    tx,
    sql`select target.organization_id as "organizationId", target.id,
          target.email_folded as "emailFolded", target.webhook_id as "webhookId",
          open_digest_id as "openDigestId", last_digest_at as "lastDigestAt"
        from ${asked} join notification_targets target
          on target.organization_id = "organizationId"
          and (target.webhook_id = "webhookId" or target.email_folded = "emailFolded")
        order by target.organization_id, target.id
        for no key update of target`,
  );
}

export interface Lately {
  readonly targetId: string;
  /** Told one by one within the last minute. */
  readonly recentCount: number;
  readonly digest: DigestMessage | null;
}

/** What locked targets were told lately, and what their open digests hold. */
export function listLately(
  tx: Transaction,
  targets: readonly TargetRow[],
  now: number,
): Promise<Lately[]> {
  return run(
    tx,
    sql`select id as "targetId", digest.payload as digest,
          (select count(*) from deliveries told where told.organization_id = "organizationId"
            and told.target_id = asked.id and told.type <> 'alarm.digest'
            and told.created_at > ${isoDateTime(now - PACE_WINDOW_MS)}) as "recentCount"
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
  readonly noticeId: string | null;
  readonly eventId: string | null;
  /** Of a digest: all that it tells of. */
  readonly eventIds: readonly string[] | null;
  readonly message: Message;
  readonly eventCount: number;
  readonly dueAt: number;
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
    payload: message,
    dueAt: isoDateTime(dueAt),
  }));
  const given = sql`json_to_recordset(${JSON.stringify(rows)}) as given ("organizationId" uuid,
    id uuid, "targetId" uuid, "noticeId" uuid, "eventId" uuid, "eventIds" uuid[], type text,
    "eventCount" integer, payload json, "dueAt" timestamptz)`;
  await run(
    tx,
    sql`insert into deliveries (organization_id, id, target_id, notice_id, event_id, event_ids, type,
          event_count, payload, state, started_at, next_at, created_at)
        select "organizationId", id, "targetId", "noticeId", "eventId", "eventIds", type,
          "eventCount", payload, 'PENDING', "dueAt", "dueAt", ${isoDateTime(now)}
        from ${given}
        on conflict (organization_id, target_id, notice_id) do nothing`,
  );
  await run(
    tx,
    sql`update notification_targets target
        set next_at = least(target.next_at, due.at),
          open_digest_id = coalesce(due."digestId"::uuid, target.open_digest_id)
        from (select "organizationId", "targetId", min("dueAt") as at,
            min(case when type = 'alarm.digest' then id::text end) as "digestId"
          from ${given} group by "organizationId", "targetId") due
        where target.organization_id = due."organizationId" and target.id = due."targetId"`,
  );
}

/** Puts more into digests that are still open. */
export async function updateDigests(
  tx: Transaction,
  digests: readonly {
    readonly organizationId: string;
    readonly id: string;
    /** What it tells of in addition. */
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
