import { describe, expect, it } from 'vitest';
import { browserOf, setCookieText } from './browser.ts';

const cookie = 'other=1; session=secret; session2=no';
const own = { host: 'console.example:8080', origin: 'http://console.example:8080', cookie };

describe('a request of a page of this server', () => {
  it.each([
    ['its origin is the address that was called', own],
    ['the browser says so', { ...own, host: 'rewritten', 'sec-fetch-site': 'same-origin' }],
  ])('is known when %s, and its cookie is read', (_, headers) => {
    const browser = browserOf(headers);
    expect([browser.isOwnPage, browser.cookie('session')]).toEqual([true, 'secret']);
    expect(browser.cookie('absent')).toBeNull();
  });

  it('is encrypted when its page is', () => {
    expect(browserOf(own).isEncrypted).toBe(false);
    const origin = 'https://console.example';
    expect(browserOf({ ...own, origin, 'sec-fetch-site': 'same-origin' }).isEncrypted).toBe(true);
    expect(browserOf({ ...own, origin, 'sec-fetch-site': 'same-site' }).isEncrypted).toBe(false);
  });
});

describe('any other request', () => {
  it.each([
    ['another site', { ...own, 'sec-fetch-site': 'cross-site' }],
    ['another origin of the same site', { ...own, 'sec-fetch-site': 'same-site' }],
    ['an address that was typed', { ...own, 'sec-fetch-site': 'none' }],
    ['another port of this host', { ...own, origin: 'http://console.example:9090' }],
    ['a page without an origin', { ...own, origin: 'null' }],
    ['a program', { host: own.host, cookie }],
  ])('from %s has no cookie', (_, headers) => {
    const browser = browserOf(headers);
    expect([browser.isOwnPage, browser.cookie('session')]).toEqual([false, null]);
  });
});

it('a cookie is hidden from scripts, from other sites, and from unencrypted connections', () => {
  const session = { name: 'session', value: 'secret', maxAgeSeconds: 60, path: '/auth/v1' };
  const text = 'session=secret; Path=/auth/v1; Max-Age=60; HttpOnly; SameSite=Strict';
  expect(setCookieText({ ...session, isEncrypted: false })).toBe(text);
  expect(setCookieText({ ...session, isEncrypted: true })).toBe(`${text}; Secure`);
});
