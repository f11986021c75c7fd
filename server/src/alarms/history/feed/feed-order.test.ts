import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  addCrossing,
  addNote,
  createEvent,
  createWriter,
  openDatabase,
  organizationIn,
  ROLLED_BACK,
  startFeed,
} from '../../../../test/support/alarm-feed.ts';
import { createRandom } from '../../../../test/support/random.ts';

const eventually = { timeout: 20_000, interval: 10 };

it.each([
  ['note', addNote],
  ['crossing', addCrossing],
])(
  'a %s that commits after a change with a higher number is announced before it on every node',
  async (_, addEntry) => {
    const { storage } = await openDatabase();
    const organizationId = randomUUID();
    const nodes = [startFeed(storage), startFeed(storage, { hasPeers: () => true })];
    await Promise.all(nodes.map(({ feed }) => feed.newestId(organizationId)));
    const { open } = await createWriter(storage, organizationId, addEntry);
    const { write } = await createWriter(storage, organizationId);
    const first = await open();
    await write();
    for (const { feed } of nodes) {
      feed.note([organizationId]);
      expect(await feed.newestId(organizationId)).toBe('0');
      expect(await feed.after(organizationId, '0', 10)).toEqual([]);
    }
    await first.commit();
    await expect
      .poll(() => nodes.map(({ idsOf }) => idsOf(organizationId)), eventually)
      .toEqual([
        ['1', '2'],
        ['1', '2'],
      ]);
  },
);

it('a change is announced after the rollback of a transaction with a lower number', async () => {
  const { storage } = await openDatabase();
  const organizationId = randomUUID();
  const { feed, idsOf } = startFeed(storage);
  await feed.newestId(organizationId);
  const { write, open } = await createWriter(storage, organizationId);
  const first = await open();
  await write();
  feed.note([organizationId]);
  expect(await feed.after(organizationId, '0', 10)).toEqual([]);
  await first.rollBack();
  await expect.poll(() => idsOf(organizationId), eventually).toEqual(['2']);
});

it('a change that was held back when a stream began is announced to it', async () => {
  const { storage } = await openDatabase();
  const organizationId = randomUUID();
  const { feed, idsOf } = startFeed(storage);
  const { write, open } = await createWriter(storage, organizationId);
  await write();
  const second = await open();
  await write();
  expect(await feed.newestId(organizationId)).toBe('1');
  await second.rollBack();
  await expect.poll(() => idsOf(organizationId), eventually).toEqual(['3']);
});

it('a stream that resumes after its first id gets a change that commits late', async () => {
  const { storage } = await openDatabase();
  const organizationId = randomUUID();
  const { write, open } = await createWriter(storage, organizationId);
  await write();
  const second = await open();
  await write();
  const id = await startFeed(storage).feed.newestId(organizationId);
  await second.commit();
  const replayed = await startFeed(storage).feed.after(organizationId, id, 10);
  expect(replayed?.map((change) => change.id)).toEqual(['2', '3']);
});

it('an announced change is replayed though a writer states a lower bound below it', async () => {
  const { storage } = await openDatabase();
  const organizationId = organizationIn(7);
  const { feed, idsOf } = startFeed(storage);
  await feed.newestId(organizationId);
  const { write } = await createWriter(storage, organizationId);
  for (const _ of [1, 2, 3]) await write();
  feed.note([organizationId]);
  await expect.poll(() => idsOf(organizationId), eventually).toEqual(['1', '2', '3']);
  await storage.transaction(async (tx) => {
    // It noted the next number, was halted, and took its lock only now.
    await tx.query('select pg_advisory_xact_lock_shared($1, 1)', [0x46_57_45_07]);
    const replayed = await feed.after(organizationId, '1', 10);
    expect(replayed?.map((change) => change.id)).toEqual(['2', '3']);
    expect(await startFeed(storage).feed.after(organizationId, '3', 10)).toEqual([]);
  });
});

it('transactions that do not write to the log of the organization delay no change', async () => {
  const { storage } = await openDatabase();
  const elsewhere = await openDatabase();
  const [organizationId, other] = [organizationIn(1), organizationIn(2)];
  const { feed, idsOf } = startFeed(storage);
  await feed.newestId(organizationId);
  const { write } = await createWriter(storage, organizationId);
  const foreign = await (await createWriter(elsewhere.storage, organizationId)).open();
  const neighbour = await (await createWriter(storage, other)).open();
  await storage.background.transaction(async (flush) => {
    await flush.query('create table flushed as select generate_series(1, 1000) as number');
    await storage.background.transaction(async (backup) => {
      await backup.query('set transaction isolation level repeatable read');
      await backup.query('select count(*) from alarm_event_log');
      await write();
      feed.note([organizationId]);
      await expect.poll(() => idsOf(organizationId), eventually).toEqual(['2']);
    });
  });
  await Promise.all([foreign.commit(), neighbour.commit()]);
});

it('ids from before are replayed, and ids beyond 32 bits are ordered as others', async () => {
  const { storage } = await openDatabase();
  const organizationId = randomUUID();
  const { feed, idsOf } = startFeed(storage);
  await feed.newestId(organizationId);
  const eventId = await createEvent(storage, organizationId);
  // As servers without announced writers have stored them.
  await storage.query(
    `insert into alarm_event_log (organization_id, event_id, kind, at, recorded_at)
     select $1, $2, 'RAISED', now(), now() from generate_series(1, 5)`,
    [organizationId, eventId],
  );
  const old = await feed.after(organizationId, '3', 10);
  expect(old?.map(({ id }) => id)).toEqual(['4', '5']);
  const highest = 2 ** 32 - 2;
  await storage.query('select setval($1, $2)', ['alarm_event_log_number_seq', highest]);
  const { write, open } = await createWriter(storage, organizationId);
  const first = await open();
  for (const _ of [1, 2, 3]) await write();
  expect((await feed.after(organizationId, '4', 10))?.map(({ id }) => id)).toEqual(['5']);
  await first.commit();
  const numbers = [1, 2, 3, 4].map((step) => String(highest + step));
  await expect
    .poll(() => idsOf(organizationId), eventually)
    .toEqual(['1', '2', '3', '4', '5', ...numbers]);
  expect(await feed.after(organizationId, String(highest + 5), 10)).toBeNull();
});

it.each([1, 2, 3])(
  'two nodes announce every change once and in one order under load (seed %i)',
  async (seed) => {
    const { storage } = await openDatabase();
    const { below, pick } = createRandom(seed);
    const organizationIds = [organizationIn(1), organizationIn(1), organizationIn(2)];
    const nodes = [1, 2].map(() => startFeed(storage, { hasPeers: () => true }));
    for (const organizationId of organizationIds) {
      for (const { feed } of nodes) await feed.newestId(organizationId);
    }
    async function load(): Promise<void> {
      const organizationId = pick(organizationIds);
      const addEntry = pick([addNote, addCrossing]);
      const { write } = await createWriter(storage, organizationId, addEntry);
      for (let count = 0; count < 40; count += 1) {
        const pauseMs = below(10) === 0 ? below(60) : 0;
        const isRolledBack = below(8) === 0;
        const ending = write(async () => {
          if (pauseMs > 0) await storage.query('select pg_sleep($1)', [pauseMs / 1_000]);
          if (isRolledBack) throw ROLLED_BACK;
        });
        await ending.catch((error: unknown) => expect(error).toBe(ROLLED_BACK));
        pick(nodes).feed.note([organizationId]);
      }
    }
    await Promise.all([1, 2, 3, 4].map(load));
    for (const organizationId of organizationIds) {
      const rows = await storage.query<{ id: string }>(
        `select number::text as id from alarm_event_log where organization_id = $1
         order by number`,
        [organizationId],
      );
      const ids = rows.map(({ id }) => id);
      for (const { idsOf } of nodes) {
        await expect.poll(() => idsOf(organizationId).length, eventually).toBe(ids.length);
        expect(idsOf(organizationId)).toEqual(ids);
      }
    }
  },
);
