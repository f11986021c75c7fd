import { describe, expect, it } from 'vitest';
import { createPlaces } from '../../presence/index.ts';
import type { Outcome } from './counts.ts';
import { createPending } from './pending.ts';

const outcome = (accepted: number, paths: readonly string[] = [], at = 1): Outcome => ({
  accepted,
  rejected: paths.map((key) => ({ key, reason: 'unknownPath' })),
  unmatched: paths.map((path) => ({ path, value: 5, at })),
  at,
});

function pendingOf(...deviceIds: string[]) {
  const places = createPlaces();
  const [first = 0, second = 0] = deviceIds.map(places.of);
  return { pending: createPending(places), first, second };
}

describe('what is not written yet', () => {
  it('is counted Device by Device and taken once, who waits longest first', () => {
    const { pending, first, second } = pendingOf('a', 'b');
    pending.add(second, outcome(2));
    pending.add(first, outcome(3));
    pending.add(second, outcome(4));
    const [taken] = pending.take(1);
    expect(taken).toMatchObject({ deviceId: 'b', accepted: 6, lastRejected: [] });
    expect(pending.take(10).map(({ deviceId, accepted }) => [deviceId, accepted])).toEqual([
      ['a', 3],
    ]);
    expect(pending.take(10)).toEqual([]);
  });

  it('goes back under what came since, and nothing of either is lost', () => {
    const { pending, first } = pendingOf('a');
    pending.add(first, outcome(2, ['old', 'both'], 1));
    const taken = pending.take(1);
    pending.add(first, outcome(3, ['both', 'new'], 2));
    for (const exit of taken) pending.putBack(exit);
    const [again] = pending.take(1);
    expect(again?.accepted).toBe(5);
    expect(again?.rejected.unknownPath).toBe(4);
    expect(again?.lastRejected.map(({ key }) => key)).toEqual(['new', 'both', 'both', 'old']);
    const unmatched = [...(again?.unmatched.values() ?? [])];
    expect(unmatched.map(({ path, occurrences }) => [path, occurrences])).toEqual([
      ['old', 1],
      ['both', 2],
      ['new', 1],
    ]);
  });

  it('remembers 10 000 unmatched paths of all Devices, and others once these are written', () => {
    const places = createPlaces();
    const pending = createPending(places);
    const paths = Array.from({ length: 500 }, (_, n) => `path${n}`);
    const sizes = (most: number) => pending.take(most).map(({ unmatched }) => unmatched.size);
    for (let n = 0; n < 19; n += 1) pending.add(places.of(`device${n}`), outcome(0, paths));
    pending.add(places.of('last'), outcome(0, paths.slice(1)));
    pending.add(places.of('fits'), outcome(0, ['path']));
    pending.add(places.of('late'), outcome(0, ['path']));
    expect(sizes(22)).toEqual([...Array(19).fill(500), 499, 1, 0]);
    pending.add(places.of('late'), outcome(0, ['path']));
    expect(sizes(1)).toEqual([1]);
  });
});
