import type { Severity, VariableType } from '@fieldwatch/contract';
import { type Queries, run, type Sql, sql } from '../../storage/index.ts';
import { eventsBySpan } from '../event-span.ts';

export interface Subject {
  readonly seriesId: number;
  readonly deviceId: string;
  readonly type: VariableType;
}

/** A Variable, and the key of its history. */
/** Of a Variable that exists. */
export async function findSubject(
  db: Queries,
  organizationId: string,
  variableId: string,
): Promise<Subject> {
  const [row] = await run<Subject>(
    db,
    sql`select number as "seriesId", device_id as "deviceId", type from variables
        where organization_id = ${organizationId} and id = ${variableId}`,
  );
  if (!row) throw new Error('the Variable of an Alarm is gone');
  return row;
}

export interface Range {
  readonly startTime: number;
  readonly endTime: number;
}

function time(epochMs: number): Sql {
  return sql`(timestamptz 'epoch' + ${epochMs}::bigint * interval '1 millisecond')`;
}

function raisedIn(organizationId: string, { startTime, endTime }: Range): Sql {
  return sql`organization_id = ${organizationId}
    and raised_at between ${time(startTime)} and ${time(endTime)}`;
}

export function countBySeverity(
  db: Queries,
  organizationId: string,
  range: Range,
): Promise<{ severity: Severity; count: number }[]> {
  return run(
    db,
    sql`select severity, count(*) from alarm_events where ${raisedIn(organizationId, range)}
        group by severity`,
  );
}

/** Of ten minutes by the clock, the earliest with the most events. */
export async function findPeak(
  db: Queries,
  organizationId: string,
  range: Range,
): Promise<{ startAt: number; count: number } | null> {
  const [row] = await run<{ startAt: number; count: number }>(
    db,
    sql`select date_bin('10 minutes', raised_at, timestamptz 'epoch') as "startAt", count(*)
        from alarm_events where ${raisedIn(organizationId, range)}
        group by 1 order by 2 desc, 1 limit 1`,
  );
  return row ?? null;
}

export interface CountedAlarm {
  readonly alarmId: string;
  readonly alarmName: string;
  readonly count: number;
}

const COUNTED = sql`alarm_id as "alarmId",
  (array_agg(alarm_name order by raised_at desc))[1] as "alarmName", count(*)`;

export function listMostFrequent(
  db: Queries,
  organizationId: string,
  range: Range,
  most: number,
): Promise<CountedAlarm[]> {
  return run(
    db,
    sql`select ${COUNTED} from alarm_events where ${raisedIn(organizationId, range)}
        group by alarm_id order by count(*) desc, alarm_id limit ${most}`,
  );
}

/** Alarms that were raised for the third time within a minute, by how often they were. */
export function listChattering(
  db: Queries,
  organizationId: string,
  range: Range,
  most: number,
): Promise<CountedAlarm[]> {
  return run(
    db,
    sql`select ${COUNTED} from (
          select alarm_id, alarm_name, raised_at,
            lag(raised_at, 2) over (partition by alarm_id order by raised_at) as second_last
          from alarm_events where ${raisedIn(organizationId, range)}) events
        where second_last >= raised_at - interval '1 minute'
        group by alarm_id order by count(*) desc, alarm_id limit ${most}`,
  );
}

export interface StandingEvent {
  readonly eventId: string;
  readonly alarmId: string;
  readonly alarmName: string;
  readonly raisedAt: number;
}

function openAt(organizationId: string, at: number): Sql {
  return eventsBySpan(organizationId, sql`@> ${time(at)}`);
}

export async function countOpen(db: Queries, organizationId: string, at: number): Promise<number> {
  const [row] = await run<{ count: number }>(
    db,
    sql`select count(*) from alarm_events where ${openAt(organizationId, at)}`,
  );
  return row?.count ?? 0;
}

export function listLongestStanding(
  db: Queries,
  organizationId: string,
  at: number,
  most: number,
): Promise<StandingEvent[]> {
  return run(
    db,
    sql`select id as "eventId", alarm_id as "alarmId", alarm_name as "alarmName",
          raised_at as "raisedAt"
        from alarm_events where ${openAt(organizationId, at)} order by raised_at, id limit ${most}`,
  );
}

/** How many alarms are in which phase, in the whole installation. */
export async function countPhases(db: Queries): Promise<Record<string, number>> {
  const rows = await run<{ phase: string; count: number }>(
    db,
    sql`select phase, count(*) from alarm_watches where phase <> 'CLEAR' group by phase`,
  );
  return Object.fromEntries(rows.map(({ phase, count }) => [phase.toLowerCase(), count]));
}
