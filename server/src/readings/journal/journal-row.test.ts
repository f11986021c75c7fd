import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Reading, Value } from '../reading.ts';
import { journalBatch } from './journal-batch.ts';
import { HISTORY_FLAG, kindOf } from './journal-columns.ts';
import { DamagedJournal, decodeJournalRow, plainBytes, type RowForm } from './journal-row.ts';

const index = { writer: 3, id: 7 };
const HEAD_BYTES = 16;

interface Case {
  readonly seriesId: number;
  readonly type: Reading['variable']['type'];
  readonly isHistory: boolean;
  readonly at: number;
  readonly value: Value;
}

const common = {
  seriesId: fc.integer({ min: 1, max: 0xffff_ffff }),
  isHistory: fc.boolean(),
  at: fc.maxSafeInteger(),
};
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }).filter((each) => !each.includes('\0')),
  fc.constantFrom('STOPPED', 'RUNNING', ''),
);
const reading: fc.Arbitrary<Case> = fc.oneof(
  fc.record({
    ...common,
    type: fc.constant('NUMBER' as const),
    value: fc.double({ noNaN: true, noDefaultInfinity: true }),
  }),
  fc.record({ ...common, type: fc.constant('BOOLEAN' as const), value: fc.boolean() }),
  fc.record({ ...common, type: fc.constant('STRING' as const), value: text }),
);

function toReading({ seriesId, type, isHistory, at, value }: Case): Reading {
  const variable = {
    seriesId,
    type,
    isLoggingEnabled: isHistory,
    id: '',
    organizationId: '',
    deviceId: '',
    path: '',
  };
  return { variable, at, value };
}

function encode(cases: readonly Case[], form: RowForm = 'PACKED'): Buffer {
  return journalBatch(cases.map(toReading)).finish(form);
}

const FORMS: readonly RowForm[] = ['PLAIN', 'PACKED'];

function decode(row: Uint8Array): Case[] {
  const { count, times, values, seriesIds, tags, strings } = decodeJournalRow(index, row);
  return Array.from({ length: count }, (_, index) => {
    const tag = tags[index] as number;
    const type = kindOf(tag) ?? 'NUMBER';
    const stored = values[index] as number;
    const texts = strings[stored] as string;
    return {
      seriesId: seriesIds[index] as number,
      type,
      isHistory: (tag & HISTORY_FLAG) !== 0,
      at: times[index] as number,
      value: type === 'STRING' ? texts : type === 'BOOLEAN' ? stored === 1 : stored,
    };
  });
}

it.each(FORMS)('a %s journal row decodes to the readings of its batch', (form) => {
  fc.assert(
    fc.property(fc.array(reading), (cases) => {
      expect(decode(encode(cases, form))).toEqual(cases);
    }),
  );
});

/** Numbers at the borders of the forms of a packed column. */
const border = fc.oneof(
  fc.constantFrom(0, -0, 0.001, -0.001, 0.0005, 5e-324, 1e300),
  fc.integer({ min: -2, max: 2 }).map((off) => 2 ** 30 + off),
  fc.integer({ min: -2, max: 2 }).map((off) => -(2 ** 30) + off),
  fc.integer({ min: -2, max: 2 }).map((off) => (2 ** 30 + off) / 1000),
  fc.integer().map((thousandths) => thousandths / 1000),
);

it.each([127, 128, 129, 256, 257])('a packed row of %i readings decodes to them', (count) => {
  const numbers = fc.oneof(
    fc.array(border, { minLength: count, maxLength: count }),
    fc.array(fc.integer({ min: -9e5, max: 9e5 }), { minLength: count, maxLength: count }),
    fc
      .tuple(fc.nat(count - 1), border)
      .map(([oddIndex, odd]) =>
        Array.from({ length: count }, (_, index) => (index === oddIndex ? odd : index / 1000)),
      ),
  );
  const property = fc.property(numbers, fc.maxSafeInteger(), fc.boolean(), (all, at, isFar) => {
    const step = isFar ? 2 ** 31 : 1;
    const cases = all.map((value, index): Case => {
      const seriesId = isFar && index % 2 === 1 ? 2 ** 32 - 1 : 1 + index;
      const time = Math.max(-Number.MAX_SAFE_INTEGER, at - index * step);
      return { seriesId, type: 'NUMBER', isHistory: index % 200 < 130, at: time, value };
    });
    expect(decode(encode(cases))).toEqual(cases);
  });
  fc.assert(property, { numRuns: 40 });
});

it('a packed row of what meters send has a quarter of the bytes of a plain one', () => {
  const cases = Array.from({ length: 600 }, (_, index): Case => {
    const at = 1_700_000_000_000 + Math.floor(index / 6);
    return { seriesId: 1 + index, type: 'NUMBER', isHistory: true, at, value: 230 + index / 1000 };
  });
  const plain = encode(cases, 'PLAIN');
  expect(plain.length).toBe(16 + 21 * cases.length);
  expect(plainBytes(decodeJournalRow(index, plain))).toBe(plain.length);
  expect(encode(cases).length).toBeLessThan(plain.length / 4);
});

it('a packed row with a form that there is not is refused', () => {
  const cases: Case[] = [{ seriesId: 1, type: 'NUMBER', isHistory: true, at: 0, value: 1 }];
  const row = encode(cases);
  expect(row[HEAD_BYTES]).toBe(3);
  for (const [form, isForm] of [
    [3, true],
    [4, false],
  ] as const) {
    row[HEAD_BYTES] = form;
    row.writeUInt32LE(crc32(row.subarray(HEAD_BYTES), cases.length), 8);
    if (isForm) expect(decode(row)).toEqual(cases);
    else expect(() => decode(row)).toThrow(DamagedJournal);
  }
});

it('a repeated string is written once per journal row', () => {
  const of = (value: string): Case => ({
    seriesId: 1,
    type: 'STRING',
    isHistory: true,
    at: 0,
    value,
  });
  const twice = encode([of('RUNNING'), of('RUNNING')]);
  const once = encode([of('RUNNING'), of('')]);
  expect(twice.length).toBe(once.length - 4);
});

it('a changed or truncated journal row is refused with its position', () => {
  fc.assert(
    fc.property(
      fc.array(reading, { minLength: 1, maxLength: 20 }),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      fc.boolean(),
      fc.constantFrom(...FORMS),
      (readings, where, bits, isCut, form) => {
        const row = encode(readings, form);
        const at = where % row.length;
        // The last four bytes of the head of a plain row are unused.
        if (form === 'PLAIN' && !isCut && at >= 12 && at < 16) return;
        row[at] = (row[at] as number) ^ bits;
        const bad = isCut ? row.subarray(0, at) : row;
        expect(() => decodeJournalRow(index, bad)).toThrow(DamagedJournal);
      },
    ),
  );
});

it('a series id of more than 32 bits is refused', () => {
  const of = (seriesId: number): Case[] => [
    { seriesId, type: 'BOOLEAN', isHistory: true, at: 0, value: true },
  ];
  expect(decode(encode(of(2 ** 32 - 1)))).toEqual(of(2 ** 32 - 1));
  expect(() => encode(of(2 ** 32))).toThrow(RangeError);
});
