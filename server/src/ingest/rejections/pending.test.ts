import { describe, expect, it } from 'vitest';
import { createDeviceIndex } from '../../presence/index.ts';
import type { MessageOutcome } from './counts.ts';
import { createPending } from './pending.ts';

const outcome = (accepted: number, paths: readonly string[] = [], at = 1): MessageOutcome => ({
  accepted,
  rejected: paths.map((key) => ({ key, reason: 'unknownPath' })),
  unmatched: paths.map((path) => ({ path, value: 5, at })),
  at,
});

function pendingOf(...deviceIds: string[]) {
  const deviceIndex = createDeviceIndex();
  const [first = 0, second = 0] = deviceIds.map(deviceIndex.indexOf);
  return { pending: createPending(deviceIndex), first, second };
}

describe('pending counts', () => {
  it('are added up by Device and returned once, those queued longest first', () => {
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

  it('that are put back are merged with newer counts without loss', () => {
    const { pending, first } = pendingOf('a');
    pending.add(first, outcome(2, ['old', 'both'], 1));
    const taken = pending.take(1);
    pending.add(first, outcome(3, ['both', 'new'], 2));
    for (const counts of taken) pending.putBack(counts);
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

  it('hold 10 000 unmatched paths of all Devices, and others once these are written', () => {
    const deviceIndex = createDeviceIndex();
    const pending = createPending(deviceIndex);
    const paths = Array.from({ length: 500 }, (_, n) => `path${n}`);
    const sizes = (max: number) => pending.take(max).map(({ unmatched }) => unmatched.size);
    for (let n = 0; n < 19; n += 1)
      pending.add(deviceIndex.indexOf(`device${n}`), outcome(0, paths));
    pending.add(deviceIndex.indexOf('last'), outcome(0, paths.slice(1)));
    pending.add(deviceIndex.indexOf('fits'), outcome(0, ['path']));
    pending.add(deviceIndex.indexOf('late'), outcome(0, ['path']));
    expect(sizes(22)).toEqual([...Array(19).fill(500), 499, 1, 0]);
    pending.add(deviceIndex.indexOf('late'), outcome(0, ['path']));
    expect(sizes(1)).toEqual([1]);
  });
});
