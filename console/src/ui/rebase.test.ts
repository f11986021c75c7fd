import { describe, expect, it } from 'vitest';
import { rebase } from './rebase.ts';

describe('rebase', () => {
  const base = { name: 'Pump', unit: 'bar', tags: ['a'] };

  it('keeps the input and takes the stored value of all other fields', () => {
    const theirs = { name: 'Pump', unit: 'kPa', tags: ['a', 'b'] };
    expect(rebase(base, { ...base, name: 'Pump 2' }, theirs)).toEqual({
      values: { name: 'Pump 2', unit: 'kPa', tags: ['a', 'b'] },
      clashes: {},
    });
  });

  it('keeps the input and reports a clash where both changed a field', () => {
    const theirs = { ...base, name: 'Pump 3' };
    expect(rebase(base, { ...base, name: 'Pump 2' }, theirs)).toEqual({
      values: { ...base, name: 'Pump 2' },
      clashes: { name: 'Pump 3' },
    });
  });

  it('reports no clash where both made the same change', () => {
    const both = { ...base, name: 'Pump 2' };
    expect(rebase(base, both, both)).toEqual({ values: both, clashes: {} });
  });

  it('merges objects field by field', () => {
    const values = (make: string, ratedKw: number) => ({ details: { make, ratedKw } });
    expect(rebase(values('Acme', 1), values('Bolt', 1), values('Acme', 2))).toEqual({
      values: values('Bolt', 2),
      clashes: {},
    });
    expect(rebase(values('Acme', 1), values('Bolt', 1), values('Coil', 2))).toEqual({
      values: values('Bolt', 2),
      clashes: { 'details.make': 'Coil' },
    });
  });

  it('merges removed and added fields', () => {
    type Things = Readonly<Record<string, number>>;
    const [before, mine, theirs]: Things[] = [
      { a: 1, b: 1, c: 1 },
      { a: 1, c: 1, d: 1 },
      { a: 2, b: 1 },
    ];
    expect(rebase(before ?? {}, mine ?? {}, theirs ?? {})).toEqual({
      values: { a: 2, d: 1 },
      clashes: {},
    });
    expect(rebase<Things>({ a: 1 }, { a: 2 }, {})).toEqual({
      values: { a: 2 },
      clashes: { a: undefined },
    });
  });
});
