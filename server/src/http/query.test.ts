import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { queryPairs, readQuery } from './query.ts';

const schemas = {
  ids: { type: 'array', items: { type: 'string' } },
  counts: { type: 'array', items: { type: 'integer' } },
  take: { type: 'integer' },
  active: { type: 'boolean' },
  search: { type: 'string' },
} as const;

function read(text: string) {
  return readQuery(queryPairs(text) ?? [], schemas);
}

describe('a query', () => {
  it.each([
    ['ids[]=a&ids[]=b'],
    ['ids[0]=a&ids[1]=b'],
    ['ids=a&ids=b'],
    ['ids%5B%5D=a&ids%5B%5D=b'],
    ['ids[]=a&ids=b'],
  ])('takes an array written as %s', (text) => {
    expect(read(text)).toEqual({ values: { ids: ['a', 'b'] }, errors: [] });
  });

  it('takes a single bracketed value as an array of one', () => {
    expect(read('ids[]=a').values).toEqual({ ids: ['a'] });
  });

  it('turns values into their declared types and no others', () => {
    expect(read('take=5&active=true&search=5&counts[]=1').values).toEqual({
      take: 5,
      active: true,
      search: '5',
      counts: [1],
    });
  });

  it.each(['take=', 'take=5x', 'take=0x10', 'take= 5', 'take=Infinity', 'take=NaN', 'take=1_0'])(
    'leaves %s as text for the schema to refuse',
    (text) => {
      expect(typeof read(text).values.take).toBe('string');
    },
  );

  it.each([
    ['nope=1', 'nope'],
    ['search[]=a', 'search[]'],
    ['take[0]=1', 'take[0]'],
    ['__proto__=1', '__proto__'],
    ['constructor[]=1', 'constructor[]'],
    ['ids[a]=1', 'ids[a]'],
  ])('refuses %s by name', (text, path) => {
    expect(read(text).errors).toEqual([{ path, message: 'is not a parameter of this operation' }]);
  });

  it('refuses a single value that is given twice', () => {
    expect(read('take=1&take=2').errors).toEqual([{ path: 'take', message: 'must be given once' }]);
  });

  it.each(['a=%', 'a=%zz', '%ff=1', 'a=%c0%80'])('does not accept the bad encoding %s', (text) => {
    expect(queryPairs(text)).toBeUndefined();
  });

  it('reads back whatever was percent-encoded', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }), (ids) => {
        const text = ids.map((id) => `ids[]=${encodeURIComponent(id)}`).join('&');
        expect(read(text)).toEqual({ values: { ids }, errors: [] });
      }),
    );
  });
});
