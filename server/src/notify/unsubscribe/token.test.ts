import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressTag, grantOf, tokenOf } from './token.ts';

const key = Buffer.alloc(32, 1);
const organizationId = '018f0000-0000-7000-8000-0000000000ad';
const alarmGroupIds = [
  '018f0000-0000-7000-8000-0000000000a1',
  '018f0000-0000-7000-8000-0000000000a2',
];
const grant = {
  organizationId,
  addressTag: addressTag(key, organizationId, 'Ann@Example.com'),
  alarmGroupIds,
};
const token = tokenOf(key, grant);

describe('the token of an unsubscribe link', () => {
  it('decodes to the address that it was made for', () => {
    expect(grantOf(key, token)).toEqual(grant);
  });

  it('holds no address', () => {
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('xample');
  });

  it('of another installation is refused', () => {
    expect(grantOf(Buffer.alloc(32, 2), token)).toBeNull();
  });

  it('with any changed byte, a cut end or more at its end is refused', () => {
    const bytes = Buffer.from(token, 'base64url');
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const forged = Buffer.from(bytes);
        forged[at] = (forged[at] ?? 0) ^ change;
        expect(grantOf(key, forged.toString('base64url'))).toBeNull();
      }),
    );
    for (let length = 0; length < bytes.length; length += 1) {
      expect(grantOf(key, bytes.subarray(0, length).toString('base64url'))).toBeNull();
    }
    expect(grantOf(key, `${token}AAAA`)).toBeNull();
    expect(grantOf(key, `${token}=`)).toBeNull();
    expect(grantOf(key, ' ')).toBeNull();
  });

  it('tags an address in any case alike, and another one or another organization differently', () => {
    const tag = (email: string, id = organizationId) => addressTag(key, id, email);
    expect(tag('ann@example.COM')).toBe(grant.addressTag);
    expect(tag('ann2@example.com')).not.toBe(grant.addressTag);
    expect(tag('ann@example.com', alarmGroupIds[0])).not.toBe(grant.addressTag);
  });
});
