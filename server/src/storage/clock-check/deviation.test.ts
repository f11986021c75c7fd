import { describe, expect, it } from 'vitest';
import { deviationOf, isShown, spanText, stepOf } from './deviation.ts';

const NOW = Date.UTC(2026, 10, 16);
const MINUTE = 60_000;
const DAY = 86_400_000;

describe('the deviation of a clock', () => {
  it.each([
    [-MINUTE + 1, null],
    [-MINUTE, null],
    [-MINUTE - 1, -MINUTE - 1],
    [0, null],
    [DAY - 1, null],
    [DAY, null],
    [DAY + 1, DAY + 1],
  ])('of %i ms is reported as %j', (difference, expected) => {
    expect(deviationOf(NOW + difference, NOW)).toBe(expected);
  });

  it('is a step when the recorded time is that far away, and else the step before', () => {
    const earlier = { steppedAt: NOW - MINUTE, stepMs: 2 * DAY };
    expect(stepOf(NOW, NOW - MINUTE, earlier)).toBe(earlier);
    expect(stepOf(NOW, NOW - 3 * DAY, earlier)).toEqual({ steppedAt: NOW, stepMs: 3 * DAY });
    expect(stepOf(NOW, NOW + 2 * MINUTE, null)).toEqual({ steppedAt: NOW, stepMs: -2 * MINUTE });
  });

  it('is shown for a day after a step', () => {
    const step = { steppedAt: NOW, stepMs: 2 * DAY };
    expect([DAY - 1, DAY].map((after) => isShown(step, NOW + after))).toEqual([true, false]);
  });

  it.each([
    [61_000, '1 minute'],
    [7_200_000, '2 hours'],
    [3 * DAY, '3 days'],
    [59_000, '59 seconds'],
  ])('of %i ms is reported as %s', (duration, text) => {
    expect(spanText(duration)).toBe(text);
  });
});
