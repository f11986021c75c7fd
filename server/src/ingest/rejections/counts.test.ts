import { describe, expect, it } from 'vitest';
import { addOlderCounts, addOutcome, emptyCounts, type MessageOutcome } from './counts.ts';

const NOTHING: MessageOutcome = { accepted: 0, rejected: [], unmatched: [], at: 1 };

const rejected = (count: number, prefix = 'key') =>
  Array.from({ length: count }, (_, n) => ({ key: `${prefix}${n}`, reason: 'wrongType' }) as const);

const unmatched = (first: number, count: number, at = 1) =>
  Array.from({ length: count }, (_, n) => ({ path: `path${first + n}`, value: n, at }));

describe('rejection counts', () => {
  it('are kept by reason, with the 20 newest keys, the last of a message first', () => {
    const counts = emptyCounts('device');
    addOutcome(counts, { ...NOTHING, accepted: 3, rejected: rejected(15, 'old') }, true);
    addOutcome(counts, { ...NOTHING, accepted: 4, rejected: rejected(15, 'new'), at: 2 }, true);
    expect(counts.rejected.wrongType).toBe(30);
    expect(counts.lastRejected).toHaveLength(20);
    expect(counts.lastRejected[0]).toEqual({ key: 'new14', reason: 'wrongType', at: 2 });
    expect(counts.lastRejected[19]).toEqual({ key: 'old10', reason: 'wrongType', at: 1 });
  });

  it('hold the 500 paths that were seen last', () => {
    const counts = emptyCounts('device');
    addOutcome(counts, { ...NOTHING, unmatched: unmatched(0, 500) }, true);
    addOutcome(counts, { ...NOTHING, unmatched: unmatched(0, 1) }, true);
    addOutcome(counts, { ...NOTHING, unmatched: unmatched(500, 1) }, true);
    expect(counts.unmatched.size).toBe(500);
    expect(counts.unmatched.has('path1')).toBe(false);
    expect(counts.unmatched.get('path0')?.occurrences).toBe(2);
  });

  it('accept no new path without room, and update known paths', () => {
    const counts = emptyCounts('device');
    addOutcome(counts, { ...NOTHING, unmatched: unmatched(0, 1) }, true);
    addOutcome(counts, { ...NOTHING, unmatched: unmatched(0, 2) }, false);
    expect([...counts.unmatched.values()].map(({ occurrences }) => occurrences)).toEqual([2]);
  });

  it('merge older counts below their own', () => {
    const [older, counts] = [emptyCounts('device'), emptyCounts('device')];
    addOutcome(
      older,
      { accepted: 1, rejected: rejected(1, 'old'), unmatched: unmatched(0, 2, 5), at: 1 },
      true,
    );
    addOutcome(
      counts,
      { accepted: 2, rejected: rejected(1, 'new'), unmatched: unmatched(1, 1, 4), at: 2 },
      true,
    );
    addOlderCounts(counts, older);
    expect(counts.rejected.wrongType).toBe(2);
    expect(counts.lastRejected.map(({ key }) => key)).toEqual(['new0', 'old0']);
    expect([...counts.unmatched.values()]).toEqual([
      { path: 'path0', lastValue: 0, lastAt: 5, occurrences: 1 },
      { path: 'path1', lastValue: 1, lastAt: 5, occurrences: 2 },
    ]);
  });
});
