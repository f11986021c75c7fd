import { describe, expect, it } from 'vitest';
import {
  clientAddress,
  isForwardedTls,
  parseTrustedProxies,
  rateLimitKey,
  type TrustedProxies,
} from './client-address.ts';

function trusting(text: string): TrustedProxies {
  const trusted = parseTrustedProxies(text);
  if (!trusted) throw new Error(`not a setting: ${text}`);
  return trusted;
}

describe('the address of a client', () => {
  it.each([
    ['false', '10.0.0.1', '9.9.9.9', '10.0.0.1'],
    ['0', '10.0.0.1', '9.9.9.9', '10.0.0.1'],
    ['true', '10.0.0.1', undefined, '10.0.0.1'],
    ['true', '10.0.0.1', '9.9.9.9', '9.9.9.9'],
    ['true', '10.0.0.1', 'forged, 1.1.1.1, 9.9.9.9', '9.9.9.9'],
    ['1', '10.0.0.1', '1.1.1.1,9.9.9.9', '9.9.9.9'],
    ['2', '10.0.0.1', '1.1.1.1, 9.9.9.9, 10.0.0.2', '9.9.9.9'],
    ['2', '10.0.0.1', '10.0.0.2', '10.0.0.2'],
    ['3', '10.0.0.1', '1.1.1.1, 9.9.9.9, 10.0.0.2', '1.1.1.1'],
    ['10.0.0.0/8', '10.0.0.1', '1.1.1.1, 9.9.9.9, 10.0.0.2', '9.9.9.9'],
    ['10.0.0.0/8', '203.0.113.5', '1.1.1.1', '203.0.113.5'],
    ['10.0.0.0/8', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['10.0.0.1, 2001:db8::/32', '10.0.0.1', '9.9.9.9, 2001:db8::7', '9.9.9.9'],
    ['10.0.0.1', '10.0.0.2', '9.9.9.9', '10.0.0.2'],
  ])('with FIELDWATCH_TRUST_PROXY=%s, peer %s and X-Forwarded-For %s is %s', (...given) => {
    const [setting, peer, forwardedFor, address] = given;
    expect(clientAddress(peer, forwardedFor, trusting(setting))).toBe(address);
  });

  it.each([
    ['true', '1.1.1.1, unknown'],
    ['true', '1.1.1.1, '],
    ['true', "1.1.1.1, '; DROP TABLE users; --"],
    ['true', '1.1.1.1, 999.1.1.1'],
    ['true', '1.1.1.1, [9.9.9.9'],
    ['2', '1.1.1.1, unknown, 10.0.0.1'],
    ['10.0.0.0/8', '1.1.1.1, unknown, 10.0.0.1'],
  ])('with %s never reaches past what is no IP address in %s', (setting, forwardedFor) => {
    expect(clientAddress('10.0.0.1', forwardedFor, trusting(setting))).toBe('10.0.0.1');
  });

  it.each([
    ['9.9.9.9:4711', '9.9.9.9'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['::ffff:9.9.9.9', '9.9.9.9'],
    ['fe80::1%eth0', 'fe80::1'],
  ])('is read from the entry %s as %s', (entry, address) => {
    expect(clientAddress('10.0.0.1', entry, trusting('1'))).toBe(address);
  });

  it('of an IPv4 connection to an IPv6 socket matches an IPv4 range', () => {
    expect(clientAddress('::ffff:10.0.0.1', '9.9.9.9', trusting('10.0.0.0/8'))).toBe('9.9.9.9');
  });

  it('is empty once the connection is gone', () => {
    expect(clientAddress(undefined, undefined, trusting('false'))).toBe('');
  });
});

it.each(['yes', '-1', '100', '1.5', 'proxy.example.com', '10.0.0.0/33', '10.0.0.1,', '::/129'])(
  'trusted proxies cannot be given as %s',
  (text) => {
    expect(parseTrustedProxies(text)).toBeUndefined();
  },
);

describe('the rate-limit key of an address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['1:2:3:4:5:6:192.0.2.7', '1:2:3:4::/64'],
    ['', ''],
  ])('%s is %s', (address, key) => {
    expect(rateLimitKey(address)).toBe(key);
  });

  it('differs between neighbouring /64 networks and not within one', () => {
    expect(rateLimitKey('2001:db8:0:1::1')).toBe(rateLimitKey('2001:db8:0:1:ffff::'));
    expect(rateLimitKey('2001:db8:0:1::1')).not.toBe(rateLimitKey('2001:db8:0:2::1'));
  });
});

describe('X-Forwarded-Proto', () => {
  it.each([
    ['of no trusted proxy', 'false', '10.0.0.1', 'https', false],
    ['of a trusted hop', '1', '10.0.0.1', 'https', true],
    ['of a trusted range', '10.0.0.0/8', '10.0.0.1', 'https', true],
    ['of an address outside of the range', '10.0.0.0/8', '11.0.0.1', 'https', false],
    ['that says http', '1', '10.0.0.1', 'http', false],
    ['whose last entry, the one of the proxy, says http', '1', '10.0.0.1', 'https, http', false],
    ['that is absent', '1', '10.0.0.1', undefined, false],
  ])('%s counts as it should', (_, setting, peer, proto, expected) => {
    expect(isForwardedTls(peer, proto, trusting(setting))).toBe(expected);
  });
});
