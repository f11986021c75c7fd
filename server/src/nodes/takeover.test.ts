import { expect, it, onTestFinished, vi } from 'vitest';
import { database, endLease, ownedBy, startNode, steady } from '../../test/support/membership.ts';
import { openTestStorage } from '../../test/support/storage.ts';
import { createDeferred } from '../runtime/index.ts';
import { run, sql } from '../storage/index.ts';
import { PARTITION_COUNT } from './partition.ts';
import { newSessionName } from './session.ts';

const eventually = { timeout: 20_000, interval: 50 };

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

it('a restart that has not joined yet keeps its sessions while its former start is taken over', async () => {
  const url = await database();
  const first = await startNode(url);
  const second = await startNode(url);
  await steady(second);
  const sessionName = newSessionName(first.membership.incarnation.id);
  const restarted = await openTestStorage({ databaseUrl: url, sessionName });
  onTestFinished(() => restarted.stop());
  await restarted.nodes.transaction(async (tx) => {
    const readSession = () => run(tx, sql`select pg_backend_pid() as pid`);
    const before = await readSession();
    await endLease(first);
    await second.membership.refresh();
    await expect.poll(() => ownedBy(second), eventually).toBe(PARTITION_COUNT);
    expect(await readSession()).toEqual(before);
  });
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

it('a node acts for nothing that it has handed over, whatever a renewal in progress has read', async () => {
  withoutHeartbeats();
  const url = await database();
  const first = await startNode(url);
  const second = await startNode(url);
  const [drained, renewed] = [createDeferred<void>(), createDeferred<void>()];
  first.drained = drained.promise;
  await first.membership.refresh();
  await expect.poll(() => first.calls, eventually).toEqual(['drain 128']);
  const gained: number[] = [];
  first.membership.ownership.onChange((change) => gained.push(...change.gained));
  const read = createDeferred<void>();
  first.beforeCommit = () => {
    first.beforeCommit = () => Promise.resolve();
    read.resolve();
    return renewed.promise;
  };
  const renewal = first.membership.renew();
  await read.promise;
  drained.resolve();
  await expect
    .poll(async () => {
      await second.membership.renew();
      return ownedBy(second);
    }, eventually)
    .toBe(128);
  renewed.resolve();
  await renewal;
  await first.membership.refresh();
  await expect.poll(() => ownedBy(first), eventually).toBe(128);
  expect(gained).toEqual([]);
});

it('a node acts again for what it failed to hand over, once it has read the owners', async () => {
  withoutHeartbeats();
  const url = await database();
  const first = await startNode(url);
  const second = await startNode(url);
  const drained = createDeferred<void>();
  first.drained = drained.promise;
  await first.membership.refresh();
  await expect.poll(() => first.calls, eventually).toEqual(['drain 128']);
  let failures = 0;
  first.beforeCommit = () => {
    failures += 1;
    return Promise.reject(new Error('The database is restarting.'));
  };
  drained.resolve();
  // The move, and the renewal after it.
  await expect.poll(() => failures, eventually).toBe(2);
  first.beforeCommit = () => Promise.resolve();
  await second.membership.stop();
  expect(ownedBy(first)).toBe(128);
  await first.membership.refresh();
  await expect.poll(() => ownedBy(first), eventually).toBe(PARTITION_COUNT);
});

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
