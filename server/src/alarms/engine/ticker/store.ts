import { isoDateTime } from '../../../runtime/index.ts';
import { type Queries, run, type Sql, sql, type Transaction } from '../../../storage/index.ts';
import { type AlarmName, asked, lockedAlarms } from '../store.ts';

/** Which watches the clock may end. */
export interface DueScope {
  /** Those of Devices in these partitions; null for all. */
  readonly partitions: readonly number[] | null;
  /** Only those whose hold or clearing began at or after this time; null for all. */
  readonly arrivedFrom: number | null;
}

/** The Alarms whose hold or clearing the clock ends, the most overdue first. */
export function listDue(
  db: Queries,
  now: number,
  { partitions, arrivedFrom }: DueScope,
  most: number,
): Promise<AlarmName[]> {
  const isFresh = arrivedFrom === null ? sql`true` : sql`arrived_at >= ${isoDateTime(arrivedFrom)}`;
  return run(
    db,
    sql`select organization_id as "organizationId", alarm_id as "alarmId" from alarm_watches
        where due_at <= ${isoDateTime(now)} and ${isFresh} and ${isIn(partitions)}
        order by due_at limit ${most}`,
  );
}

/** Whether any Alarm has a hold or a clearing that the clock may end. */
export async function hasPending(
  db: Queries,
  partitions: readonly number[] | null,
): Promise<boolean> {
  const rows = await run(
    db,
    sql`select 1 from alarm_watches where due_at is not null and ${isIn(partitions)} limit 1`,
  );
  return rows.length > 0;
}

function isIn(partitions: readonly number[] | null): Sql {
  if (partitions === null) return sql`true`;
  return sql`(select partition_of(device_id) from alarms
    where alarms.organization_id = alarm_watches.organization_id
      and alarms.id = alarm_watches.alarm_id) = any(${partitions}::smallint[])`;
}

/** A moment of a run of the server, by its clock and by its monotonic one. */
export interface RunMoment {
  readonly runId: string;
  readonly now: number;
  readonly elapsed: number;
}

/**
 * When the reading arrived, by the clock as it is now. Of another run of a server this is not known;
 * but it cannot have been in the future.
 */
function alignedArrival({ runId, now, elapsed }: RunMoment): Sql {
  const origin = sql`${isoDateTime(now - elapsed)}::timestamptz`;
  return sql`case when arrival_run = ${runId}
    then ${origin} + arrival_elapsed * interval '1 millisecond'
    else least(arrived_at, ${isoDateTime(now)}::timestamptz) end`;
}

export interface MisalignedScope extends Pick<DueScope, 'partitions'> {
  readonly toleranceMs: number;
  readonly max: number;
}

/** Some of the watches whose stored arrival differs from the aligned one. */
export function listMisaligned(
  db: Queries,
  moment: RunMoment,
  { toleranceMs, max, partitions }: MisalignedScope,
): Promise<AlarmName[]> {
  return run(
    db,
    sql`select organization_id as "organizationId", alarm_id as "alarmId" from alarm_watches
        where due_at is not null and ${isIn(partitions)}
          and abs(extract(epoch from ${alignedArrival(moment)} - arrived_at)) > ${toleranceMs / 1_000}::float8
        limit ${max}`,
  );
}

/** Aligns their arrivals and due times with the clock. */
export async function alignArrivals(
  tx: Transaction,
  names: readonly AlarmName[],
  moment: RunMoment,
): Promise<void> {
  const { runId, now, elapsed } = moment;
  await run(tx, lockedAlarms(names));
  await run(
    tx,
    sql`update alarm_watches set arrived_at = aligned.at, due_at = due_at + (aligned.at - arrived_at),
          arrival_run = ${runId}, version = version + 1,
          arrival_elapsed = round(1000 * extract(epoch from aligned.at
            - ${isoDateTime(now - elapsed)}::timestamptz))
        from (select organization_id, alarm_id, ${alignedArrival(moment)} as at
          from ${asked(names)} join alarm_watches using (organization_id)
          where alarm_id = asked.id and due_at is not null) aligned
        where alarm_watches.organization_id = aligned.organization_id
          and alarm_watches.alarm_id = aligned.alarm_id`,
  );
}
