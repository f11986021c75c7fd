import { expect, it } from 'vitest';
import { updateStatements } from '../src/alarms/engine/store.ts';
import { clearedUpdateOf } from '../src/alarms/engine/watch-update.ts';
import { listChangesAfter } from '../src/alarms/history/feed/store.ts';
import { findEvents } from '../src/alarms/history/store.ts';
import { listOpenEvents } from '../src/paging/pages/records/store.ts';
import { plansOf } from './support/explain.ts';
import { organizationId, populate } from './support/large-organization.ts';
import { openHistory } from './support/readings.ts';

const someIds = Array.from({ length: 3 }, () => crypto.randomUUID());

/** An organization with so many alarm events, which PostgreSQL has not counted. */
async function openUncounted(count: number) {
  const fresh = await openHistory();
  for (const table of ['alarm_events', 'page_events']) {
    await fresh.query(`alter table ${table} set (autovacuum_enabled = false)`);
  }
  await populate(fresh, count);
  return fresh;
}

it('the active events of a page are found by their ids, also before their tables are counted', async () => {
  const fresh = await openUncounted(2_000);
  const pageId = someIds[0] ?? '';
  const [plan] = await plansOf(fresh, (db) => listOpenEvents(db, organizationId, pageId));
  expect(plan).toMatch(/using alarm_events_pkey/);
});

it('no look-up of an event by its key uses the index of spans, also before their tables are counted', async () => {
  const fresh = await openUncounted(60);
  const event = {
    organizationId,
    eventId: someIds[0] ?? '',
    alarmId: someIds[1] ?? '',
    raisedAt: 0,
  };
  const moment = { now: 0, failpoint: () => undefined };
  const plans = await plansOf(fresh, async (db) => {
    await listChangesAfter(db, organizationId, 0, 500);
    await findEvents(db, organizationId, someIds);
    await listOpenEvents(db, organizationId, event.eventId);
    for (const { sql, params } of updateStatements(clearedUpdateOf([event], 0), moment)) {
      await db.query(sql, params);
    }
  });
  expect(plans.length).toBeGreaterThan(6);
  for (const plan of plans) expect(plan).not.toContain('alarm_events_span');
});

it('a GiST index serves only statements that repeat its condition', async () => {
  const storage = await openHistory();
  const indexes = await storage.query<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index
     join pg_class on pg_class.oid = indexrelid join pg_am on pg_am.oid = relam
     where amname = 'gist' and indpred is null and relnamespace = 'public'::regnamespace`,
  );
  expect(indexes).toEqual([]);
});
