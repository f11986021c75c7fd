import { expect, it } from 'vitest';
import { systemClock } from '../../runtime/index.ts';
import { ChunkCache } from './chunk-cache.ts';
import { ChunkChanges } from './chunk-changes.ts';
import { ChunkLists } from './chunk-lists.ts';
import type { ChunkMeta } from './chunk-row.ts';

const SERIES = 7;
const KILOBYTE = 1_024;
const bytes = (length: number) => Buffer.alloc(length, 1);

function cacheOf(maxBytes: number): ChunkCache {
  const lists = new ChunkLists(new ChunkChanges(() => true), systemClock);
  return new ChunkCache(maxBytes, lists);
}

function meta(firstAt: number, other: Partial<ChunkMeta> = {}): ChunkMeta {
  const summary = { min: 0, max: 0, sum: 0, first: 0, last: 0 };
  return {
    firstAt,
    lastAt: firstAt + 9,
    writeSeq: 1,
    count: 10,
    rowVersion: 5,
    ...summary,
    ...other,
  };
}

it('bytes of a chunk are found for the same row only', () => {
  const cache = cacheOf(100 * KILOBYTE);
  cache.add(SERIES, meta(0), bytes(10));
  expect(cache.find(SERIES, meta(0))?.data).toEqual(bytes(10));
  expect(cache.find(SERIES + 1, meta(0))).toBeUndefined();
  expect(cache.find(SERIES, meta(1))).toBeUndefined();
  expect(cache.find(SERIES, meta(0, { lastAt: 8 }))).toBeUndefined();
  expect(cache.find(SERIES, meta(0, { writeSeq: 2 }))).toBeUndefined();
  expect(cache.find(SERIES, meta(0, { rowVersion: 6 }))).toBeUndefined();
});

it('a chunk that replaced another at the same first time is found instead of it', () => {
  const cache = cacheOf(100 * KILOBYTE);
  cache.add(SERIES, meta(0), bytes(10));
  cache.add(SERIES, meta(0, { rowVersion: 6 }), bytes(20));
  expect(cache.find(SERIES, meta(0))).toBeUndefined();
  expect(cache.find(SERIES, meta(0, { rowVersion: 6 }))?.data).toEqual(bytes(20));
});

it('cached bytes do not change with the buffer that they were read into', () => {
  const cache = cacheOf(100 * KILOBYTE);
  const read = bytes(10);
  cache.add(SERIES, meta(0), read);
  read.fill(2);
  expect(cache.find(SERIES, meta(0))?.data).toEqual(bytes(10));
});

it('a range is covered after it was read with buckets of that duration or shorter ones', () => {
  const cache = cacheOf(100 * KILOBYTE);
  const range = { from: 0, to: 999 };
  expect(cache.covers(SERIES, range, 100)).toBe(false);
  cache.add(SERIES, meta(0), bytes(10));
  cache.note(SERIES, range, 100);
  expect(cache.covers(SERIES, range, 100)).toBe(true);
  expect(cache.covers(SERIES, range, 200)).toBe(true);
  expect(cache.covers(SERIES, range, 50)).toBe(false);
  // A range that moves with time stays covered, a longer one is not.
  expect(cache.covers(SERIES, { from: 20, to: 1_019 }, 100)).toBe(true);
  expect(cache.covers(SERIES, { from: 0, to: 1_999 }, 200)).toBe(false);
  expect(cache.covers(SERIES, { from: 100, to: 199 }, 100)).toBe(true);
});

it('the series that was queried least recently is evicted first', () => {
  const cache = cacheOf(10 * KILOBYTE);
  const fill = (seriesId: number) => {
    cache.add(seriesId, meta(0), bytes(2 * KILOBYTE));
    cache.note(seriesId, { from: 0, to: 9 }, 1);
  };
  for (const seriesId of [1, 2, 3, 4]) fill(seriesId);
  fill(1);
  fill(5);
  const isThere = (seriesId: number) => cache.find(seriesId, meta(0)) !== undefined;
  expect([1, 2, 3, 4, 5].map(isThere)).toEqual([true, false, true, true, true]);
  expect(cache.covers(2, { from: 0, to: 9 }, 1)).toBe(false);
});

it('a series that is too large for the cache is neither kept nor covered', () => {
  const cache = cacheOf(10 * KILOBYTE);
  const range = { from: 0, to: 99 };
  for (let chunk = 0; chunk < 10; chunk += 1) cache.add(SERIES, meta(10 * chunk), bytes(KILOBYTE));
  cache.note(SERIES, range, 1);
  expect(cache.covers(SERIES, range, 1)).toBe(false);
  const kept = Array.from({ length: 10 }, (_, chunk) => cache.find(SERIES, meta(10 * chunk)));
  expect(kept.filter((chunk) => chunk !== undefined).length).toBeLessThan(3);
});

it('a chunk that the queries of its series do not use any more is deleted', () => {
  const cache = cacheOf(100 * KILOBYTE);
  const [old, current] = [meta(0), meta(100)];
  cache.add(SERIES, old, bytes(10));
  cache.note(SERIES, { from: 0, to: 99 }, 1);
  cache.add(SERIES, current, bytes(10));
  for (let query = 0; query < 64; query += 1) {
    expect(cache.find(SERIES, current)).toBeDefined();
    cache.note(SERIES, { from: 100, to: 199 }, 1);
  }
  expect(cache.find(SERIES, current)).toBeDefined();
  expect(cache.find(SERIES, old)).toBeUndefined();
  expect(cache.covers(SERIES, { from: 0, to: 99 }, 1)).toBe(false);
  expect(cache.covers(SERIES, { from: 100, to: 199 }, 1)).toBe(true);
});

it('chunks without a row version are not cached', () => {
  const cache = cacheOf(10 * KILOBYTE);
  const { rowVersion: _, ...unlisted } = meta(0);
  cache.add(SERIES, unlisted, bytes(10));
  expect(cache.find(SERIES, unlisted)).toBeUndefined();
});
