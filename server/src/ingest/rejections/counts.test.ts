import { describe, expect, it } from 'vitest';
import { addOlder, addOutcome, emptyTally, type Outcome } from './counts.ts';

const NOTHING: Outcome = { accepted: 0, rejected: [], unmatched: [], at: 1 };

const rejected = (count: number, prefix = 'key') =>
  Array.from({ length: count }, (_, n) => ({ key: `${prefix}${n}`, reason: 'wrongType' }) as const);

const unmatched = (first: number, count: number, at = 1) =>
  Array.from({ length: count }, (_, n) => ({ path: `path${first + n}`, value: n, at }));

describe('a tally', () => {
  it('counts by reason and keeps the 20 newest, the last of a message first', () => {
    const tally = emptyTally('device');
    addOutcome(tally, { ...NOTHING, accepted: 3, rejected: rejected(15, 'old') }, true);
    addOutcome(tally, { ...NOTHING, accepted: 4, rejected: rejected(15, 'new'), at: 2 }, true);
    expect(tally.rejected.wrongType).toBe(30);
    expect(tally.lastRejected).toHaveLength(20);
    expect(tally.lastRejected[0]).toEqual({ key: 'new14', reason: 'wrongType', at: 2 });
    expect(tally.lastRejected[19]).toEqual({ key: 'old10', reason: 'wrongType', at: 1 });
  });

  it('keeps the 500 paths that were heard of last', () => {
    const tally = emptyTally('device');
    addOutcome(tally, { ...NOTHING, unmatched: unmatched(0, 500) }, true);
    addOutcome(tally, { ...NOTHING, unmatched: unmatched(0, 1) }, true);
    addOutcome(tally, { ...NOTHING, unmatched: unmatched(500, 1) }, true);
    expect(tally.unmatched.size).toBe(500);
    expect(tally.unmatched.has('path1')).toBe(false);
    expect(tally.unmatched.get('path0')?.occurrences).toBe(2);
  });

  it('takes no new path where there is no room, and goes on with those it has', () => {
    const tally = emptyTally('device');
    addOutcome(tally, { ...NOTHING, unmatched: unmatched(0, 1) }, true);
    addOutcome(tally, { ...NOTHING, unmatched: unmatched(0, 2) }, false);
    expect([...tally.unmatched.values()].map(({ occurrences }) => occurrences)).toEqual([2]);
  });

  it('takes an older one in under what it has', () => {
    const [older, tally] = [emptyTally('device'), emptyTally('device')];
    addOutcome(
      older,
      { accepted: 1, rejected: rejected(1, 'old'), unmatched: unmatched(0, 2, 5), at: 1 },
      true,
    );
    addOutcome(
      tally,
      { accepted: 2, rejected: rejected(1, 'new'), unmatched: unmatched(1, 1, 4), at: 2 },
      true,
    );
    addOlder(tally, older);
    expect(tally.rejected.wrongType).toBe(2);
    expect(tally.lastRejected.map(({ key }) => key)).toEqual(['new0', 'old0']);
    expect([...tally.unmatched.values()]).toEqual([
      { path: 'path0', lastValue: 0, lastAt: 5, occurrences: 1 },
      { path: 'path1', lastValue: 1, lastAt: 5, occurrences: 2 },
    ]);
  });
});
