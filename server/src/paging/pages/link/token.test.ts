import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { grantOf, tokenOf } from './token.ts';

const key = Buffer.alloc(32, 1);
const NOW = 1_800_000_000_000;
const id = (end: string) => `018f0000-0000-7000-8000-0000000000${end}`;
const grant = {
  organizationId: id('a1'),
  pageId: id('a2'),
  userId: id('a3'),
  methodId: null,
  expiresAt: NOW + 1_000,
};
const token = tokenOf(key, grant);

describe('the token of an acknowledge link', () => {
  it('decodes to the page and the person that it was made for, until it expires', () => {
    expect(grantOf(key, token, NOW)).toEqual(grant);
    expect(grantOf(key, token, NOW + 999)).toEqual(grant);
    expect(grantOf(key, token, NOW + 1_000)).toBeNull();
    const byMethod = { ...grant, methodId: id('a4') };
    expect(grantOf(key, tokenOf(key, byMethod), NOW)).toEqual(byMethod);
  });

  it('of another installation is refused', () => {
    expect(grantOf(Buffer.alloc(32, 2), token, NOW)).toBeNull();
  });

  it('with any changed byte, a cut end or more at its end is refused', () => {
    const bytes = Buffer.from(token, 'base64url');
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const forged = Buffer.from(bytes);
        forged[at] = (forged[at] ?? 0) ^ change;
        expect(grantOf(key, forged.toString('base64url'), NOW)).toBeNull();
      }),
    );
    for (let length = 0; length < bytes.length; length += 1) {
      expect(grantOf(key, bytes.subarray(0, length).toString('base64url'), NOW)).toBeNull();
    }
    expect(grantOf(key, `${token}AAAA`, NOW)).toBeNull();
  });
});
