import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DamagedJournal, decodeJournalRow, encodeJournalRow } from './journal-row.ts';

const place = { writer: 3, id: 7 };
const common = {
  number: fc.integer({ min: 1, max: 0xffff_ffff }),
  isHistory: fc.boolean(),
  at: fc.maxSafeInteger(),
};
const reading = fc.oneof(
  fc.record({
    ...common,
    kind: fc.constant('NUMBER' as const),
    value: fc.double({ noNaN: true, noDefaultInfinity: true }),
  }),
  fc.record({ ...common, kind: fc.constant('BOOLEAN' as const), value: fc.boolean() }),
  fc.record({
    ...common,
    kind: fc.constant('STRING' as const),
    value: fc.string({ unit: 'grapheme' }),
  }),
);

it('what was written is read back, reading by reading', () => {
  fc.assert(
    fc.property(fc.array(reading), (readings) => {
      const row = encodeJournalRow(readings, readings.length);
      expect(decodeJournalRow(place, row)).toEqual(readings);
    }),
  );
});

it('a changed or cut row is an error that names it, never a reading', () => {
  fc.assert(
    fc.property(
      fc.array(reading, { minLength: 1, maxLength: 20 }),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      fc.boolean(),
      (readings, where, bits, isCut) => {
        const row = encodeJournalRow(readings, readings.length);
        const at = where % row.length;
        // The last four bytes of the head say nothing.
        if (!isCut && at >= 12 && at < 16) return;
        row[at] = (row[at] as number) ^ bits;
        const bad = isCut ? row.subarray(0, at) : row;
        expect(() => decodeJournalRow(place, bad)).toThrow(DamagedJournal);
      },
    ),
  );
});

it('a Variable number that does not fit is refused', () => {
  const readings = [
    { number: 2 ** 32, kind: 'BOOLEAN' as const, isHistory: true, at: 0, value: true },
  ];
  expect(() => encodeJournalRow(readings, 1)).toThrow(RangeError);
});
