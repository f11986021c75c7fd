import { WEBHOOK_URL_RULE } from '@fieldwatch/contract';
import { describe, expect, it } from 'vitest';
import { urlErrors } from './url.ts';

describe('the URL of a webhook', () => {
  it.each([
    'http://example.com',
    'https://example.com/a/b?c=d#e',
    'HTTPS://EXAMPLE.com:8443/',
    'http://[::1]:8080/hook',
    'https://müller.example/über',
    'https://example.com/@user',
  ])('may be %s', (url) => {
    expect(urlErrors(url)).toEqual([]);
  });

  it('may be left out of a change', () => {
    expect(urlErrors(undefined)).toEqual([]);
  });

  it.each([
    '',
    'example.com',
    'ftp://example.com',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://',
    'http://user@example.com',
    'http://user:password@example.com',
    'http://:password@example.com',
    'http://example.com:99999',
    'http://[::1',
    'http://a b.example',
    'http://999.999.999.999',
    'http://xn--a.example%/',
  ])('may not be %j', (url) => {
    expect(urlErrors(url)).toEqual([{ path: 'url', message: WEBHOOK_URL_RULE }]);
  });
});
