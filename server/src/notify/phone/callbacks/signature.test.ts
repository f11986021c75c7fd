import { describe, expect, it } from 'vitest';
import { isSignedByTwilio } from './signature.ts';

/** The example in the documentation of Twilio. */
const url = 'https://mycompany.com/myapp.php?foo=1&bar=2';
const form = [
  ['To', '+18005551212'],
  ['Digits', '1234'],
  ['CallSid', 'CA1234567890ABCDE'],
  ['From', '+14158675309'],
  ['Caller', '+14158675309'],
] as const;
const signature = 'RSOYDt4T1cUTdK1PDd93/VVr8B8=';

describe('the signature of Twilio', () => {
  it('is right for its own example, in any order of fields and with a port', () => {
    expect(isSignedByTwilio('12345', { url, form }, signature)).toBe(true);
    expect(isSignedByTwilio('12345', { url, form: [...form].reverse() }, signature)).toBe(true);
    const withPort = url.replace('.com/', '.com:8443/');
    expect(isSignedByTwilio('12345', { url: withPort, form }, signature)).toBe(true);
  });

  it.each([
    ['another token', '12346', { url, form }, signature],
    ['an empty token', '', { url, form }, signature],
    ['another address', '12345', { url: `${url}3`, form }, signature],
    ['another field', '12345', { url, form: form.slice(1) }, signature],
    ['no signature', '12345', { url, form }, undefined],
    ['an empty signature', '12345', { url, form }, ''],
  ] as const)('is wrong with %s', (_, token, request, given) => {
    expect(isSignedByTwilio(token, request, given)).toBe(false);
  });
});
