import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ChunkMeta } from '../chunks/chunk-row.ts';
import { timeSlicesOf } from './time-slices.ts';

const summary = { min: 0, max: 0, sum: 0, first: 0, last: 0 };
const source = fc
  .record({ firstAt: fc.nat(500), length: fc.nat(60), writeSeq: fc.nat(5) })
  .map(({ firstAt, length, writeSeq }): ChunkMeta => {
    return { firstAt, lastAt: firstAt + length, writeSeq, count: 1, ...summary };
  });

it('every time of every source is in exactly one slice, which lists the source', () => {
  fc.assert(
    fc.property(fc.array(source, { maxLength: 300 }), (sources) => {
      const slices = [...timeSlicesOf(sources)];
      for (const [index, { from, to }] of slices.entries()) {
        expect(from).toBeLessThanOrEqual(to);
        expect(from).toBeGreaterThan(slices[index - 1]?.to ?? -1);
      }
      for (const each of sources) {
        for (const time of [each.firstAt, each.lastAt]) {
          const found = slices.filter(({ from, to }) => from <= time && time <= to);
          expect(found).toHaveLength(1);
          expect(found[0]?.sources).toContain(each);
        }
      }
    }),
  );
});
