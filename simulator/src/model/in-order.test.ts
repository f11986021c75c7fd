import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inOrder } from './in-order.ts';

it('merges whatever is in order, and loses nothing', () => {
  const source = fc.array(fc.nat(20)).map((times) => times.sort((a, b) => a - b));
  fc.assert(
    fc.property(fc.array(source), (sources) => {
      const timed = sources.map((times, from) => times.map((at) => ({ at, from })));
      const expected = timed.flat().sort((a, b) => a.at - b.at || a.from - b.from);
      expect([...inOrder(timed.map((each) => each.values()))]).toEqual(expected);
    }),
  );
});
