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
