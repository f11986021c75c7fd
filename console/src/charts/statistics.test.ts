import { describe, expect, it } from 'vitest';
import { nextOrder, sortedRows, statisticOf, withLatest } from './statistics.ts';

const statistics = (min: number, max: number, mean = min) => ({
  variableId: 'v',
  count: 2,
  ...{ min, max, mean, first: min, last: max, timeWeightedMean: null },
});

describe('the statistics of a series', () => {
  it('have the difference of the last and the first reading', () => {
    expect(statisticOf(statistics(2, 5), 'change')).toBe(3);
    expect(statisticOf(statistics(2, 5), 'timeWeightedMean')).toBeNull();
    expect(statisticOf(undefined, 'min')).toBeNull();
  });

  it('include a live value in the range', () => {
    const range = { startMs: 100, endMs: 200 };
    const found = withLatest(statistics(2, 5), { timestamp: 150, value: 7 }, range);
    expect(found).toMatchObject({ last: 7, max: 7, min: 2 });
    const old = withLatest(statistics(2, 5), { timestamp: 99, value: 7 }, range);
    expect(old).toEqual(statistics(2, 5));
  });
});

describe('rows of a legend', () => {
  const rows = [
    { name: 'b', statistics: statistics(1, 9) },
    { name: 'c', statistics: undefined },
    { name: 'a', statistics: statistics(3, 4) },
  ];
  const namesBy = (order: Parameters<typeof sortedRows>[1]) =>
    sortedRows(rows, order).map(({ name }) => name);

  it('are sorted by a column, those without a value last', () => {
    expect(namesBy({ by: 'min', isDescending: true })).toEqual(['a', 'b', 'c']);
    expect(namesBy({ by: 'max', isDescending: true })).toEqual(['b', 'a', 'c']);
    expect(namesBy({ by: 'max', isDescending: false })).toEqual(['a', 'b', 'c']);
    expect(namesBy({ by: 'name', isDescending: false })).toEqual(['a', 'b', 'c']);
    expect(namesBy(null)).toEqual(['b', 'c', 'a']);
  });

  it('are sorted the other way by a second click, and not at all by a third', () => {
    const first = nextOrder(null, 'max');
    expect(first).toEqual({ by: 'max', isDescending: true });
    const second = nextOrder(first, 'max');
    expect(second).toEqual({ by: 'max', isDescending: false });
    expect(nextOrder(second, 'max')).toBeNull();
    expect(nextOrder(second, 'name')).toEqual({ by: 'name', isDescending: false });
  });
});
