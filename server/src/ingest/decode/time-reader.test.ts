import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cases } from '../../../test/support/soak.ts';
import { NOT_PLAIN } from './scan.ts';
import { TimeReader } from './time-reader.ts';

/** Reads each text, which a brace follows, and returns the numbers; undefined where it is none. */
function readAll(texts: readonly string[]): (number | undefined)[] {
  const reader = new TimeReader();
  const into = new Float64Array(1);
  return texts.map((text) => {
    const bytes = Buffer.from(`${text}}`);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const end = reader.read(bytes, view, 0, into, 0);
    return end === NOT_PLAIN ? undefined : end === text.length ? into[0] : Number.NaN;
  });
}

it('times of a list are read as JSON.parse reads them, whatever was before them', () => {
  const near = fc
    .tuple(fc.constantFrom(1_763_195_400_000, 1_763_195_499_000), fc.nat(200_000))
    .map(([from, distance]) => String(from + distance));
  const other = fc.oneof(
    fc.integer({ min: 1, max: 2 ** 50 }).map(String),
    fc.double({ min: 1, max: 1e15, noNaN: true }).map((number) => JSON.stringify(number)),
    // These have as many characters as a time, or its first ones.
    fc.constantFrom(
      '1.0000000e+12',
      '1763195.40012',
      '17631954e0005',
      '17631954',
      '176319540',
      '-1763195400000',
    ),
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(near, other), { maxLength: 8 }), (texts) => {
      expect(readAll(texts)).toEqual(texts.map((text) => JSON.parse(text)));
    }),
    { numRuns: cases(5_000) },
  );
});

it('what is no time does not become the beginning of one', () => {
  const texts = [
    '1763195400000',
    '1.0000000e+12',
    '1.00000012345',
    '0000000012345',
    '17631954x0000',
  ];
  expect(readAll(texts)).toEqual([1_763_195_400_000, 1e12, 1.00000012345, undefined, Number.NaN]);
});
