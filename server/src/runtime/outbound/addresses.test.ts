import { describe, expect, it } from 'vitest';
import { isPublicAddress } from './addresses.ts';
import { isAllowanceText, parseAllowed } from './allowed.ts';

describe('an address', () => {
  it.each([
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '168.63.129.15',
    '168.63.129.17',
    '2606:4700:4700::1111',
    '2a00:1450:4001:80b::200e',
    '2001:200::1',
    '2003::1',
  ])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    '0.0.0.0',
    '10.0.0.0',
    '10.255.255.255',
    '100.64.0.0',
    '100.100.100.200',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.255',
    '168.63.129.16',
    '169.254.169.254',
    '172.16.0.0',
    '172.31.255.255',
    '192.0.0.192',
    '192.168.0.1',
    '198.18.0.0',
    '198.19.255.255',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:0:4136:e378:8000:63bf:80ff:fffe',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%lo',
    'fec0::1',
    'ff02::1',
    'localhost',
    '0177.0.0.1',
    '',
  ])('%j is not', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('what the operator allows', () => {
  const allowed = parseAllowed(' 10.1.0.0/16, ::1 ,127.0.0.2,Hooks.Internal., fd00::/8');

  it.each([
    ['10.1.0.0', true],
    ['10.1.255.255', true],
    ['10.0.255.255', false],
    ['10.2.0.0', false],
    ['127.0.0.1', false],
    ['127.0.0.2', true],
    ['127.0.0.3', false],
    ['::1', true],
    ['::2', false],
    ['::ffff:10.1.0.1', false],
    ['::ffff:a01:1', false],
    ['fd12::1', true],
    ['fe80::1%lo', false],
    ['1.1.1.1', true],
    ['nonsense', false],
  ])('lets %s through: %s', (address, expected) => {
    expect(allowed.address(address)).toBe(expected);
  });

  it('knows names in any case, with the dot of the root or without', () => {
    expect(allowed.host('hooks.internal')).toBe(true);
    expect(allowed.host('HOOKS.internal.')).toBe(true);
    expect(allowed.host('x.hooks.internal')).toBe(false);
    expect(parseAllowed('').host('')).toBe(false);
  });

  it.each([
    ['', true],
    ['10.0.0.0/8,fd00::/8,::1,hooks.internal,a_b', true],
    ['10.0.0.0/32', true],
    ['10.0.0.0/33', false],
    ['::/128', true],
    ['::/129', false],
    ['10.0.0.0/', false],
    ['10.0.0.0/8/8', false],
    ['10.0.0', false],
    ['0x7f000001', false],
    ['http://host', false],
    ['host:80', false],
    ['*.internal', false],
    ['fe80::1%lo', false],
  ])('is read from %j: %s', (text, expected) => {
    expect(isAllowanceText(text)).toBe(expected);
  });
});
