import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../../test/support/soak.ts';
import { packBits, unpackBits } from './bit-packing.ts';
import { ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import { IntegerReader } from './integer-reader.ts';
import { INTEGER_LIMIT, writeIntegers } from './integer-writer.ts';
import { readSpan } from './span.ts';

/** A reader of what was written, with the four bytes behind it that a checksum would be. */
function readerOf(writer: ByteWriter): ByteReader {
  const bytes = new Uint8Array(writer.length + 4).fill(255);
  bytes.set(writer.bytes.subarray(0, writer.length));
  return new ByteReader(bytes, new DataView(bytes.buffer), 0, writer.length);
}

function roundTrip(integers: readonly number[]): { found: number[]; bytes: number } {
  const writer = new ByteWriter(0);
  writeIntegers(writer, Float64Array.from(integers), integers.length);
  const reader = readerOf(writer);
  const found = new Float64Array(integers.length);
  const source = new IntegerReader(reader, integers.length);
  readSpan(source, { first: 0, end: integers.length }, found, 0);
  expect(reader.offset).toBe(reader.end);
  return { found: [...found], bytes: writer.length };
}

describe('packed bits', () => {
  it('are read back for every width and offset', () => {
    for (let width = 0; width <= 32; width += 1) {
      for (let start = 0; start < 4; start += 1) {
        const greatest = 2 ** width - 1;
        const numbers = Uint32Array.from({ length: 101 }, (_, index) =>
          index % 3 === 0 ? greatest : Math.floor((greatest * ((index * 37) % 101)) / 100),
        );
        const writer = new ByteWriter(0);
        for (let byte = 0; byte < start; byte += 1) writer.byte(255);
        if (width > 0) packBits(writer, numbers, numbers.length, width);
        const reader = readerOf(writer);
        reader.take(start);
        const found = new Uint32Array(numbers.length);
        unpackBits(reader, found, found.length, width);
        expect(found).toEqual(numbers);
        expect(reader.offset).toBe(reader.end);
      }
    }
  });
});

describe('a sequence of integers', () => {
  const extreme = fc.constantFrom(INTEGER_LIMIT, -INTEGER_LIMIT, 0, 2 ** 31, 2 ** 32, -(2 ** 32));
  const integer = fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: -20, max: 20 }) },
    { weight: 4, arbitrary: fc.integer() },
    { weight: 1, arbitrary: fc.maxSafeInteger().map((n) => Math.floor(n / 32)) },
    { weight: 1, arbitrary: extreme },
  );

  it('is read back for any integers over several blocks', () => {
    fc.assert(
      fc.property(fc.array(integer, { minLength: 1, maxLength: 400, size: 'max' }), (integers) => {
        expect(roundTrip(integers).found).toEqual(integers);
      }),
      { numRuns: cases(10_000) },
    );
  });

  it('is read back when mostly regular with a few exceptions of any size', () => {
    const walk = fc.array(
      fc.oneof({ weight: 60, arbitrary: fc.integer({ min: 0, max: 3 }) }, integer),
      { minLength: 1, maxLength: 300, size: 'max' },
    );
    fc.assert(
      fc.property(walk, fc.constantFrom(1, 7, 1_000), (changes, step) => {
        let sum = 0;
        const integers = changes.flatMap((change) => {
          const next = sum + change * step;
          if (Math.abs(next) > INTEGER_LIMIT) return [];
          sum = next;
          return [sum];
        });
        if (integers.length === 0) return;
        expect(roundTrip(integers).found).toEqual(integers);
      }),
      { numRuns: cases(10_000) },
    );
  });

  it('is read back for every width', () => {
    for (let bits = 0; bits <= 48; bits += 1) {
      const integers = Array.from({ length: 200 }, (_, index) =>
        Math.floor(((index * 7_919) % 201) * (2 ** bits / 201)),
      );
      const { found, bytes } = roundTrip(integers);
      expect(found).toEqual(integers);
      expect(bytes).toBeLessThan(25 + (200 * bits) / 8);
    }
  });

  it('takes a few bytes when it is regular', () => {
    const every = (step: number) => Array.from({ length: 5_000 }, (_, index) => index * step);
    expect(roundTrip(every(0)).bytes).toBeLessThan(4);
    expect(roundTrip(every(10_000)).bytes).toBeLessThan(8);
    expect(roundTrip([5]).bytes).toBeLessThan(4);
  });

  it('is written in units of its greatest common divisor', () => {
    const fine = Array.from({ length: 1_000 }, (_, index) => (index * 7_919) % 13);
    const coarse = fine.map((integer) => integer * 62_500);
    expect(roundTrip(coarse).found).toEqual(coarse);
    expect(roundTrip(coarse).bytes).toBeLessThan(roundTrip(fine).bytes + 4);
  });

  it('writes an outlier as an exception without widening its block', () => {
    const calm = Array.from(
      { length: 1_000 },
      (_, index) => (Math.imul(index, 0x9e3779b1) >>> 9) % 13,
    );
    const calmBytes = roundTrip(calm).bytes;
    for (const outlier of [INTEGER_LIMIT, -INTEGER_LIMIT]) {
      const disturbed = calm.with(500, outlier);
      expect(roundTrip(disturbed).found).toEqual(disturbed);
      expect(roundTrip(disturbed).bytes).toBeLessThan(calmBytes + 24);
    }
  });
});
