import { describe, expect, it } from 'vitest';
import { byName, directionOf, nextOrder, type SortableColumn, sortedBy } from './sort.ts';

describe('nextOrder', () => {
  it('changes the direction of the sorted column, and begins with the first direction of another', () => {
    expect(nextOrder('NAME', 'NAME')).toBe('-NAME');
    expect(nextOrder('-NAME', 'NAME')).toBe('NAME');
    expect(nextOrder('-NAME', 'CREATED')).toBe('CREATED');
    expect(nextOrder('NAME', 'CREATED', 'descending')).toBe('-CREATED');
    expect(directionOf('-NAME', 'NAME')).toBe('descending');
    expect(directionOf('-NAME', 'CREATED')).toBeUndefined();
  });
});

describe('byName', () => {
  it('orders records as people do, whatever the case and the number of digits', () => {
    const records = [{ name: 'Pump 10' }, { name: 'pump 9' }, { name: 'Fan' }];
    const names = records.toSorted(byName).map(({ name }) => name);
    expect(names).toEqual(['Fan', 'pump 9', 'Pump 10']);
  });
});

describe('sortedBy', () => {
  const records = [
    { name: 'Pump 10', at: 3 },
    { name: 'pump 9', at: null },
    { name: 'Fan', at: 5 },
  ];
  const columns: readonly SortableColumn<(typeof records)[number]>[] = [
    { sortKey: 'NAME', value: ({ name }) => name },
    { sortKey: 'AT', value: ({ at }) => at },
    { sortKey: 'LENGTH', value: ({ name }) => name, rank: ({ name }) => name.length },
    { sortKey: 'SERVER' },
  ];
  const names = (order: string) => sortedBy(records, order, columns).map(({ name }) => name);

  it('compares digits as numbers and ignores case', () => {
    expect(names('NAME')).toEqual(['Fan', 'pump 9', 'Pump 10']);
    expect(names('-NAME')).toEqual(['Pump 10', 'pump 9', 'Fan']);
  });

  it('puts records without a value last in both directions', () => {
    expect(names('AT')).toEqual(['Pump 10', 'Fan', 'pump 9']);
    expect(names('-AT')).toEqual(['Fan', 'Pump 10', 'pump 9']);
  });

  it('compares the rank of a column that has one', () => {
    expect(names('LENGTH')).toEqual(['Fan', 'pump 9', 'Pump 10']);
  });

  it('keeps the order of the records for an unknown key and for one of the server', () => {
    expect(names('SIZE')).toEqual(['Pump 10', 'pump 9', 'Fan']);
    expect(names('SERVER')).toEqual(['Pump 10', 'pump 9', 'Fan']);
  });
});
