import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chunkRows } from './chunk-row.ts';

const WEEK_MS = 7 * 86_400_000;

function rowsOf(stepMs: number, count: number, most: number) {
  const times = Float64Array.from(
    { length: count },
    (_, index) => 1_700_000_000_000 + index * stepMs,
  );
  const values = Float64Array.from({ length: count }, (_, index) => index % 7);
  return [...chunkRows(1, { kind: 'NUMBER', times, values }, most)];
}

it('chunks have all readings in order, and those of more than 1 024 are within a week', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 3_600_000 }),
      fc.integer({ min: 1, max: 6_000 }),
      fc.integer({ min: 1, max: 32_768 }),
      (stepMs, count, most) => {
        const rows = rowsOf(stepMs, count, most);
        expect(rows.reduce((sum, row) => sum + row.count, 0)).toBe(count);
        for (const [index, row] of rows.entries()) {
          expect(row.count).toBeLessThanOrEqual(most);
          expect(row.lastAt - row.firstAt).toBe((row.count - 1) * stepMs);
          if (row.count > 1_024) expect(row.lastAt - row.firstAt).toBeLessThanOrEqual(WEEK_MS);
          if (index > 0) expect(row.firstAt).toBe((rows[index - 1]?.lastAt ?? 0) + stepMs);
        }
      },
    ),
    { numRuns: 100 },
  );
});

it('a week of readings every minute is one chunk, and a month of them more than four', () => {
  expect(rowsOf(60_000, 7 * 1_440, 32_768)).toHaveLength(1);
  expect(rowsOf(60_000, 30 * 1_440, 32_768).length).toBeGreaterThan(4);
});

/** The rows of readings every ten seconds. */
function rowsOfTexts(count: number, textAt: (index: number) => string) {
  const times = Float64Array.from({ length: count }, (_, index) => index * 10_000);
  const values = Array.from({ length: count }, (_, index) => textAt(index));
  return [...chunkRows(1, { kind: 'STRING', times, values }, 32_768)];
}

it('few states are one chunk for days, and texts that fill pages have 1 024 readings each', () => {
  const states = ['STOPPED', 'RUNNING', 'COOLING DOWN'];
  const ofStates = rowsOfTexts(30_000, (index) => states[Math.floor(index / 700) % 3] ?? '');
  expect(ofStates).toHaveLength(1);
  const ofLongTexts = rowsOfTexts(5_000, (index) => `${index} ${'x'.repeat(500)}`);
  expect(ofLongTexts.map(({ count }) => count)).toEqual([1_024, 1_024, 1_024, 1_024, 904]);
});
