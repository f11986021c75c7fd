import { describe, expect, it } from 'vitest';
import { emailClaim } from './claims.ts';
import { keysUrl } from './discovery.ts';
import { bearerOf } from './issuer.ts';
import { isSafeUrl } from './limited-fetch.ts';

describe('what the issuer publishes', () => {
  it('is fetched over https, or over http from this machine alone', () => {
    expect(isSafeUrl('https://issuer.example/keys')).toBe(true);
    expect(isSafeUrl('http://127.0.0.1:8081/keys')).toBe(true);
    expect(isSafeUrl('http://[::1]/keys')).toBe(true);
    expect(isSafeUrl('http://localhost/keys')).toBe(true);
    expect(isSafeUrl('http://issuer.example/keys')).toBe(false);
    expect(isSafeUrl('http://127.0.0.1.issuer.example/keys')).toBe(false);
    expect(isSafeUrl('file:///etc/passwd')).toBe(false);
    expect(isSafeUrl('keys')).toBe(false);
  });

  it('must name the issuer itself, and keys at a safe address', () => {
    const named = { issuer: 'https://a.example', jwks_uri: 'https://a.example/keys' };
    expect(keysUrl(named, 'https://a.example')).toBe('https://a.example/keys');
    expect(() => keysUrl(named, 'https://b.example')).toThrow('another issuer');
    const open = { ...named, jwks_uri: 'http://a.example/keys' };
    expect(() => keysUrl(open, 'https://a.example')).toThrow('jwks_uri');
    for (const document of [null, 'text', [], {}]) {
      expect(() => keysUrl(document, 'https://a.example')).toThrow();
    }
  });
});

describe('the claims of a token', () => {
  it('date a sign-in in the past, whatever iat says', () => {
    const settings = { issuer: 'https://a.example', trustsEmail: false };
    const claims = { sub: 'someone' };
    const identity = { issuer: settings.issuer, subject: 'someone', email: null };
    expect(bearerOf({ ...claims, iat: 1 }, settings, 5_000)).toEqual({
      ...identity,
      signedInAt: 1_000,
    });
    expect(bearerOf({ ...claims, iat: 9 }, settings, 5_000)?.signedInAt).toBe(5_000);
    expect(bearerOf(claims, settings, 5_000)?.signedInAt).toBe(5_000);
  });

  it('name an email of at most 254 characters', () => {
    const claim = (length: number) =>
      emailClaim({ email: 'x'.repeat(length), email_verified: true }, false).kind;
    expect([253, 254, 255].map(claim)).toEqual(['VERIFIED', 'VERIFIED', 'UNVERIFIED']);
  });
});
