import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestClock } from '../../../test/support/clock.ts';
import type { PeerHandler } from '../../nodes/index.ts';
import { createLog } from '../../runtime/index.ts';
import type { LiveReading } from '../announcement.ts';
import { LIVE_LIMITS } from '../limits.ts';
import type { LiveNews } from '../news.ts';
import type { Filter } from '../stream/index.ts';
import { decodeFollow, decodeNews, encodeFollow, encodeNews } from './follow.ts';
import { LivePeers } from './live-peers.ts';
import { WaitingNews } from './waiting-news.ts';

const ORGANIZATION = 'organization';
const EVERYTHING: Filter = { variables: null, devices: null };

const read = (id: string, at: number, value: LiveReading['value'] = at): LiveReading => ({
  variable: { id, deviceId: `device of ${id}`, organizationId: ORGANIZATION },
  at,
  value,
});

/** Nodes that call each other in memory. */
function network() {
  const handlers = new Map<string, PeerHandler>();
  const nodes: { id: string; epoch: number; lostAt: null }[] = [];
  const cutOff = new Set<string>();
  const clock = createTestClock();

  function add(id: string, epoch: number) {
    const follows = new Map<string, readonly Filter[]>();
    const news: LiveNews[] = [];
    const known = nodes.find((node) => node.id === id);
    if (known) known.epoch = epoch;
    else nodes.push({ id, epoch, lostAt: null });
    const livePeers = new LivePeers({
      peers: {
        serve: (method, handler) => void handlers.set(`${id}/${method}`, handler),
        async call(to, method, body) {
          if (cutOff.has(to)) throw new Error('The node is not reached.');
          return (await handlers.get(`${to}/${method}`)?.(body, id)) ?? Buffer.alloc(0);
        },
      },
      membership: { nodes: nodes as never, hasPeers: true, incarnation: { id, epoch } },
      clock,
      log: createLog('silent'),
      limits: LIVE_LIMITS,
      presenceOf: ({ lastSeenAt }) => ({ isOnline: true, lastSeenAt }),
      follows: () => follows,
      onNews: (each) => void news.push(each),
    });
    livePeers.start();
    onTestFinished(() => livePeers.stop());
    return {
      livePeers,
      follows,
      values: () => news.flatMap(({ readings }) => readings.map(({ value }) => value)),
      devices: () => news.flatMap(({ devices }) => devices),
    };
  }

  return { add, cutOff, clock };
}

describe('a node whose streams follow an organization', () => {
  it('gets its values from the other nodes, and nothing once the streams have ended', async () => {
    const { add } = network();
    const [owner, follower] = [add('owner', 1), add('follower', 2)];
    expect(owner.livePeers.isFollowed).toBe(false);
    follower.follows.set(ORGANIZATION, [EVERYTHING]);
    follower.livePeers.followsChanged();
    await follower.livePeers.followed();
    expect(owner.livePeers.isFollowed).toBe(true);
    owner.livePeers.announceReadings([read('a', 1), read('a', 2), read('b', 3)]);
    await expect.poll(follower.values).toEqual([2, 3]);
    follower.follows.clear();
    follower.livePeers.followsChanged();
    await follower.livePeers.followed();
    expect(owner.livePeers.isFollowed).toBe(false);
  });

  it('gets only the Variables and Devices that its streams select', async () => {
    const { add } = network();
    const [owner, follower] = [add('owner', 1), add('follower', 2)];
    const selected: Filter = { variables: new Set(['a']), devices: new Set(['device of a']) };
    follower.follows.set(ORGANIZATION, [selected]);
    follower.livePeers.followsChanged();
    await follower.livePeers.followed();
    const device = { isOnline: false, lastSeenDateTime: null };
    for (const deviceId of ['device of b', 'device of a'])
      owner.livePeers.deviceChanged(ORGANIZATION, { ...device, deviceId });
    owner.livePeers.announceReadings([read('b', 1), read('a', 2)]);
    await expect.poll(follower.values).toEqual([2]);
    expect(follower.devices()).toEqual([{ ...device, deviceId: 'device of a' }]);
  });

  it('gets the newest values once it is reached again', async () => {
    const { add, cutOff } = network();
    const [owner, follower] = [add('owner', 1), add('follower', 2)];
    follower.follows.set(ORGANIZATION, [EVERYTHING]);
    follower.livePeers.followsChanged();
    await follower.livePeers.followed();
    cutOff.add('follower');
    owner.livePeers.announceReadings([read('a', 1), read('b', 1)]);
    await new Promise((resolve) => setTimeout(resolve, 200));
    owner.livePeers.announceReadings([read('a', 2)]);
    cutOff.delete('follower');
    await expect.poll(() => follower.values().toSorted()).toEqual([1, 2]);
  });

  it('is followed again by a node that was restarted', async () => {
    const { add } = network();
    add('owner', 1);
    const follower = add('follower', 2);
    follower.follows.set(ORGANIZATION, [EVERYTHING]);
    follower.livePeers.followsChanged();
    await follower.livePeers.followed();
    const restarted = add('owner', 3);
    await expect.poll(() => restarted.livePeers.isFollowed, { timeout: 5_000 }).toBe(true);
  });

  it('is removed when it has not repeated for 15 seconds what it follows', async () => {
    const { add, clock, cutOff } = network();
    const [owner, follower] = [add('owner', 1), add('follower', 2)];
    follower.follows.set(ORGANIZATION, [EVERYTHING]);
    follower.livePeers.followsChanged();
    await follower.livePeers.followed();
    cutOff.add('owner');
    clock.advance(15_000);
    await expect.poll(() => owner.livePeers.isFollowed, { timeout: 5_000 }).toBe(false);
  });
});

describe('values that wait for a node', () => {
  it('are dropped and counted beyond the limit', () => {
    const waiting = new WaitingNews(300);
    for (const id of ['a', 'b', 'c']) waiting.putReading(read(id, 1));
    waiting.putReading(read('a', 2, 'x'.repeat(200)));
    const [news] = waiting.take();
    expect(news?.readings.map(({ variable }) => variable.id)).toEqual(['b']);
    expect(news?.missed).toBe(2);
    expect(waiting.isEmpty).toBe(true);
  });

  it('stay the newest when an older batch is put back', () => {
    const waiting = new WaitingNews(10_000);
    waiting.putReading(read('a', 1));
    waiting.putReading(read('b', 1));
    const failed = waiting.take();
    waiting.putReading(read('a', 2));
    waiting.putBack(failed);
    expect(
      waiting
        .take()[0]
        ?.readings.map(({ at }) => at)
        .toSorted(),
    ).toEqual([1, 2]);
  });
});

describe('a call between nodes about streams', () => {
  const ids = fc.option(fc.array(fc.uuid(), { maxLength: 5 }).map((all) => new Set(all)));
  const filter = fc.record({ variables: ids, devices: ids });

  it('has the same filters at the other node, without those that another one makes needless', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.array(filter, { maxLength: 4 }), (id, filters) => {
        const call = { epoch: 7, sequence: 9, follows: new Map([[id, filters]]) };
        const isAll = filters.some(({ variables, devices }) => !variables && !devices);
        const follows = new Map([[id, isAll ? [EVERYTHING] : filters]]);
        expect(decodeFollow(encodeFollow(call))).toEqual({ ...call, follows });
      }),
    );
  });

  it('selects everything of an organization beyond 10 000 ids', () => {
    const devices = new Set(Array.from({ length: 10_001 }, (_, index) => `device ${index}`));
    const follows = new Map([[ORGANIZATION, [{ variables: null, devices }]]]);
    const decoded = decodeFollow(encodeFollow({ epoch: 1, sequence: 1, follows }));
    expect(decoded.follows.get(ORGANIZATION)).toEqual([EVERYTHING]);
  });

  it('has values of every type', () => {
    const device = { deviceId: 'd', isOnline: true, lastSeenDateTime: null };
    const readings = [read('a', 1, 1.5), read('b', 2, 'text'), read('c', 3, false)];
    const news = [{ organizationId: ORGANIZATION, readings, devices: [device], missed: 3 }];
    expect(decodeNews(encodeNews(news))).toEqual(news);
  });
});
