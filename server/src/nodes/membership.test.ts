import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createTestClock, type TestClock } from '../../test/support/clock.ts';
import { createTestDatabase } from '../../test/support/postgres.ts';
import { openTestStorage } from '../../test/support/storage.ts';
import { createDeferred, createLog } from '../runtime/index.ts';
import { run, type Storage, sql } from '../storage/index.ts';
import { Membership } from './membership.ts';
import { PARTITION_COUNT } from './partition.ts';
import type { NodeReport } from './report.ts';
import { sessionName } from './session.ts';
import { endEpoch } from './store.ts';

const eventually = { timeout: 20_000, interval: 50 };

const IDLE: NodeReport = {
  load: {
    readingsPerSecond: 0,
    cpuShare: 0,
    memoryBytes: 0,
    mqttSessionCount: 0,
    forwardedPerSecond: 0,
    receivedPerSecond: 0,
  },
  lag: { oldestMessageSeconds: 0, flushBacklogBytes: 0 },
  clockDeviationSeconds: 0,
  unreachable: [],
};

interface TestNode {
  readonly membership: Membership;
  readonly clock: TestClock;
  readonly storage: Storage;
  readonly calls: string[];
  /** Draining ends with it. */
  drained: Promise<void>;
  /** Another node flushes journals. */
  areJournalsBusy: boolean;
}

async function database(): Promise<string> {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  return url;
}

async function startNode(databaseUrl: string, id: string = randomUUID()): Promise<TestNode> {
  const clock = createTestClock();
  const storage = await openTestStorage({ databaseUrl, sessionName: sessionName(id) });
  const calls: string[] = [];
  const membership = new Membership({
    storage,
    clock,
    log: createLog('silent'),
    node: { id, version: '0.0.0', address: '127.0.0.1:1' },
    hooks: {
      async adoptJournals() {
        calls.push('adopt');
        return !node.areJournalsBusy;
      },
      drain(partitions) {
        calls.push(`drain ${partitions.length}`);
        return node.drained;
      },
      fenced: () => void calls.push('fenced'),
    },
    report: () => IDLE,
  });
  const node: TestNode = {
    ...{ membership, clock, storage, calls, drained: Promise.resolve(), areJournalsBusy: false },
  };
  await membership.join();
  await membership.start();
  calls.length = 0;
  onTestFinished(() => membership.stop());
  return node;
}

function ownedBy({ membership }: TestNode): number {
  return membership.ownership.partitions?.length ?? PARTITION_COUNT;
}

/** The database holds the lease of a node for ended, though the node goes on. */
async function endLease({ storage, membership }: TestNode): Promise<void> {
  const { id } = membership.incarnation;
  await run(
    storage,
    sql`update nodes set alive_until = now() - interval '1 second' where id = ${id}`,
  );
}

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

it('a node whose lease has ended is taken over by one that has been steady for a lease time', async () => {
  const url = await database();
  const first = await startNode(url);
  const second = await startNode(url);
  await endLease(first);
  await second.membership.refresh();
  expect(second.calls).toEqual([]);
  await steady(second);
  await endLease(first);
  await second.membership.refresh();
  await expect.poll(() => ownedBy(second), eventually).toBe(PARTITION_COUNT);
  expect(new Set(second.calls)).toEqual(new Set(['adopt']));
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await expect(first.membership.renew()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  }
  expect(first.calls).toEqual(['fenced']);
  expect(first.membership.lease.isHeld).toBe(false);
});

it('partitions of a lost node get no owner while another node flushes its journal', async () => {
  const url = await database();
  const first = await startNode(url);
  const second = await startNode(url);
  await steady(second);
  await endLease(first);
  second.areJournalsBusy = true;
  for (let attempt = 0; attempt < 2; attempt += 1) await second.membership.refresh();
  await expect.poll(() => second.calls.length, eventually).toBeGreaterThan(0);
  await second.membership.retire();
  expect(second.membership.owners.every((owner) => owner === first.membership.incarnation.id)).toBe(
    true,
  );
  second.areJournalsBusy = false;
  await second.membership.start();
  await expect.poll(() => ownedBy(second), eventually).toBe(PARTITION_COUNT);
});

/** No regular heartbeat of the nodes that start from now on comes. */
function withoutHeartbeats(): void {
  const intervals = vi
    .spyOn(globalThis, 'setInterval')
    .mockImplementation(() => setTimeout(() => undefined, 0));
  onTestFinished(() => intervals.mockRestore());
}

it('a node is taken over when its lease ends, before the next heartbeat', async () => {
  withoutHeartbeats();
  const url = await database();
  const first = await startNode(url);
  const second = await startNode(url);
  await steady(second);
  const { id } = first.membership.incarnation;
  await run(
    first.storage,
    sql`update nodes set alive_until = now() + interval '1 second' where id = ${id}`,
  );
  await second.membership.refresh();
  expect(second.calls).toEqual([]);
  await expect.poll(() => ownedBy(second), eventually).toBe(PARTITION_COUNT);
});

it('a change during a move is looked at after it, before the next heartbeat', async () => {
  withoutHeartbeats();
  const url = await database();
  const first = await startNode(url);
  await startNode(url);
  const drained = createDeferred<void>();
  first.drained = drained.promise;
  await first.membership.refresh();
  await expect.poll(() => first.calls, eventually).toEqual(['drain 128']);
  await startNode(url);
  await first.membership.refresh();
  drained.resolve();
  await expect.poll(() => first.calls.length, eventually).toBe(2);
});

/** Renews for as long as a lease lasts. */
async function steady({ membership, clock }: TestNode): Promise<void> {
  for (let passed = 0; passed < 6_000; passed += 2_000) {
    clock.advance(2_000);
    await membership.renew();
  }
}

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

it('after an interruption a node takes over from no other for a lease time', async () => {
  const url = await database();
  const first = await startNode(url);
  const second = await startNode(url);
  await steady(second);
  second.clock.advance(4_001);
  await second.membership.renew();
  await endLease(first);
  await second.membership.refresh();
  expect(second.calls).toEqual([]);
  expect(ownedBy(first)).toBe(PARTITION_COUNT);
});

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
