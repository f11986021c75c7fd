import { isoDateTime } from '../runtime/index.ts';
import { type Queries, run, type Sql, type Statement, sql, statementOf } from '../storage/index.ts';

/** A Device with its built-in Variable. */
export interface OnlineRow {
  readonly deviceId: string;
  readonly organizationId: string;
  readonly lastSeenAt: number | null;
  /** The online window of the Device, its own or a learned one; null for the default. */
  readonly onlineMinutes: number | null;
  /** Whether the Device was last reported as online. */
  readonly isOnline: boolean;
  /** What a network server reported of the Device; see `ReportedConnection`. */
  readonly disconnectedAt: number | null;
  readonly heldUntil: number | null;
  readonly variableId: string;
  readonly seriesId: number;
}

const COLUMNS = sql`devices.id as "deviceId", devices.organization_id as "organizationId",
  devices.last_seen_at as "lastSeenAt", devices.is_online as "isOnline",
  coalesce(devices.online_minutes, devices.learned_online_minutes) as "onlineMinutes",
  devices.disconnected_at as "disconnectedAt", devices.online_held_until as "heldUntil",
  variables.id as "variableId", variables.number as "seriesId"`;

const WITH_VARIABLE = sql`devices join variables
  on variables.organization_id = devices.organization_id and variables.device_id = devices.id
  and variables.is_built_in`;

export function listDevices(db: Queries, ids: readonly string[]): Promise<OnlineRow[]> {
  return run(
    db,
    sql`select ${COLUMNS} from ${WITH_VARIABLE} where devices.id = any(${ids}::uuid[])`,
  );
}

export interface OnlinePage {
  readonly after: string;
  /** Devices of these partitions; null for all. */
  readonly partitions: readonly number[] | null;
  readonly max: number;
}

/** Devices that were last reported as online, in the order of their ids. */
export function listOnline(db: Queries, page: OnlinePage): Promise<OnlineRow[]> {
  return list(db, page, sql`devices.is_online`);
}

/** Devices that a network server reported as lost since they were last seen, in the same order. */
export function listDisconnected(db: Queries, page: OnlinePage): Promise<OnlineRow[]> {
  const isLost = sql`devices.disconnected_at is not null
    and devices.disconnected_at >= devices.last_seen_at`;
  return list(db, page, isLost);
}

/** Devices that were last reported as offline, though their online window has not passed, likewise. */
export function listSeenSince(moment: { readonly now: number; readonly onlineMs: number }) {
  const { now, onlineMs } = moment;
  const minutes = sql`coalesce(devices.online_minutes, devices.learned_online_minutes,
    ${onlineMs / 60_000}::double precision)`;
  const isSeen = sql`not devices.is_online
    and devices.last_seen_at > ${isoDateTime(now)}::timestamptz - ${minutes} * interval '1 minute'`;
  return (db: Queries, page: OnlinePage) => list(db, page, isSeen);
}

function list(db: Queries, { after, partitions, max }: OnlinePage, condition: Sql) {
  return run<OnlineRow>(
    db,
    sql`select ${COLUMNS} from ${WITH_VARIABLE}
        where ${condition} and devices.id > ${after} and ${isIn(partitions)}
        order by devices.id limit ${max}`,
  );
}

function isIn(partitions: OnlinePage['partitions']): Sql {
  return partitions === null
    ? sql`true`
    : sql`partition_of(devices.id) = any(${partitions}::smallint[])`;
}

/** Flips the reported presence of each Device. */
export function* flipStatements(
  flipped: readonly OnlineRow[],
  now: number,
): Generator<Statement, void> {
  for (const isOnline of [true, false]) {
    const ids = flipped.filter((row) => row.isOnline !== isOnline).map(({ deviceId }) => deviceId);
    if (ids.length === 0) continue;
    yield statementOf(
      sql`update devices set is_online = ${isOnline}, online_changed_at = ${isoDateTime(now)}
          where id in (select id from devices where id = any(${ids}::uuid[]) order by id
                       for no key update)`,
    );
  }
}

/** The time of a reading of a series, such as its newest. */
export interface SeriesTime {
  readonly seriesId: number;
  readonly at: number;
}

/** The Devices that these readings show to have been seen later than is stored, and when. */
export function listSeenLater(
  db: Queries,
  newest: readonly SeriesTime[],
): Promise<{ readonly deviceId: string; readonly at: number }[]> {
  const seriesIds = newest.map(({ seriesId }) => seriesId);
  const times = newest.map(({ at }) => isoDateTime(at));
  return run(
    db,
    sql`select devices.id as "deviceId", max(newest.at) as at
        from unnest(${seriesIds}::int8[], ${times}::timestamptz[]) as newest (series_id, at)
        join variables on variables.number = newest.series_id and not variables.is_built_in
        join devices on devices.organization_id = variables.organization_id
          and devices.id = variables.device_id
        where devices.last_seen_at is null or devices.last_seen_at < newest.at
        group by devices.id`,
  );
}

/** Moves last-seen times forward, never back. */
export async function saveLastSeen(
  db: Queries,
  seen: readonly { readonly id: string; readonly at: number }[],
): Promise<void> {
  const ids = seen.map(({ id }) => id);
  const times = seen.map(({ at }) => isoDateTime(at));
  await run(
    db,
    sql`update devices set last_seen_at = seen.at
        from unnest(${ids}::uuid[], ${times}::timestamptz[]) as seen (id, at)
        where devices.id = seen.id
          and devices.id in (select id from devices where id = any(${ids}::uuid[]) order by id
                             for no key update)
          and (devices.last_seen_at is null or devices.last_seen_at < seen.at)`,
  );
}
