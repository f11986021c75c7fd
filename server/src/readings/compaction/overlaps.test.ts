import { expect, it } from 'vitest';
import { ChunkMetaList } from '../chunks/chunk-meta-list.ts';
import { nextStep } from './merge-step.ts';
import { mergeGroups, overlapRanges } from './overlaps.ts';
import { smallChunkRuns } from './small-chunks.ts';
import type { SizedChunkMeta } from './store.ts';

const NOTHING_OPEN = { hasWithin: () => false };
const MEGABYTE = 1024 * 1024;

function meta(
  firstAt: number,
  lastAt: number,
  writeSeq = 1,
  count = 100,
  bytes = 1,
): SizedChunkMeta {
  const summary = { min: 0, max: 0, sum: 0, first: 0, last: 0 };
  return { firstAt, lastAt, writeSeq, count, bytes, ...summary };
}

/** As PostgreSQL packs them. */
function listOf(metas: readonly SizedChunkMeta[]): ChunkMetaList {
  const packed = Buffer.alloc(80 * metas.length);
  for (const [index, { firstAt, lastAt, writeSeq, count, bytes }] of metas.entries()) {
    const at = 80 * index;
    packed.writeBigInt64BE(BigInt(firstAt), at);
    packed.writeBigInt64BE(BigInt(lastAt), at + 8);
    packed.writeBigInt64BE(BigInt(writeSeq), at + 16);
    packed.writeInt32BE(count, at + 24);
    packed.writeInt32BE(bytes, at + 68);
  }
  return new ChunkMetaList(packed);
}

const apart = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => meta(from + 10 * index, from + 10 * index + 9));

it('disjoint chunks have no overlap', () => {
  expect([...overlapRanges(listOf([]))]).toEqual([]);
  expect([...overlapRanges(listOf(apart(3)))]).toEqual([]);
});

it('an overlap range covers all chunks that overlap it', () => {
  const metas = [meta(0, 9), meta(10, 50), meta(20, 30), meta(25, 60), meta(70, 80)];
  expect([...overlapRanges(listOf(metas))]).toEqual([{ from: 10, to: 60 }]);
  expect([...overlapRanges(listOf([meta(0, 9), meta(9, 20)]))]).toEqual([{ from: 0, to: 20 }]);
});

it('nearby overlaps form one range, distant ones several', () => {
  const twice = (between: number) => {
    const after = 100 + 10 * between;
    const pair = (from: number) => [meta(from, from + 9), meta(from + 5, from + 9)];
    return [...overlapRanges(listOf([...pair(0), ...apart(between, 100), ...pair(after)]))];
  };
  expect(twice(63)).toEqual([{ from: 0, to: 739 }]);
  expect(twice(64)).toEqual([
    { from: 0, to: 9 },
    { from: 740, to: 749 },
  ]);
});

it('up to 64 overlapping runs form one group, and groups are contiguous in writeSeq', () => {
  const writeSeq = (count: number) =>
    Array.from({ length: count }, (_, index) => meta(0, 9, (index * 31) % count));
  expect(mergeGroups(writeSeq(64))).toHaveLength(1);
  const groups = mergeGroups(writeSeq(65));
  expect(groups.map((group) => group.length)).toEqual([64, 1]);
  expect(groups[1]?.map((each) => each.writeSeq)).toEqual([64]);
});

it('a merge group fits into memory but has at least two runs', () => {
  const heavy = (count: number, megabytes: number) =>
    Array.from({ length: count }, (_, index) => meta(0, 9, index, 1, megabytes * MEGABYTE));
  const sizes = (metas: SizedChunkMeta[]) => mergeGroups(metas).map((group) => group.length);
  expect(sizes(heavy(5, 2))).toEqual([3, 2]);
  expect(sizes(heavy(4, 100))).toEqual([2, 2]);
  expect(sizes(heavy(3, 0))).toEqual([3]);
});

it('a merge step opens 64 chunks and advances to the start of the next', () => {
  const metas = Array.from({ length: 66 }, (_, index) => meta(index, 100));
  const step = nextStep(metas, 0, NOTHING_OPEN);
  expect(step).toEqual({ metas: metas.slice(0, 64), before: 64, isBorder: false, next: 64 });
  const rest = { metas: metas.slice(64), before: Infinity, isBorder: true, next: 66 };
  expect(nextStep(metas, 64, NOTHING_OPEN)).toEqual(rest);
});

it('a chunk without readings of others is not rewritten, and no merged chunk extends over it', () => {
  const metas = [meta(0, 9), meta(5, 9), meta(10, 19), meta(20, 29), meta(29, 30)];
  const border = { metas: metas.slice(0, 2), before: 10, isBorder: true, next: 3 };
  expect(nextStep(metas, 0, NOTHING_OPEN)).toEqual(border);
  const within = { hasWithin: (from: number) => from === 10 };
  const rest = { metas: metas.slice(2), before: Infinity, isBorder: true, next: 5 };
  expect(nextStep(metas, 2, within)).toEqual(rest);
});

it('small neighbours are merged if that at least doubles the largest', () => {
  const runs = (...counts: number[]) => {
    const metas = counts.map((count, index) => meta(10 * index, 10 * index + 9, 1, count));
    return [...smallChunkRuns(listOf(metas), 100)];
  };
  expect(runs()).toEqual([]);
  expect(runs(10, 10, 10)).toEqual([{ start: 0, end: 3 }]);
  expect(runs(50, 50)).toEqual([{ start: 0, end: 2 }]);
  expect(runs(50, 51)).toEqual([]);
  expect(runs(51, 10)).toEqual([]);
  expect(runs(100, 20, 20, 100, 5, 5)).toEqual([
    { start: 1, end: 3 },
    { start: 4, end: 6 },
  ]);
  expect(runs(...Array.from({ length: 65 }, () => 1))).toEqual([{ start: 0, end: 64 }]);
});

it('a chunk that fills its page is not merged, and neighbours are merged up to two pages', () => {
  const small = (index: number) => meta(10 * index, 10 * index + 9, 1, 100, 2_000);
  const full = meta(40, 49, 1, 100, 7_900);
  const metas = [0, 1, 2, 3].map(small).concat(full, [5, 6, 7, 8, 9, 10, 11, 12].map(small));
  expect([...smallChunkRuns(listOf(metas), 10_000)]).toEqual([
    { start: 0, end: 4 },
    { start: 5, end: 11 },
    { start: 11, end: 13 },
  ]);
});

it('small neighbours are merged within a week, and beyond it up to 1 024 readings', () => {
  const day = 86_400_000;
  const daily = (count: number) =>
    Array.from({ length: 16 }, (_, index) => meta(index * day, index * day + 1, 1, count, 100));
  const runsOf = (count: number) => [...smallChunkRuns(listOf(daily(count)), 10_000)];
  expect(runsOf(64)).toEqual([{ start: 0, end: 16 }]);
  expect(runsOf(200)).toEqual([
    { start: 0, end: 7 },
    { start: 7, end: 14 },
    { start: 14, end: 16 },
  ]);
});
