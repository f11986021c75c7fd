import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Reading, Value } from '../reading.ts';
import { journalBatch } from './journal-batch.ts';
import { HISTORY_FLAG, kindOf } from './journal-columns.ts';
import { DamagedJournal, decodeJournalRow } from './journal-row.ts';

const index = { writer: 3, id: 7 };

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

function encode(cases: readonly Case[]): Buffer {
  return journalBatch(cases.map(toReading)).finish();
}

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

it('a journal row decodes to the readings of its batch', () => {
  fc.assert(
    fc.property(fc.array(reading), (cases) => {
      expect(decode(encode(cases))).toEqual(cases);
    }),
  );
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
      (readings, where, bits, isCut) => {
        const row = encode(readings);
        const at = where % row.length;
        // The last four bytes of the head are unused.
        if (!isCut && at >= 12 && at < 16) return;
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
