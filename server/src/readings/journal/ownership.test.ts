import { expect, it, onTestFinished } from 'vitest';
import { OWN_LOCKS } from '../../../test/support/locks.ts';
import { createTestDatabase } from '../../../test/support/postgres.ts';
import { openTestStorage } from '../../../test/support/storage.ts';
import { EpochEnded } from '../../nodes/index.ts';
import { createDeferred, createLog } from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import { JournalOwnership } from './ownership.ts';

async function database(): Promise<string> {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  return url;
}

interface Node {
  readonly storage: Storage;
  readonly journals: JournalOwnership;
  hasEpochEnded: boolean;
}

async function startNode(databaseUrl: string): Promise<Node> {
  const storage = await openTestStorage({ databaseUrl });
  const journals = new JournalOwnership({
    storage,
    log: createLog('silent'),
    async requireEpoch() {
      if (node.hasEpochEnded) throw new EpochEnded();
    },
    commitsFinished: async () => undefined,
  });
  const node: Node = { storage, journals, hasEpochEnded: false };
  onTestFinished(() => journals.stop());
  return node;
}

/** A journal row of a writer that is gone. */
async function orphan({ storage }: Node): Promise<number> {
  const writer = 4_711;
  await storage.query('insert into journal (writer, id, data) values ($1, 1, $2)', [
    writer,
    Buffer.from('row'),
  ]);
  return writer;
}

it('adopted journals are flushed by one node at a time, and another one knows that they are not yet', async () => {
  const url = await database();
  const [first, second] = [await startNode(url), await startNode(url)];
  for (const { journals } of [first, second]) await journals.claim();
  const writer = await orphan(first);
  const flushed = createDeferred<void>();
  const begun = createDeferred<readonly number[]>();
  const flushing = first.journals.flushAdopted((writers) => {
    begun.resolve(writers);
    return flushed.promise;
  });
  expect(await begun.promise).toEqual([writer]);
  const seen: (readonly number[])[] = [];
  const flush = async (writers: readonly number[]) => void seen.push(writers);
  expect(await second.journals.flushAdopted(flush)).toBe(false);
  flushed.resolve();
  expect(await flushing).toBe(true);
  expect(await second.journals.flushAdopted(flush)).toBe(true);
  expect(seen).toEqual([[writer]]);
});

it('a node whose epoch has ended takes no journal again, so that others can adopt it', async () => {
  const url = await database();
  const [first, second] = [await startNode(url), await startNode(url)];
  for (const { journals } of [first, second]) await journals.claim();
  first.hasEpochEnded = true;
  const { writer } = first.journals;
  await first.storage.query(`select pg_terminate_backend(pid) ${OWN_LOCKS}
    and locktype = 'advisory' and objid = ${writer} and pid <> pg_backend_pid()`);
  await expect
    .poll(() => first.journals.unavailability, { timeout: 10_000 })
    .toBeInstanceOf(EpochEnded);
  expect(first.journals.writer).toBeUndefined();
  await expect(first.journals.flushAdopted(async () => undefined)).rejects.toBeInstanceOf(
    EpochEnded,
  );
});
