import { expect, it } from 'vitest';
import { PieceList } from '../chunks/chunk-meta-list.ts';
import { nextStep } from './merge-step.ts';
import { groupsOf, overlapRanges } from './overlaps.ts';
import { neighbourRuns } from './small-chunks.ts';
import type { SizedPiece } from './store.ts';

const NOTHING_OPEN = { hasWithin: () => false };
const MEGABYTE = 1024 * 1024;

function piece(firstAt: number, lastAt: number, written = 1, count = 100, bytes = 1): SizedPiece {
  const summary = { min: 0, max: 0, sum: 0, first: 0, last: 0 };
  return { firstAt, lastAt, written, count, bytes, ...summary };
}

/** As PostgreSQL packs them. */
function listOf(pieces: readonly SizedPiece[]): PieceList {
  const packed = Buffer.alloc(72 * pieces.length);
  for (const [index, { firstAt, lastAt, written, count }] of pieces.entries()) {
    const at = 72 * index;
    packed.writeBigInt64BE(BigInt(firstAt), at);
    packed.writeBigInt64BE(BigInt(lastAt), at + 8);
    packed.writeBigInt64BE(BigInt(written), at + 16);
    packed.writeInt32BE(count, at + 24);
  }
  return new PieceList(packed);
}

const apart = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => piece(from + 10 * index, from + 10 * index + 9));

it('chunks apart from each other overlap nowhere', () => {
  expect([...overlapRanges(listOf([]))]).toEqual([]);
  expect([...overlapRanges(listOf(apart(3)))]).toEqual([]);
});

it('a range of overlaps has all that it touches, and ends with the last of them', () => {
  const pieces = [piece(0, 9), piece(10, 50), piece(20, 30), piece(25, 60), piece(70, 80)];
  expect([...overlapRanges(listOf(pieces))]).toEqual([{ from: 10, to: 60 }]);
  expect([...overlapRanges(listOf([piece(0, 9), piece(9, 20)]))]).toEqual([{ from: 0, to: 20 }]);
});

it('overlaps near each other are one range, those far from each other are several', () => {
  const twice = (between: number) => {
    const after = 100 + 10 * between;
    const pair = (from: number) => [piece(from, from + 9), piece(from + 5, from + 9)];
    return [...overlapRanges(listOf([...pair(0), ...apart(between, 100), ...pair(after)]))];
  };
  expect(twice(63)).toEqual([{ from: 0, to: 739 }]);
  expect(twice(64)).toEqual([
    { from: 0, to: 9 },
    { from: 740, to: 749 },
  ]);
});

it('what was written at up to 64 times is one group, and no group leaves out what is between', () => {
  const written = (count: number) =>
    Array.from({ length: count }, (_, index) => piece(0, 9, (index * 31) % count));
  expect(groupsOf(written(64))).toHaveLength(1);
  const groups = groupsOf(written(65));
  expect(groups.map((group) => group.length)).toEqual([64, 1]);
  expect(groups[1]?.map((each) => each.written)).toEqual([64]);
});

it('a group is as large as memory allows, and two layers at least', () => {
  const heavy = (count: number, megabytes: number) =>
    Array.from({ length: count }, (_, index) => piece(0, 9, index, 1, megabytes * MEGABYTE));
  const sizes = (pieces: SizedPiece[]) => groupsOf(pieces).map((group) => group.length);
  expect(sizes(heavy(5, 2))).toEqual([3, 2]);
  expect(sizes(heavy(4, 100))).toEqual([2, 2]);
  expect(sizes(heavy(3, 0))).toEqual([3]);
});

it('a step reads 64 chunks, and goes up to the beginning of the next', () => {
  const pieces = Array.from({ length: 66 }, (_, index) => piece(index, 100));
  const step = nextStep(pieces, 0, NOTHING_OPEN);
  expect(step).toEqual({ pieces: pieces.slice(0, 64), before: 64, isBorder: false, next: 64 });
  const rest = { pieces: pieces.slice(64), before: Infinity, isBorder: true, next: 66 };
  expect(nextStep(pieces, 64, NOTHING_OPEN)).toEqual(rest);
});

it('a chunk into which nothing falls is left as it is, and no other reaches over it', () => {
  const pieces = [piece(0, 9), piece(5, 9), piece(10, 19), piece(20, 29), piece(29, 30)];
  const border = { pieces: pieces.slice(0, 2), before: 10, isBorder: true, next: 3 };
  expect(nextStep(pieces, 0, NOTHING_OPEN)).toEqual(border);
  const within = { hasWithin: (from: number) => from === 10 };
  const rest = { pieces: pieces.slice(2), before: Infinity, isBorder: true, next: 5 };
  expect(nextStep(pieces, 2, within)).toEqual(rest);
});

it('small neighbours are joined, as long as that doubles them', () => {
  const runs = (...counts: number[]) => {
    const pieces = counts.map((count, index) => piece(10 * index, 10 * index + 9, 1, count));
    return [...neighbourRuns(listOf(pieces), 100)];
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
