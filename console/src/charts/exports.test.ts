import { describe, expect, it } from 'vitest';
import { EXPORTS, exportInput, exportName } from './exports.ts';

const range = {
  startMs: Date.parse('2026-11-15T08:30:00Z'),
  endMs: Date.parse('2026-11-16T08:30:59Z'),
};
const [csv, , , parquetBuckets] = EXPORTS;

describe('an export of a chart', () => {
  it('names Variable and range in its file name', () => {
    const variables = [{ name: 'Generator 1 · Oil/pressure' }];
    expect(csv && exportName(variables, range, csv)).toBe(
      'Generator 1 · Oil-pressure 2026-11-15T0830Z to 2026-11-16T0830Z.csv',
    );
  });

  it('names how many Variables there are', () => {
    const variables = [{ name: 'a' }, { name: 'b' }];
    expect(parquetBuckets && exportName(variables, range, parquetBuckets)).toMatch(
      /^2 Variables 2026.*\.parquet$/,
    );
  });

  it('asks for all Variables in the range, with buckets where it is aggregated', () => {
    const query = { ids: ['a', 'b'], startTime: range.startMs, endTime: range.endMs };
    const variables = [{ id: 'a' }, { id: 'b' }];
    expect(csv && exportInput(variables, range, csv)).toEqual({ query });
    expect(parquetBuckets && exportInput(variables, range, parquetBuckets)).toEqual({
      query: { ...query, buckets: 600 },
    });
  });
});
