import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { Membership } from '../../src/nodes/membership.ts';
import { PARTITION_COUNT } from '../../src/nodes/partition.ts';
import type { NodeReport } from '../../src/nodes/report.ts';
import { newSessionName } from '../../src/nodes/session.ts';
import { createLog } from '../../src/runtime/index.ts';
import { run, type Storage, sql } from '../../src/storage/index.ts';
import { createStillClock, type TestClock } from './clock.ts';
import { createTestDatabase } from './postgres.ts';
import { openTestStorage } from './storage.ts';

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

export interface TestNode {
  readonly membership: Membership;
  readonly clock: TestClock;
  readonly storage: Storage;
  readonly calls: string[];
  /** Draining ends with it. */
  drained: Promise<void>;
  /** Called before each transaction about nodes is committed. */
  beforeCommit: () => Promise<void>;
  /** Another node flushes journals. */
  areJournalsBusy: boolean;
}

export async function database(): Promise<string> {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  return url;
}

export async function startNode(databaseUrl: string, id: string = randomUUID()): Promise<TestNode> {
  const clock = createStillClock();
  const storage = await openTestStorage({ databaseUrl, sessionName: newSessionName(id) });
  const calls: string[] = [];
  const membership = new Membership({
    storage: {
      openSessionLocks: (...args) => storage.openSessionLocks(...args),
      nodes: {
        ...storage.nodes,
        transaction: (work) =>
          storage.nodes.transaction(async (tx) => {
            const result = await work(tx);
            await node.beforeCommit();
            return result;
          }),
      },
    },
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
    beforeCommit: () => Promise.resolve(),
  };
  await membership.join();
  await membership.start();
  calls.length = 0;
  onTestFinished(() => membership.stop());
  return node;
}

export function ownedBy({ membership }: TestNode): number {
  return membership.ownership.partitions?.length ?? PARTITION_COUNT;
}

/** The database holds the lease of a node for ended, though the node goes on. */
export async function endLease({ storage, membership }: TestNode): Promise<void> {
  const { id } = membership.incarnation;
  await run(
    storage,
    sql`update nodes set alive_until = now() - interval '1 second' where id = ${id}`,
  );
}

/** Renews for as long as a lease lasts. */
export async function steady({ membership, clock }: TestNode): Promise<void> {
  for (let passed = 0; passed < 6_000; passed += 2_000) {
    clock.advance(2_000);
    await membership.renew();
  }
}
