import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { updateStatements } from '../src/alarms/engine/store.ts';
import { clearedUpdateOf } from '../src/alarms/engine/watch-update.ts';
import { eventsBySpan } from '../src/alarms/event-span.ts';
import { listChangesAfter } from '../src/alarms/history/feed/store.ts';
import { run, runAll, type Statement, type Storage, sql } from '../src/storage/index.ts';
import { openHistory } from './support/readings.ts';

/*
 * A statement that looks up several rows by one GiST index hid living entries of that index in
 * PostgreSQL 18.4, when another session split the first page of the index meanwhile.
 */

const organizationId = randomUUID();
const NOW = Date.now();

/** Events of as many Alarms. References and triggers are left out. */
async function insertEvents(storage: Storage, count: number, isOpen: boolean) {
  const events = Array.from({ length: count }, () => {
    const [eventId, alarmId] = [randomUUID(), randomUUID()];
    return { organizationId, eventId, alarmId, raisedAt: NOW - 60_000 };
  });
  const end = isOpen ? sql`null, null` : sql`now(), 'RECOVERED'`;
  const given = sql`unnest(${events.map(({ eventId }) => eventId)}::uuid[],
    ${events.map(({ alarmId }) => alarmId)}::uuid[]) as given (event_id, alarm_id)`;
  await storage.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await run(
      tx,
      sql`insert into alarm_events (organization_id, id, alarm_id, alarm_name, alarm_name_folded,
            severity, operator, device_id, device_name, variable_id, variable_name, asset_ids,
            location_ids, raised_at, raised_value, cleared_at, cleared_reason, is_acknowledgeable,
            is_shelved)
          select ${organizationId}, event_id, alarm_id, '', '', 'HIGH', 'EQUAL', alarm_id, '',
            alarm_id, '', '{}', '{}', now() - interval '1 minute', '1', ${end}, false, false
          from ${given}`,
    );
    await run(
      tx,
      sql`insert into alarm_event_log (organization_id, event_id, kind, at, recorded_at)
          select ${organizationId}, event_id, 'RAISED', now(), now() from ${given}`,
    );
  });
  return events;
}

async function clear(storage: Storage, events: Awaited<ReturnType<typeof insertEvents>>) {
  const moment = { now: NOW, failpoint: () => undefined };
  const update = clearedUpdateOf(events, NOW);
  await storage.transaction((tx) => runAll(tx, updateStatements(update, moment)));
}

/** The statement by which changes of events are read for subscribers. */
async function readingOfChanges(): Promise<Statement> {
  const statements: Statement[] = [];
  const noting = {
    async query(text: string, params: readonly unknown[] = []) {
      statements.push({ sql: text, params });
      return [];
    },
  };
  await listChangesAfter(noting, organizationId, 0, 500);
  const [statement] = statements;
  if (!statement) throw new Error('no statement reads changes');
  return statement;
}

/** Runs a statement up to its first row, then what is given, and then to its end. */
async function halted(storage: Storage, statement: Statement, work: () => Promise<unknown>) {
  await storage.transaction(async (tx) => {
    await tx.query(`declare halted cursor for ${statement.sql}`, statement.params);
    await tx.query('fetch 1 from halted');
    await work();
    await tx.query('fetch all from halted');
  });
}

/** How many events the index of spans finds, and how many there are. */
function countEvents(storage: Storage) {
  return storage.transaction(async (tx) => {
    const [all] = await run<{ count: number }>(tx, sql`select count(*) from alarm_events`);
    await tx.query('set local enable_seqscan = off');
    await tx.query('alter table alarm_events drop constraint alarm_events_pkey cascade');
    await tx.query(`drop index alarm_events_newest, alarm_events_by_alarm, alarm_events_by_variable,
      alarm_events_by_group, alarm_events_one_open`);
    const ever = sql`&& tstzrange(null, null)`;
    const bySpan = sql`select count(*) from alarm_events where ${eventsBySpan(organizationId, ever)}`;
    const plan = await run<object>(tx, sql`explain ${bySpan}`);
    expect(JSON.stringify(plan)).toContain('alarm_events_span');
    const [found] = await run<{ count: number }>(tx, bySpan);
    return { bySpan: found?.count, all: all?.count };
  });
}

it('changes that are read while other events are raised hide no event from a search by time', async () => {
  const storage = await openHistory();
  await storage.query('alter table alarm_events set (autovacuum_enabled = false)');
  await insertEvents(storage, 20, false);
  await clear(storage, await insertEvents(storage, 20, true));
  await insertEvents(storage, 50, true);
  const reading = await readingOfChanges();
  await halted(storage, reading, () => insertEvents(storage, 40, true));
  expect(await countEvents(storage)).toEqual({ bySpan: 130, all: 130 });
});
