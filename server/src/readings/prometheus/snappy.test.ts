import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decompress, literalBlock } from './snappy.ts';

const MAX = 1_000_000;

it('literals and copies, also of what they write themselves, are expanded', () => {
  // "ab", then 6 bytes from 2 back, then 3 from 8 back with an offset of two and of four bytes.
  const block = Buffer.from('0e' + '04' + '6162' + '0902' + '0a0800' + '0b08000000', 'hex');
  expect(Buffer.from(decompress(block, MAX) ?? []).toString()).toBe('ababababababab');
});

it.each([
  ['nothing', ''],
  ['a length without an end', 'ffffffffff'],
  ['fewer bytes than it says', '0500' + '61'],
  ['more bytes than it says', '010461' + '62'],
  ['a literal that is cut off', '02046'.padEnd(6, '1')],
  ['a copy of what was not there', '04' + '0061' + '0105'],
  ['a copy of nothing', '05' + '0061' + '0100'],
])('a block with %s is refused', (_, hex) => {
  expect(decompress(Buffer.from(hex, 'hex'), MAX)).toBeUndefined();
});

it('a block that would be longer than allowed is refused before it is expanded', () => {
  const block = literalBlock([Buffer.alloc(10)]);
  expect(decompress(block, 9)).toBeUndefined();
  expect(decompress(block, 10)).toHaveLength(10);
  expect(decompress(block, 11)).toHaveLength(10);
});

it('a block of literals has its content, and any bytes expand to a block or not', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.uint8Array(), (one, other) => {
      const content = decompress(literalBlock([one, other]), MAX);
      expect([...(content ?? [])]).toEqual([...one, ...other]);
      expect(decompress(one, MAX)?.length ?? 0).toBeLessThanOrEqual(MAX);
    }),
  );
});
