import { describe, expect, it } from 'vitest';
import { grantedByEdit, isSameTerms, type KeyTerms } from './edit.ts';

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

  it('grants every permission again when the key expires later', () => {
    expect(grantedByEdit(terms, { ...terms, expiresAt: 1_001 })).toEqual(terms.permissions);
    expect(grantedByEdit(terms, { ...terms, expiresAt: null })).toEqual(terms.permissions);
    expect(grantedByEdit({ ...terms, expiresAt: null }, terms)).toEqual([]);
  });
});
