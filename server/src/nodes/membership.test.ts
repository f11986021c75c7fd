import { expect, it, onTestFinished } from 'vitest';
import { database, endLease, ownedBy, startNode, steady } from '../../test/support/membership.ts';
import { createDeferred } from '../runtime/index.ts';
import { run, sql } from '../storage/index.ts';
import { PARTITION_COUNT } from './partition.ts';
import { endEpoch } from './store.ts';

const eventually = { timeout: 20_000, interval: 50 };

it('a node alone owns all partitions at once, and a second one gets half of them in order', async () => {
  const url = await database();
  const first = await startNode(url);
  expect(ownedBy(first)).toBe(PARTITION_COUNT);
  const second = await startNode(url);
  expect(ownedBy(second)).toBe(0);
  await first.membership.refresh();
  await expect.poll(() => first.calls, eventually).toEqual(['drain 128']);
  await second.membership.refresh();
  await expect.poll(() => ownedBy(second), eventually).toBe(128);
  expect(ownedBy(first)).toBe(128);
  const owned = [first, second].flatMap(({ membership }) => membership.ownership.partitions ?? []);
  expect(new Set(owned).size).toBe(PARTITION_COUNT);
});

it('a node alone writes nothing while it is idle or read from, and renews its lease when another has joined', async () => {
  const url = await database();
  const first = await startNode(url);
  const leaseOf = async ({ id }: { id: string }) => {
    const [row] = await run<{ until: number }>(
      first.storage,
      sql`select alive_until as until from nodes where id = ${id}`,
    );
    return row?.until ?? 0;
  };
  const before = await leaseOf(first.membership.incarnation);
  // Longer than it takes until the next heartbeat.
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  await first.membership.confirm();
  expect(await leaseOf(first.membership.incarnation)).toBe(before);
  await startNode(url);
  await first.membership.refresh();
  const joined = await leaseOf(first.membership.incarnation);
  expect(joined).toBeGreaterThan(before);
  await expect
    .poll(() => leaseOf(first.membership.incarnation), eventually)
    .toBeGreaterThan(joined);
});

it('a node that stops leaves its partitions to the others', async () => {
  const url = await database();
  const first = await startNode(url);
  const second = await startNode(url);
  await first.membership.stop();
  await second.membership.refresh();
  await expect.poll(() => ownedBy(second), eventually).toBe(PARTITION_COUNT);
});

it('a node whose receiver leaves while both stop keeps its partitions, and stops in order', async () => {
  const url = await database();
  const first = await startNode(url);
  const second = await startNode(url);
  const { promise, resolve } = createDeferred<void>();
  first.drained = promise;
  const retired = first.membership.retire();
  await expect.poll(() => first.calls, eventually).toEqual([`drain ${PARTITION_COUNT}`]);
  await second.membership.stop();
  resolve();
  await retired;
  expect(first.membership.owners).toEqual(
    Array(PARTITION_COUNT).fill(first.membership.incarnation.id),
  );
});

it('a node does not hold its lease beyond five seconds after it asked for it', async () => {
  const { membership, clock } = await startNode(await database());
  expect(membership.lease.isHeld).toBe(true);
  clock.advance(4_900);
  expect(membership.lease.isHeld).toBe(true);
  clock.advance(100);
  expect(membership.lease.isHeld).toBe(false);
  await membership.renew();
  expect(membership.lease.isHeld).toBe(true);
});

it.each([-3_600_000, 3_600_000])(
  'a node whose clock is wrong by %i ms has a lease like the others',
  async (stepMs) => {
    const url = await database();
    const first = await startNode(url);
    const second = await startNode(url);
    first.clock.step(stepMs);
    await first.membership.renew();
    await steady(second);
    expect(second.membership.nodes.every(({ leaseSeconds }) => leaseSeconds <= 6)).toBe(true);
    await second.membership.refresh();
    // Awaits what it does about nodes that are gone.
    await second.membership.stop();
    await first.membership.renew();
    expect(first.calls).not.toContain('fenced');
  },
);

it('a transaction of a node waits to be taken over from, and later ones fail', async () => {
  const url = await database();
  const first = await startNode(url);
  const second = await startNode(url);
  const { id, epoch } = first.membership.incarnation;
  const fence = sql`select require_epoch(${id}, ${epoch})`;
  const order: string[] = [];
  let ending: Promise<unknown> = Promise.resolve();
  await endLease(first);
  await first.storage.transaction(async (tx) => {
    await run(tx, fence);
    ending = second.storage
      .transaction((other) => endEpoch(other, { id, epoch }))
      .then(() => order.push('taken over'));
    await expect
      .poll(
        () =>
          run<{ count: number }>(
            second.storage,
            sql`select count(*) from pg_locks where not granted and pid in (select pid
                from pg_stat_activity where datname = current_database())`,
          ),
        eventually,
      )
      .not.toEqual([{ count: 0 }]);
    tx.afterCommit(() => order.push('committed'));
  });
  await ending;
  expect(order).toEqual(['committed', 'taken over']);
  await expect(run(first.storage, fence)).rejects.toMatchObject({ code: 'FW002' });
});

it('the next start of a node has its partitions at once, and fences the former start', async () => {
  const url = await database();
  const first = await startNode(url);
  const { id, epoch } = first.membership.incarnation;
  await first.storage.stop();
  const again = await startNode(url, id);
  expect(again.membership.incarnation.epoch).toBeGreaterThan(epoch);
  expect(ownedBy(again)).toBe(PARTITION_COUNT);
});

it('a start with the id of a node that is alive is refused, and harms nothing', async () => {
  const url = await database();
  const first = await startNode(url);
  const renewing = setInterval(() => void first.membership.renew(), 200);
  onTestFinished(() => clearInterval(renewing));
  await expect(startNode(url, first.membership.incarnation.id)).rejects.toThrow(
    'another server with the id of this node is running',
  );
  expect(ownedBy(first)).toBe(PARTITION_COUNT);
});
