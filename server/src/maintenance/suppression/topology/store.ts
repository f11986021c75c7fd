import type { Severity } from '@fieldwatch/contract';
import { isActive } from '../../../alarms/index.ts';
import { isoDateTime } from '../../../runtime/index.ts';
import { run, type Sql, sql, type Transaction } from '../../../storage/index.ts';
import type { Candidate } from '../candidate.ts';

export interface DeviceName {
  readonly organizationId: string;
  readonly deviceId: string;
}

export const deviceName = ({ organizationId, event }: Candidate): DeviceName => ({
  organizationId,
  deviceId: event.deviceId,
});

/** A Device above another one. */
export interface AboveRow {
  readonly organizationId: string;
  readonly id: string;
  readonly name: string;
  readonly isOffline: boolean;
}

/** Whatever lies deeper is not looked at, so that a chain of any length has a bounded cost. */
const MAX_DEPTH = 32;
const MAX_BEHIND = 100_000;

const wanted = (names: readonly DeviceName[]) =>
  sql`(select distinct * from json_to_recordset(${JSON.stringify(names)}) as given
    ("organizationId" uuid, "deviceId" uuid)) wanted`;

/** As Devices are listed as offline. */
export const isOffline = (device: Sql) => sql`(${device}.is_active and not ${device}.is_online
  and ${device}.last_seen_at is not null and ${device}.archived_at is null)`;

/** The online window of a Device. */
const windowMs = (device: Sql, onlineMs: number) =>
  sql`coalesce(60000 * coalesce(${device}.online_minutes, ${device}.learned_online_minutes),
    ${onlineMs}::int)`;

/**
 * By Device, those above it, the topmost first. The gateways that receive a sensor count as offline
 * only when all of them are; one that is no Device may still receive it.
 */
export async function listAbove(
  tx: Transaction,
  names: readonly DeviceName[],
): Promise<ReadonlyMap<string, readonly AboveRow[]>> {
  const rows = await run<AboveRow & { readonly deviceId: string; readonly depth: number }>(
    tx,
    sql`with recursive chain as (
          select "organizationId", "deviceId", parent_device_id as id, 1 as depth
          from ${wanted(names)} join devices
            on organization_id = "organizationId" and id = "deviceId"
          where parent_device_id is not null
          union all
          select "organizationId", "deviceId", parent_device_id, depth + 1
          from chain join devices
            on devices.organization_id = "organizationId" and devices.id = chain.id
          where parent_device_id is not null and depth < ${MAX_DEPTH}::int)
        select "organizationId", "deviceId", above.id, above.name,
          ${isOffline(sql`above`)} as "isOffline", depth
        from chain join devices above
          on above.organization_id = "organizationId" and above.id = chain.id
        union all
        select "organizationId", "deviceId", id, name, "isOffline", 0
        from (select "organizationId", "deviceId", gateway.id, gateway.name,
              bool_and(coalesce(${isOffline(sql`gateway`)}, false))
                over (partition by "organizationId", "deviceId") as "isOffline"
            from ${wanted(names)} join lorawan_devices sensor
              on sensor.organization_id = "organizationId" and sensor.device_id = "deviceId"
            cross join unnest(sensor.gateways) received (by)
            left join devices gateway on gateway.organization_id = "organizationId"
              and gateway.gateway_eui = received.by) receivers
        where id is not null
        order by depth desc, id`,
  );
  const above = new Map<string, AboveRow[]>();
  for (const { deviceId, depth: _, ...row } of rows) {
    const known = above.get(deviceId);
    if (known) known.push(row);
    else above.set(deviceId, [row]);
  }
  return above;
}

/** A Device that is offline without an event of its own, as the first event behind it reported. */
export interface OutageRow extends DeviceName {
  readonly eventId: string;
  /** The worst that was reported. */
  readonly severity: Severity;
}

export interface OfflineState {
  /** By Device: its open event that says so and has recipients. */
  readonly events: ReadonlyMap<string, string>;
  readonly outages: readonly OutageRow[];
}

export async function findOfflineState(
  tx: Transaction,
  devices: readonly AboveRow[],
): Promise<OfflineState> {
  if (devices.length === 0) return { events: new Map(), outages: [] };
  const names = devices.map(({ organizationId, id }) => ({ organizationId, deviceId: id }));
  const events = await run<{ deviceId: string; eventId: string }>(
    tx,
    sql`select "deviceId", event.id as "eventId"
        from ${wanted(names)} join variables
          on variables.organization_id = "organizationId" and variables.device_id = "deviceId"
          and variables.is_built_in
        join alarm_events event on event.organization_id = "organizationId"
          and event.variable_id = variables.id
        where ${isActive(sql`event`)} and event.raised_value = 'false'
          and event.alarm_group_id is not null and not event.is_shelved`,
  );
  const outages = await run<OutageRow>(
    tx,
    sql`select "organizationId", "deviceId", event_id as "eventId", severity
        from ${wanted(names)} join device_outages
          on organization_id = "organizationId" and device_id = "deviceId"`,
  );
  return { events: new Map(events.map((each) => [each.deviceId, each.eventId])), outages };
}

/** Those of the events that say that their Device is offline, with the online window of that. */
export function listOfflineEvents(
  tx: Transaction,
  organizationId: string,
  eventIds: readonly string[],
  onlineMs: number,
): Promise<{ readonly deviceId: string; readonly windowMs: number }[]> {
  return run(
    tx,
    sql`select event.device_id as "deviceId", ${windowMs(sql`devices`, onlineMs)} as "windowMs"
        from alarm_events event join variables
          on variables.organization_id = event.organization_id
          and variables.id = event.variable_id and variables.is_built_in
        join devices on devices.organization_id = event.organization_id
          and devices.id = event.device_id
        where event.organization_id = ${organizationId} and event.id = any(${eventIds}::uuid[])
          and event.raised_value = 'false'
        order by event.id`,
  );
}

export async function saveOutages(tx: Transaction, outages: readonly OutageRow[]): Promise<void> {
  if (outages.length === 0) return;
  await run(
    tx,
    sql`insert into device_outages (organization_id, device_id, event_id, severity)
        select "organizationId", "deviceId", "eventId", severity
        from json_to_recordset(${JSON.stringify(outages)}) as given ("organizationId" uuid,
          "deviceId" uuid, "eventId" uuid, severity text)
        on conflict (organization_id, device_id) do update set severity = excluded.severity`,
  );
}

/** How many Devices are below each, or are sensors that it alone receives; those with none are left out. */
export async function countBehind(
  tx: Transaction,
  names: readonly DeviceName[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await run<{ deviceId: string; count: number }>(
    tx,
    sql`with recursive below as (
          select "organizationId", "deviceId", child.id, 1 as depth
          from ${wanted(names)} join devices child
            on child.organization_id = "organizationId" and child.parent_device_id = "deviceId"
          where child.archived_at is null
          union all
          select "organizationId", "deviceId", child.id, depth + 1
          from below join devices child on child.organization_id = "organizationId"
            and child.parent_device_id = below.id
          where child.archived_at is null and depth < ${MAX_DEPTH}::int)
        select "deviceId", count(*)::int as count
        from (select "deviceId", id from below
            union
            select "deviceId", sensor.device_id from ${wanted(names)} join devices gateway
              on gateway.organization_id = "organizationId" and gateway.id = "deviceId"
            join lorawan_devices sensor on sensor.organization_id = "organizationId"
              and sensor.gateways @> array[gateway.gateway_eui] and cardinality(sensor.gateways) = 1
            limit ${MAX_BEHIND}) counted
        group by "deviceId"`,
  );
  return new Map(rows.map(({ deviceId, count }) => [deviceId, count]));
}

/** Whether no other node releases at the moment; none does until the transaction ends. */
export async function isSoleReleaser(tx: Transaction): Promise<boolean> {
  const [row] = await run<{ isSole: boolean }>(
    tx,
    sql`select pg_try_advisory_xact_lock(hashtextextended('held_notifications', 0)) as "isSole"`,
  );
  return row?.isSole ?? false;
}

/**
 * Sets the end of what is held behind Devices that are no longer offline: twice the window of the
 * Devices that are held, the longest of them, so that one digest names those that are still silent.
 */
export async function scheduleReturned(
  tx: Transaction,
  { now, onlineMs }: { readonly now: number; readonly onlineMs: number },
): Promise<void> {
  await run(
    tx,
    sql`with returned as materialized (
          select held.organization_id, held.cause_id,
            max(${windowMs(sql`child`, onlineMs)}) as window_ms
          from held_notifications held
          left join devices cause
            on cause.organization_id = held.organization_id and cause.id = held.cause_id
          join alarm_events event
            on event.organization_id = held.organization_id and event.id = held.event_id
          left join devices child
            on child.organization_id = held.organization_id and child.id = event.device_id
          where reason = 'TOPOLOGY' and due_at is null
            and coalesce(not ${isOffline(sql`cause`)}, true)
          group by held.organization_id, held.cause_id)
        update held_notifications held
        set due_at = ${isoDateTime(now)}::timestamptz + 2 * window_ms * interval '1 millisecond'
        from returned
        where held.organization_id = returned.organization_id
          and held.cause_id = returned.cause_id and held.reason = 'TOPOLOGY'`,
  );
  await run(
    tx,
    sql`delete from device_outages outage using devices cause
        where cause.organization_id = outage.organization_id and cause.id = outage.device_id
          and not ${isOffline(sql`cause`)}`,
  );
}

/** The Devices above whose held notifications are due. */
export function listDueCauses(
  tx: Transaction,
  now: number,
): Promise<{ organizationId: string; causeId: string; name: string | null }[]> {
  return run(
    tx,
    sql`select distinct held.organization_id as "organizationId", cause_id as "causeId", name
        from held_notifications held left join devices cause
          on cause.organization_id = held.organization_id and cause.id = held.cause_id
        where reason = 'TOPOLOGY' and due_at <= ${isoDateTime(now)} limit 100`,
  );
}
