import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold, foldEmail } from './fold.ts';

describe('the folded text of a part', () => {
  it.each([
    ['ΚΟΣ', 'ΚΟΣΜΟΣ 1'],
    ['κοσμοσ', 'ΚΟΣΜΟΣ 1'],
    ['κόσμος', 'ΚΌΣΜΟΣ'],
    ['Σ 1', 'ΚΟΣΜΟΣ 1'],
    ['ΐ', 'ΜΑΪ\u0301ΟΥ'],
    ['ǰ', 'J\u030c pump'],
    ['J\u030c', 'ǰ pump'],
    ['pü', 'PU\u0308MP'],
    ['i\u0307x', 'İX'],
  ])('is in that of the whole: %s in %s', (part, whole) => {
    expect(fold(whole)).toContain(fold(part));
  });

  it('is in that of the whole, whatever surrounds it', () => {
    // Marks join the letter before them: a part that begins with one is a part of no name.
    const letter = fc
      .oneof(fc.constantFrom(...'ΣσςΑ İIß😀Ж1-'), fc.string({ unit: 'binary', maxLength: 1 }))
      .filter((text) => !/[\p{M}\p{Lo}]/u.test(text.normalize('NFD').slice(0, 2)));
    const text = fc.array(letter, { maxLength: 6 }).map((letters) => letters.join(''));
    fc.assert(
      fc.property(text, text, text, (before, part, after) => {
        expect(fold(`${before}${part}${after}`)).toContain(fold(part));
      }),
      { numRuns: 500 },
    );
  });

  it('changes no more when it is folded again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(fold(fold(text))).toBe(fold(text));
      }),
      { numRuns: 500 },
    );
  });
});

it('emails are compared by ASCII case only', () => {
  expect(foldEmail('Ann.KELVIN@Example.com')).toBe('ann.kelvin@example.com');
  expect(foldEmail('\u212aelvin@É.com')).toBe('\u212aelvin@É.com');
});
