import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { freeCode, MAX_OPEN_CODES } from './free-code.ts';

const codes = (count: number) => new Set(Array.from({ length: count }, (_, at) => `${1000 + at}`));

describe('the code of a page at a number', () => {
  it('has four digits and is not one of an open page', () => {
    const open = fc.uniqueArray(fc.integer({ min: 1000, max: 9999 }), {
      maxLength: MAX_OPEN_CODES - 1,
    });
    fc.assert(
      fc.property(open, fc.nat(8_999), (numbers, start) => {
        const taken = new Set(numbers.map(String));
        const code = freeCode(taken, () => start);
        expect(code).toMatch(/^[1-9]\d{3}$/);
        expect(taken.has(code ?? '')).toBe(false);
      }),
    );
  });

  it('is left out while 100 pages are open there', () => {
    expect(freeCode(codes(98), () => 0)).toBe('1098');
    expect(freeCode(codes(99), () => 0)).toBe('1099');
    expect(freeCode(codes(100), () => 0)).toBeNull();
    expect(freeCode(new Set(['9999']), () => 8_999)).toBe('1000');
  });
});
