import fc from 'fast-check';
import { expect, it } from 'vitest';
import { partitionOf } from './partition.ts';

it('the partition of a Device is the last byte of its id, in either case', () => {
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      const expected = Number.parseInt(id.slice(-2), 16);
      expect(partitionOf(id)).toBe(expected);
      expect(partitionOf(id.toUpperCase())).toBe(expected);
    }),
  );
});
