import { describe, expect, it } from 'vitest';
import { waitFor } from './message-rate.ts';
import type { DeviceSessions } from './sessions.ts';

const device = (): DeviceSessions => ({ open: new Set(), theoreticalArrivalAt: 0, waitedUntil: 0 });

describe('the message rate of a Device', () => {
  it('passes one second of messages at once and spreads the rest', () => {
    const one = device();
    const waits = Array.from({ length: 13 }, () => waitFor(one, 5_000, 10));
    expect(waits.slice(0, 10)).toEqual(Array(10).fill(0));
    expect(waits.slice(10)).toEqual([100, 200, 300]);
    expect(waitFor(one, 6_300, 10)).toBe(0);
  });

  it('delays no message without a rate limit', () => {
    const one = device();
    expect(
      Array.from({ length: 5_000 }, () => waitFor(one, 0, 0)).every((wait) => wait === 0),
    ).toBe(true);
  });

  it('refuses a message that would wait too long, without counting it', () => {
    const one = device();
    const waits = Array.from({ length: 40 }, () => waitFor(one, 0, 1));
    expect(waits.filter((wait) => wait === null)).toHaveLength(9);
    expect(waitFor(one, 1_000, 1)).toBe(30_000);
  });
});
