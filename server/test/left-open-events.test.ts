import { expect, it } from 'vitest';
import { clearAllLeftOpen } from '../src/alarms/engine/conflicts.ts';
import { createLog, systemClock } from '../src/runtime/index.ts';
import type { Storage } from '../src/storage/index.ts';
import { populate } from './support/large-organization.ts';
import { openHistory } from './support/readings.ts';

/** Leaves the events of all Alarms open; those of the Alarms given stay as they are in every update. */
async function leaveOpen(storage: Storage, unchangeable: readonly string[]): Promise<void> {
  await storage.query('update alarm_events set cleared_at = null, cleared_reason = null');
  await storage.query(`create table unchangeable as select unnest($1::uuid[]) as alarm_id`, [
    unchangeable,
  ]);
  await storage.query(`create function leave_unchanged() returns trigger language plpgsql as
    'begin
       if exists (select from unchangeable where alarm_id = old.alarm_id) then return null; end if;
       return new;
     end'`);
  await storage.query(`create trigger unchangeable before update on alarm_events
    for each row execute function leave_unchanged()`);
}

it('events that were left open are cleared page by page, past those that cannot be cleared', async () => {
  const storage = await openHistory();
  await populate(storage, 2_500);
  const alarms = await storage.query<{ id: string }>('select id from alarms order by id');
  // The first page, which has a thousand, and one of the second.
  const unchangeable = alarms.slice(0, 1_001).map(({ id }) => id);
  await leaveOpen(storage, unchangeable);
  const pages: number[] = [];
  await clearAllLeftOpen({
    storage,
    clock: systemClock,
    log: createLog('silent'),
    onStored: ({ cleared }) => pages.push(cleared.length),
    failpoint: () => undefined,
  });
  expect(pages).toEqual([1_000, 1_000, 500]);
  const open = await storage.query<{ alarm_id: string }>(
    'select alarm_id from alarm_events where cleared_at is null order by alarm_id',
  );
  expect(open.map((event) => event.alarm_id)).toEqual(unchangeable);
});
