import type { AlarmOperator } from '@fieldwatch/contract';
import {
  type Queries,
  run,
  type Sql,
  type Statement,
  sql,
  statementOf,
  type Transaction,
} from '../../storage/index.ts';
import { judgedTermsOf, type Value } from '../judgement/index.ts';
import { at, eventStatements, given, jsonOrNull, logStatements } from './recording/index.ts';
import { type WatchRow, watchOf } from './watch-row.ts';
import type { StoredWatch, WatchUpdate, WatchWrite } from './watch-update.ts';

interface WatchedRow {
  readonly organizationId: string;
  readonly alarmId: string;
  readonly deviceId: string;
  readonly seriesId: number;
  readonly operator: AlarmOperator;
  readonly thresholdValueNumber: number | null;
  readonly thresholdValueString: string | null;
  readonly thresholdValueBoolean: boolean | null;
  readonly delayProcessingSeconds: number | null;
  readonly deadband: number | null;
  readonly clearDelaySeconds: number | null;
  readonly phase: WatchRow['phase'] | null;
  readonly beganAt: number | null;
  readonly beganValue: Value | null;
  readonly arrivedAt: number | null;
  readonly startedAt: number | null;
  readonly raisedAt: number | null;
  readonly dueAt: number | null;
  readonly judgedTo: number | null;
  readonly judgedAt: number | null;
  readonly arrivalRun: string | null;
  readonly arrivalElapsed: number | null;
  readonly version: number | null;
  readonly epoch: number | null;
}

/** An Alarm with its watch, and the key of the history of its Variable. */
export interface WatchedVariable {
  readonly seriesId: number;
  readonly stored: StoredWatch;
}

const WATCHED = sql`alarms.organization_id as "organizationId", alarms.id as "alarmId",
  alarms.device_id as "deviceId", variables.number as "seriesId", alarms.operator,
  alarms.threshold_number as "thresholdValueNumber",
  alarms.threshold_string as "thresholdValueString",
  alarms.threshold_boolean as "thresholdValueBoolean",
  alarms.delay_seconds as "delayProcessingSeconds", alarms.deadband,
  alarms.clear_delay_seconds as "clearDelaySeconds", watch.phase, watch.began_at as "beganAt",
  watch.began_value as "beganValue", watch.arrived_at as "arrivedAt",
  watch.started_at as "startedAt", watch.raised_at as "raisedAt", watch.due_at as "dueAt",
  watch.judged_to as "judgedTo", watch.judged_at as "judgedAt",
  watch.arrival_run as "arrivalRun", watch.arrival_elapsed as "arrivalElapsed", watch.version,
  watch.epoch`;

/**
 * Row by row, each by its key. Of tables that grew too lately to be counted PostgreSQL believes that
 * they are small; left to itself it then joins all rows of an organization with all others.
 */
const WATCHED_FROM = (alarms: Sql): Sql => sql`cross join lateral (
    select * from alarms where ${alarms} offset 0) alarms
  cross join lateral (
    select number from variables where variables.organization_id = alarms.organization_id
      and variables.id = alarms.variable_id offset 0) variables
  left join lateral (
    select * from alarm_watches where alarm_watches.organization_id = alarms.organization_id
      and alarm_watches.alarm_id = alarms.id offset 0) watch on true`;

function watchedOf(row: WatchedRow): WatchedVariable {
  const { organizationId, alarmId, deviceId, seriesId } = row;
  const { arrivalRun: runId, arrivalElapsed: elapsed } = row;
  return {
    seriesId,
    stored: {
      organizationId,
      alarmId,
      deviceId,
      terms: judgedTermsOf(row),
      watch: watchOf({ ...row, phase: row.phase ?? 'CLEAR' }),
      judgedTo: row.judgedTo,
      judgedAt: row.judgedAt,
      arrival: runId === null || elapsed === null ? null : { runId, elapsed },
      version: row.version ?? 0,
      epoch: row.epoch ?? 0,
    },
  };
}

/** The watches on the Variables of these Devices. */
export async function listStoredWatches(
  db: Queries,
  devices: readonly { readonly organizationId: string; readonly deviceId: string }[],
): Promise<WatchedVariable[]> {
  const rows = await run<WatchedRow>(
    db,
    sql`select ${WATCHED}
        from unnest(${devices.map((each) => each.organizationId)}::uuid[],
          ${devices.map((each) => each.deviceId)}::uuid[]) as asked (organization_id, device_id)
        ${WATCHED_FROM(sql`organization_id = asked.organization_id
          and device_id = asked.device_id and is_active and archived_at is null
          and num_nonnulls(threshold_number, threshold_string, threshold_boolean) > 0`)}
        order by alarms.id`,
  );
  // The ids of the Devices, of which the cache has a copy already.
  const owners = new Map(devices.map((each) => [each.deviceId, each]));
  return rows.map((row) => {
    const { organizationId, deviceId } = owners.get(row.deviceId) ?? row;
    return watchedOf({ ...row, organizationId, deviceId });
  });
}

export interface AlarmName {
  readonly organizationId: string;
  readonly alarmId: string;
}

/** The Alarms, locked against other changes. Those that no longer exist are left out. */
export async function lockStoredWatches(
  tx: Transaction,
  names: readonly AlarmName[],
): Promise<WatchedVariable[]> {
  await run(tx, lockedAlarms(names));
  const rows = await run<WatchedRow>(
    tx,
    sql`select ${WATCHED} from ${asked(names)} ${WATCHED_FROM(
      sql`organization_id = asked.organization_id and id = asked.id`,
    )}`,
  );
  return rows.map(watchedOf);
}

/** In one order everywhere, which prevents deadlocks. */
export function lockedAlarms(names: readonly AlarmName[]): Sql {
  return sql`select alarms.organization_id, alarms.id from ${asked(names)} join alarms
      on alarms.organization_id = asked.organization_id and alarms.id = asked.id
    order by alarms.id for no key update of alarms`;
}

export function asked(names: readonly AlarmName[]): Sql {
  return sql`unnest(${names.map((each) => each.organizationId)}::uuid[],
    ${names.map((each) => each.alarmId)}::uuid[]) as asked (organization_id, id)`;
}

/** An open event, and when it was raised. */
export interface OpenEvent extends AlarmName {
  readonly eventId: string;
  readonly raisedAt: number;
}

/** Open events whose Alarm is clear: no judgement will ever clear them. */
const LEFT_OPEN = sql`open.cleared_at is null and not exists (select 1 from alarm_watches watch
  where watch.organization_id = open.organization_id and watch.alarm_id = open.alarm_id
    and watch.phase in ('TRIGGERED', 'CLEARING'))`;

/** A page of the Alarms that are clear and have an open event, from the one after the Alarm given. */
export function listLeftOpen(
  db: Queries,
  { after, limit }: { after: AlarmName | null; limit: number },
): Promise<AlarmName[]> {
  const isAfter = after
    ? sql`(organization_id, alarm_id) > (${after.organizationId}::uuid, ${after.alarmId}::uuid)`
    : sql`true`;
  return run(
    db,
    sql`select organization_id as "organizationId", alarm_id as "alarmId" from alarm_events open
        where ${LEFT_OPEN} and ${isAfter} order by organization_id, alarm_id limit ${limit}`,
  );
}

/** The open events of those of these Alarms that are clear. */
export async function lockLeftOpenEvents(
  tx: Transaction,
  names: readonly AlarmName[],
): Promise<OpenEvent[]> {
  await run(tx, lockedAlarms(names));
  return await run(
    tx,
    sql`select open.organization_id as "organizationId", open.alarm_id as "alarmId",
          open.id as "eventId", open.raised_at as "raisedAt"
        from ${asked(names)} join alarm_events open
          on open.organization_id = asked.organization_id and open.alarm_id = asked.id
        where ${LEFT_OPEN}`,
  );
}

export interface StepMoment {
  readonly now: number;
  /** Called between the parts, so that a test can end the process there. */
  readonly failpoint: (name: string) => void;
}

/**
 * Writes an update. The statements fail as changed when the update was judged on another state than
 * the stored one.
 */
export function* updateStatements(
  update: WatchUpdate,
  { now, failpoint }: StepMoment,
): Generator<Statement, void> {
  yield statementOf(savedWatches(update.watches));
  failpoint('watches');
  if (update.logEntries.length === 0) return;
  for (const each of eventStatements(update, now)) yield statementOf(each);
  failpoint('events');
  for (const each of logStatements(update, now)) yield statementOf(each);
  failpoint('outbox');
}

/** Locks the Alarms first. A watch whose Alarm no longer exists counts as changed too. */
function savedWatches(watches: readonly WatchWrite[]): Sql {
  return sql`with locked as materialized (${lockedAlarms(watches)}), saved as (
        insert into alarm_watches as stored (organization_id, alarm_id, phase, began_at,
          began_value, arrived_at, started_at, raised_at, judged_to, judged_at, due_at,
          arrival_run, arrival_elapsed, version, epoch)
        select "organizationId", "alarmId", phase, ${at('beganAt')}, "beganValue",
          ${at('arrivedAt')}, ${at('startedAt')}, ${at('raisedAt')}, ${at('judgedTo')},
          ${at('judgedAt')}, ${at('dueAt')}, "arrivalRun", "arrivalElapsed", version, epoch
        from ${given({
          organizationId: sql`${watches.map((each) => each.organizationId)}::uuid[]`,
          alarmId: sql`${watches.map((each) => each.alarmId)}::uuid[]`,
          phase: sql`${watches.map((each) => each.phase)}::text[]`,
          beganAt: sql`${watches.map((each) => each.beganAt)}::bigint[]`,
          beganValue: sql`${watches.map((each) => jsonOrNull(each.beganValue))}::jsonb[]`,
          arrivedAt: sql`${watches.map((each) => each.arrivedAt)}::bigint[]`,
          startedAt: sql`${watches.map((each) => each.startedAt)}::bigint[]`,
          raisedAt: sql`${watches.map((each) => each.raisedAt)}::bigint[]`,
          judgedTo: sql`${watches.map((each) => each.judgedTo)}::bigint[]`,
          judgedAt: sql`${watches.map((each) => each.judgedAt)}::bigint[]`,
          dueAt: sql`${watches.map((each) => each.dueAt)}::bigint[]`,
          arrivalRun: sql`${watches.map((each) => each.arrivalRun)}::uuid[]`,
          arrivalElapsed: sql`${watches.map((each) => each.arrivalElapsed)}::bigint[]`,
          version: sql`${watches.map((each) => each.version)}::bigint[]`,
          epoch: sql`${watches.map((each) => each.epoch)}::integer[]`,
        })} join locked on locked.organization_id = "organizationId" and locked.id = "alarmId"
        on conflict (organization_id, alarm_id) do update set phase = excluded.phase,
          began_at = excluded.began_at, began_value = excluded.began_value,
          arrived_at = excluded.arrived_at, started_at = excluded.started_at,
          raised_at = excluded.raised_at, judged_to = excluded.judged_to,
          judged_at = excluded.judged_at, due_at = excluded.due_at,
          arrival_run = excluded.arrival_run, arrival_elapsed = excluded.arrival_elapsed,
          version = excluded.version, epoch = excluded.epoch
        where stored.version = excluded.version - 1
        returning 1)
      select require_rows((select count(*) from saved), ${watches.length})`;
}
