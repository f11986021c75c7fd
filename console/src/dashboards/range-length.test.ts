import { expect, it } from 'vitest';
import { widgetRange } from './range-length.ts';

const HOUR_MS = 3_600_000;
const now = 1_700_000_000_000;
const board = { ownMs: undefined, zoomed: null, boardMs: 6 * HOUR_MS, refreshMs: 10_000 };
const lengthOf = ({ startMs, endMs }: { startMs: number; endMs: number }) => endMs - startMs;

it('a widget without a range follows the board, up to now in steps of the refresh interval', () => {
  const range = widgetRange(board, now);
  expect(lengthOf(range)).toBe(6 * HOUR_MS);
  expect(range.endMs).toBeGreaterThanOrEqual(now);
  expect(range.endMs - now).toBeLessThan(22_000);
});

it('a widget with a range of its own keeps it, also while the board is zoomed', () => {
  const zoomed = { ...board, zoomed: { startMs: 5, endMs: 10 } };
  expect(widgetRange(zoomed, now)).toEqual({ startMs: 5, endMs: 10 });
  expect(lengthOf(widgetRange({ ...zoomed, ownMs: HOUR_MS }, now))).toBe(HOUR_MS);
});
