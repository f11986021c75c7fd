import { describe, expect, it } from 'vitest';
import { createShortCache } from './short-cache.ts';

function setUp(maxEntries = 100) {
  let now = 0;
  const loads: { key: string; resolve(value: string): void; reject(error: Error): void }[] = [];
  const cache = createShortCache<string>(
    { now: () => now, elapsed: () => now },
    {
      ttlMs: 1_000,
      maxEntries,
      load: (key) =>
        new Promise((resolve, reject) => {
          loads.push({ key, resolve, reject });
        }),
    },
  );
  return {
    cache,
    loads,
    advance: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

describe('the short cache', () => {
  it('shares one load among those who ask at the same time', async () => {
    const { cache, loads } = setUp();
    const asked = [cache.get('a'), cache.get('a'), cache.get('a')];
    loads[0]?.resolve('value');
    expect(await Promise.all(asked)).toEqual(['value', 'value', 'value']);
    expect(loads).toHaveLength(1);
  });

  it('gives nothing out that is older than a second, counted from the start of the load', async () => {
    const { cache, loads, advance } = setUp();
    const first = cache.get('a');
    advance(900);
    loads[0]?.resolve('old');
    await first;
    advance(99);
    expect(await cache.get('a')).toBe('old');
    advance(1);
    const second = cache.get('a');
    loads[1]?.resolve('new');
    expect(await second).toBe('new');
  });

  it('loads again after an invalidation, also when an older load is still in progress', async () => {
    const { cache, loads } = setUp();
    const before = cache.get('a');
    cache.invalidate('a');
    const after = cache.get('a');
    loads[1]?.resolve('new');
    loads[0]?.resolve('old');
    expect(await before).toBe('old');
    expect(await after).toBe('new');
    expect(await cache.get('a')).toBe('new');
    expect(loads).toHaveLength(2);
  });

  it('does not remember a failure', async () => {
    const { cache, loads } = setUp();
    const first = cache.get('a');
    loads[0]?.reject(new Error('away'));
    await expect(first).rejects.toThrow('away');
    const second = cache.get('a');
    loads[1]?.resolve('value');
    expect(await second).toBe('value');
  });

  it('holds no more entries than its limit', async () => {
    const { cache, loads } = setUp(2);
    for (const key of ['a', 'b', 'c', 'c', 'b', 'a']) void cache.get(key);
    expect(loads.map(({ key }) => key)).toEqual(['a', 'b', 'c', 'a']);
  });
});
