import { describe, expect, it } from 'vitest';
import { MAX_STRING_LENGTH, matchType } from './value.ts';

describe('a NUMBER Variable', () => {
  it.each([0, -0, 1, -1.5, Number.MAX_VALUE, Number.MIN_VALUE])('accepts %s', (value) => {
    expect(matchType('NUMBER', value)).toBe(value);
  });

  it.each([true, false, '', '5', 'NaN', Number.NaN, Number.POSITIVE_INFINITY])(
    'does not accept %j',
    (value) => {
      expect(matchType('NUMBER', value)).toBeUndefined();
    },
  );
});

describe('a BOOLEAN Variable', () => {
  it.each([
    [true, true],
    [false, false],
    [1, true],
    [0, false],
    [-0, false],
  ])('converts %s to %s', (value, expected) => {
    expect(matchType('BOOLEAN', value)).toBe(expected);
  });

  it.each([2, -1, 0.5, Number.NaN, '', 'true', '1', 'false'])('does not accept %j', (value) => {
    expect(matchType('BOOLEAN', value)).toBeUndefined();
  });
});

describe('a STRING Variable', () => {
  it.each(['', '5', 'true', '🔋'])('accepts %j', (value) => {
    expect(matchType('STRING', value)).toBe(value);
  });

  it.each([0, 1, true, false])('does not accept %j', (value) => {
    expect(matchType('STRING', value)).toBeUndefined();
  });

  it.each(['x', '🔋'])('accepts %s up to the limit of code points', (letter) => {
    for (const length of [MAX_STRING_LENGTH - 1, MAX_STRING_LENGTH]) {
      expect(matchType('STRING', letter.repeat(length))).toBe(letter.repeat(length));
    }
    expect(matchType('STRING', letter.repeat(MAX_STRING_LENGTH + 1))).toBeUndefined();
  });
});
