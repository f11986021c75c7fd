import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { createWriter, openDatabase, startFeed } from '../../../../test/support/alarm-feed.ts';
import type { OrderedQueries } from '../../../storage/index.ts';

const eventually = { timeout: 20_000, interval: 10 };

it('the changes of another node are announced though nothing notes them, the last one too', async () => {
  const { storage } = await openDatabase();
  const organizationId = randomUUID();
  let hasPeers = true;
  const { feed, idsOf, noted } = startFeed(storage, { hasPeers: () => hasPeers });
  await feed.newestId(organizationId);
  const { write } = await createWriter(storage, organizationId);
  await write();
  await expect.poll(() => idsOf(organizationId), eventually).toEqual(['1']);
  await write();
  hasPeers = false;
  await expect.poll(() => idsOf(organizationId), eventually).toEqual(['1', '2']);
  expect(noted).toEqual([]);
  feed.note([organizationId]);
  expect(noted).toEqual([organizationId]);
});

it('a node looks for changes of others in one query while it has peers, and in none without', async () => {
  const { storage } = await openDatabase();
  const texts: string[] = [];
  const counted: OrderedQueries = {
    inOrder: (work) => work(counted),
    async query<Row extends object>(text: string, params: readonly unknown[] = []) {
      texts.push(text);
      return await storage.query<Row>(text, params);
    },
  };
  const peers = { isAny: false, asked: 0 };
  const hasPeers = () => {
    peers.asked += 1;
    return peers.isAny;
  };
  const { feed } = startFeed(counted, { hasPeers });
  for (const _ of [1, 2, 3]) await feed.newestId(randomUUID());
  const before = texts.length;
  await expect.poll(() => peers.asked, eventually).toBeGreaterThan(2);
  expect(texts).toHaveLength(before);
  peers.isAny = true;
  await expect.poll(() => texts.length, eventually).toBeGreaterThan(before + 1);
  expect(new Set(texts.slice(before)).size).toBe(1);
});

it('changes from before a subscription are not announced to it after its organization had none', async () => {
  const { storage } = await openDatabase();
  const [organizationId, other] = [randomUUID(), randomUUID()];
  let isFollowed = true;
  const { feed, idsOf } = startFeed(storage, {
    hasPeers: () => true,
    isFollowed: (id) => id === other || isFollowed,
  });
  await feed.newestId(organizationId);
  await feed.newestId(other);
  isFollowed = false;
  const [writer, otherWriter] = await Promise.all([
    createWriter(storage, organizationId),
    createWriter(storage, other),
  ]);
  await writer.write();
  await otherWriter.write();
  // The look that finds this change has dropped the position of the other organization.
  await expect.poll(() => idsOf(other), eventually).toEqual(['2']);
  isFollowed = true;
  expect(await feed.newestId(organizationId)).toBe('1');
  await writer.write();
  await expect.poll(() => idsOf(organizationId), eventually).toEqual(['3']);
});
