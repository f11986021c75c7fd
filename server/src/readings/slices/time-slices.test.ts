import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Piece } from '../chunks/chunk-row.ts';
import { stretchesOf } from './time-slices.ts';

const summary = { min: 0, max: 0, sum: 0, first: 0, last: 0 };
const source = fc
  .record({ firstAt: fc.nat(500), length: fc.nat(60), written: fc.nat(5) })
  .map(({ firstAt, length, written }): Piece => {
    return { firstAt, lastAt: firstAt + length, written, count: 1, ...summary };
  });

it('every time of every source is in one stretch, which knows the source', () => {
  fc.assert(
    fc.property(fc.array(source, { maxLength: 300 }), (sources) => {
      const stretches = [...stretchesOf(sources)];
      for (const [index, { from, to }] of stretches.entries()) {
        expect(from).toBeLessThanOrEqual(to);
        expect(from).toBeGreaterThan(stretches[index - 1]?.to ?? -1);
      }
      for (const each of sources) {
        for (const time of [each.firstAt, each.lastAt]) {
          const found = stretches.filter(({ from, to }) => from <= time && time <= to);
          expect(found).toHaveLength(1);
          expect(found[0]?.sources).toContain(each);
        }
      }
    }),
  );
});
