import { createHmac, generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { createIds, createKeyring } from '../../runtime/index.ts';
import { createAccessTokens } from './access-token.ts';

const keyring = createKeyring(Buffer.alloc(32, 1));
const bearer = { userId: 'a-user', sessionId: 'a-session' };

function setUp() {
  let now = 1_700_000_000_000;
  const clock = { now: () => now, elapsed: () => now };
  const tokens = createAccessTokens(keyring, clock, createIds(clock));
  return {
    tokens,
    now: () => now,
    advance: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('an access token', () => {
  it('identifies its user until it expires', async () => {
    const { tokens, now, advance } = setUp();
    const token = await tokens.issue(bearer, now() + 60_000);
    expect(await tokens.read(token)).toEqual(bearer);
    advance(60_000);
    expect(await tokens.read(token)).toBeNull();
  });

  it('that was read before ends on time all the same', async () => {
    const { tokens, now, advance } = setUp();
    const token = await tokens.issue(bearer, now() + 60_000);
    advance(59_999);
    for (let time = 0; time < 3; time += 1) expect(await tokens.read(token)).toEqual(bearer);
    advance(1);
    for (let time = 0; time < 3; time += 1) expect(await tokens.read(token)).toBeNull();
  });

  it('carries subject, audience and times, and nothing else', async () => {
    const { tokens, now } = setUp();
    const [header = '', payload = ''] = (await tokens.issue(bearer, now() + 60_000)).split('.');
    const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
    expect(read(header)).toEqual({ alg: 'HS256', typ: 'at+jwt' });
    expect(read(payload)).toEqual({
      iss: 'fieldwatch',
      aud: 'fieldwatch',
      sub: 'a-user',
      sid: 'a-session',
      jti: expect.any(String),
      iat: now() / 1000,
      exp: now() / 1000 + 60,
    });
  });

  it('of another installation is nothing', async () => {
    const { tokens, now } = setUp();
    const clock = { now, elapsed: now };
    const other = createAccessTokens(createKeyring(Buffer.alloc(32, 2)), clock, createIds(clock));
    expect(await tokens.read(await other.issue(bearer, now() + 60_000))).toBeNull();
  });

  it('that was changed, or is signed by nothing or in another way, is nothing', async () => {
    const { tokens, now } = setUp();
    const token = await tokens.issue(bearer, now() + 60_000);
    const [header = '', payload = '', signature = ''] = token.split('.');
    const forged = payload.replace(/^./, (first) => (first === 'e' ? 'f' : 'e'));
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const key = keyring.derive('access-token');
    const strange = encode({ alg: 'HS512', typ: 'at+jwt' });
    const long = createHmac('sha512', key).update(`${strange}.${payload}`).digest('base64url');
    const candidates = [
      `${header}.${forged}.${signature}`,
      `${header}.${payload}.`,
      `${encode({ alg: 'none', typ: 'at+jwt' })}.${payload}.`,
      `${strange}.${payload}.${long}`,
      await new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt' })
        .sign(privateKey),
      await new SignJWT({ ...claims, aud: 'others' })
        .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
        .sign(key),
      await new SignJWT({ ...claims, exp: undefined })
        .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
        .sign(key),
      await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(key),
      'not.a.token',
      '',
    ];
    for (const candidate of candidates) expect(await tokens.read(candidate)).toBeNull();
    expect(await tokens.read(token)).toEqual(bearer);
  });
});
