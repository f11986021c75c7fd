import { beforeEach, describe, expect, it } from 'vitest';
import { createResponseCache, type ResponseCache } from './response-cache.ts';

let now: number;
let loads: number;
let cache: ResponseCache;

beforeEach(() => {
  now = 0;
  loads = 0;
  cache = createResponseCache(
    { now: () => now, elapsed: () => now },
    { ttlMs: 1_000, ttlWithPeersMs: 50, maxResponses: 2, maxBodyLength: 10 },
  );
});

const load = async () => {
  loads += 1;
  return { status: 200, headers: {}, body: `load ${loads}` };
};

const request = async (key = 'a', organizationId = 'one') =>
  (await cache.get(organizationId, key, load)).body;

describe('a cached response', () => {
  it('is returned again until its time to live is over', async () => {
    expect([await request(), await request()]).toEqual(['load 1', 'load 1']);
    now = 999;
    expect(await request()).toBe('load 1');
    now = 1_000;
    expect(await request()).toBe('load 2');
  });

  it('is kept from the second request on where it was made from memory', async () => {
    const fromMemory = async () => ({ ...(await load()), isFromMemory: true });
    const bodies = [];
    for (let count = 0; count < 4; count += 1) {
      bodies.push((await cache.get('one', 'a', fromMemory)).body);
    }
    expect(bodies).toEqual(['load 1', 'load 2', 'load 2', 'load 2']);
  });

  it('is returned again for a shorter time while there are other nodes', async () => {
    let hasPeers = true;
    cache.followPeers(() => hasPeers);
    await request();
    now = 49;
    expect(await request()).toBe('load 1');
    now = 50;
    expect(await request()).toBe('load 2');
    hasPeers = false;
    now = 1_049;
    expect(await request()).toBe('load 2');
  });

  it('is invalid at once when something changes in its organization, and in no other', async () => {
    await request('a', 'one');
    await request('b', 'two');
    cache.invalidate('one');
    expect(await request('a', 'one')).toBe('load 3');
    expect(await request('b', 'two')).toBe('load 2');
  });

  it('is not returned again when something changed while it was loading', async () => {
    await cache.get('one', 'a', async () => {
      cache.invalidate('one');
      return load();
    });
    expect(await request()).toBe('load 2');
  });

  it('is loaded once for parallel requests', async () => {
    expect(await Promise.all([request(), request(), request()])).toEqual([
      'load 1',
      'load 1',
      'load 1',
    ]);
  });

  it('is evicted by newer ones beyond the limit', async () => {
    for (const key of ['a', 'b', 'c']) await request(key);
    expect(await request('c')).toBe('load 3');
    expect(await request('a')).toBe('load 4');
  });

  it('is not returned again when its body is long', async () => {
    const long = async () => ({ ...(await load()), body: 'x'.repeat(11) });
    await cache.get('one', 'a', long);
    expect(await request()).toBe('load 2');
  });

  it('is not returned again when it failed', async () => {
    await expect(
      cache.get('one', 'a', () => Promise.reject(new Error('unavailable'))),
    ).rejects.toThrow();
    expect(await request()).toBe('load 1');
  });
});

it('what was read beside responses is valid as long as a response that was read then', () => {
  const [first, other] = [cache.begin('one'), cache.begin('two')];
  now = 999;
  expect([first(), other()]).toEqual([true, true]);
  cache.invalidate('one');
  expect([first(), cache.begin('one')(), other()]).toEqual([false, true, true]);
  now = 1_000;
  expect(other()).toBe(false);
});
