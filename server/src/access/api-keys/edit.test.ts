import { describe, expect, it } from 'vitest';
import { grantedByEdit, isSameTerms, type KeyTerms } from './edit.ts';
import { parseExpiry, parseFutureExpiry } from './expiry.ts';

const terms: KeyTerms = {
  name: 'A key',
  permissions: ['ReadAssets', 'CreateAsset'],
  expiresAt: 1_000,
};

describe('an edit of a key', () => {
  it('that asks for what is there changes nothing, whatever the order', () => {
    expect(isSameTerms(terms, { ...terms, permissions: ['CreateAsset', 'ReadAssets'] })).toBe(true);
    expect(isSameTerms(terms, { ...terms, permissions: ['CreateAsset'] })).toBe(false);
    expect(isSameTerms(terms, { ...terms, permissions: ['CreateAsset', 'DeleteAsset'] })).toBe(
      false,
    );
    expect(isSameTerms(terms, { ...terms, name: 'Another' })).toBe(false);
    expect(isSameTerms(terms, { ...terms, expiresAt: null })).toBe(false);
  });

  it('grants the permissions that it adds, and no others', () => {
    expect(grantedByEdit(terms, { ...terms, permissions: ['ReadAssets', 'DeleteAsset'] })).toEqual([
      'DeleteAsset',
    ]);
    expect(grantedByEdit(terms, { ...terms, name: 'Another', expiresAt: 500 })).toEqual([]);
  });

  it('grants every permission anew when the key lives longer', () => {
    expect(grantedByEdit(terms, { ...terms, expiresAt: 1_001 })).toEqual(terms.permissions);
    expect(grantedByEdit(terms, { ...terms, expiresAt: null })).toEqual(terms.permissions);
    expect(grantedByEdit({ ...terms, expiresAt: null }, terms)).toEqual([]);
  });
});

describe('an expiry', () => {
  it.each([
    ['2026-11-15T08:30:00Z', '2026-11-15T08:30:00.000Z'],
    ['2026-11-15T08:30:00.5+02:00', '2026-11-15T06:30:00.500Z'],
    ['2026-11-15t08:30:00.123456z', '2026-11-15T08:30:00.123Z'],
    ['2026-11-15 08:30:00-05:30', '2026-11-15T14:00:00.000Z'],
  ])('may be written with any offset: %s', (text, utc) => {
    expect(parseExpiry(text)).toBe(Date.parse(utc));
  });

  it.each([
    '9999-12-31T23:59:59-01:00',
    '0000-01-01T00:00:00Z',
    '1969-12-31T23:59:59Z',
    '2026-06-30T23:59:60Z',
    'tomorrow',
  ])('that cannot be stored is refused on its field: %s', (text) => {
    expect(() => parseExpiry(text)).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining({ path: 'expiresDateTime' })] }),
    );
  });

  it('of a new key must be in the future, to the millisecond', () => {
    const text = '2026-11-15T08:30:00.000Z';
    const moment = Date.parse(text);
    expect(parseFutureExpiry(text, moment - 1)).toBe(moment);
    expect(() => parseFutureExpiry(text, moment)).toThrow(/in the future/);
  });
});
