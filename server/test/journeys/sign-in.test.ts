import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answered, bearer } from '../support/call.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

interface Tokens {
  accessToken: string;
  refreshToken: string;
}

const signIn = async (): Promise<Tokens> => {
  const { adminEmail: email, adminPassword: password } = server;
  return (await server.call(operations.createToken, { body: { email, password } })).body;
};

const refresh = (refreshToken: string) =>
  server.call(operations.refreshToken, { body: { refreshToken } });

const me = async ({ accessToken }: Tokens) =>
  (await server.call(operations.retrieveMe, { auth: bearer(accessToken) })).status;

describe('a session', () => {
  it('returns who is signed in', async () => {
    const { accessToken } = await signIn();
    const { body } = await server.call(operations.retrieveMe, { auth: bearer(accessToken) });
    expect(body).toMatchObject({
      email: server.adminEmail,
      organizations: [{ id: server.organizationId, role: 'ADMINISTRATOR' }],
    });
  });

  it('goes on with each refresh', async () => {
    const first = await signIn();
    const second: Tokens = (await refresh(first.refreshToken)).body;
    const third: Tokens = (await refresh(second.refreshToken)).body;
    expect(await me(third)).toBe(200);
    expect(new Set([first, second, third].map((tokens) => tokens.refreshToken)).size).toBe(3);
  });

  it('ends for everyone when a used refresh token comes again', async () => {
    const first = await signIn();
    const second: Tokens = (await refresh(first.refreshToken)).body;
    const other = await signIn();
    expect((await refresh(first.refreshToken)).status).toBe(401);
    expect((await refresh(second.refreshToken)).status).toBe(401);
    expect(await me(second)).toBe(401);
    expect(await me(other)).toBe(200);
  });

  it('survives at most one of fifty refreshes with one token at once', async () => {
    const { refreshToken } = await signIn();
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(refreshToken)));
    const good = answers.filter(({ status }) => status === 200);
    expect(good).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(49);
    expect((await refresh(good[0]?.body.refreshToken)).status).toBe(401);
  });

  it('ends by revoking, at once and as often as one likes', async () => {
    const tokens = await signIn();
    for (let time = 0; time < 2; time += 1) {
      const { status } = await server.call(operations.revokeToken, {
        body: { refreshToken: tokens.refreshToken },
      });
      expect(status).toBe(204);
    }
    expect(await me(tokens)).toBe(401);
    expect((await refresh(tokens.refreshToken)).status).toBe(401);
  });

  it('needs a refresh after a quarter of an hour', async () => {
    const tokens = await signIn();
    server.clock.advance(15 * 60_000 - 10_000);
    expect(await me(tokens)).toBe(200);
    server.clock.advance(10_000);
    expect(await me(tokens)).toBe(401);
    expect((await refresh(tokens.refreshToken)).status).toBe(200);
  });
});

describe('an invitation', () => {
  it('lets a new member choose a password, once', async () => {
    const { body: invited } = await server.call(operations.createUser, {
      body: { email: 'New@Example.com', role: 'EDITOR' },
    });
    expect(invited.status).toBe('INVITED');
    const redeem = () =>
      server.call(operations.redeemInvitation, {
        body: { token: invited.invitationToken, password: 'a password of mine' },
      });
    const { status, body } = await redeem();
    expect([status, await me(body)]).toEqual([200, 200]);
    expect((await redeem()).status).toBe(401);
    expect(await server.signIn('new@example.COM', 'a password of mine')).toMatch(/^Bearer /);
  });
});

describe('sign-in', () => {
  it('answers a wrong password and an unknown email alike', async () => {
    const attempt = (email: string) =>
      server.call(operations.createToken, { body: { email, password: 'wrong password' } });
    const known = await attempt(server.adminEmail);
    const unknown = await attempt('nobody@example.com');
    expect([known.status, unknown.status]).toEqual([401, 401]);
    expect({ ...known.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' });
    expect(known.headers.get('www-authenticate')).toContain('Bearer');
  });

  it('is limited per account after ten failures, and frees itself', async () => {
    const attempt = (password: string) =>
      server.call(operations.createToken, { body: { email: 'limited@example.com', password } });
    await server.call(operations.createUser, {
      body: { email: 'limited@example.com', role: 'VIEWER', password: 'right password' },
    });
    const statuses = [];
    for (let time = 0; time < 11; time += 1)
      statuses.push((await attempt('wrong password')).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    const limited = await attempt('right password');
    expect([limited.status, limited.body.code]).toEqual([429, 'TOO_MANY_REQUESTS']);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    server.clock.advance(15 * 60_000);
    expect((await attempt('right password')).status).toBe(200);
  });
});

describe('a session whose refresh token is in a cookie', () => {
  const page = (cookie?: string) => ({
    origin: server.url,
    'sec-fetch-site': 'same-origin',
    ...(cookie === undefined ? {} : { cookie }),
  });
  const cookieOf = ({ headers }: Answered) => headers.get('set-cookie')?.split(';')[0] ?? '';
  const signInAt = (headers: Record<string, string>) => {
    const { adminEmail: email, adminPassword: password } = server;
    const body = { email, password, refreshTokenIn: 'COOKIE' };
    return server.call(operations.createToken, { headers, body });
  };
  const refreshAt = (headers: Record<string, string>) =>
    server.call(operations.refreshToken, { headers });

  it('begins without the token in the answer, and the cookie is kept from scripts', async () => {
    const answer = await signInAt(page());
    expect(answer.body).toMatchObject({ tokenType: 'Bearer', expiresIn: 900, refreshToken: '' });
    expect(answer.headers.get('set-cookie')).toMatch(
      /^fieldwatch-[0-9a-f]{8}=[\w-]{40,}; Path=\/auth\/v1; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const encrypted = await signInAt({ ...page(), origin: 'https://console.example' });
    expect(encrypted.headers.get('set-cookie')).toMatch(/; Secure$/);
  });

  it('goes on with each refresh, and ends with a revocation, which deletes the cookie', async () => {
    const first = cookieOf(await signInAt(page()));
    const refreshed = await refreshAt(page(first));
    const second = cookieOf(refreshed);
    expect([refreshed.status, refreshed.body.refreshToken]).toEqual([200, '']);
    expect(second).not.toBe(first);
    const ended = await server.call(operations.revokeToken, { headers: page(second) });
    expect([ended.status, ended.headers.get('set-cookie')]).toEqual([
      204,
      expect.stringContaining('Max-Age=0;'),
    ]);
    const over = await refreshAt(page(second));
    // A browser that read of Basic would ask for a password in a window of its own.
    expect([over.status, over.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="fieldwatch"',
    ]);
    expect(await me(refreshed.body)).toBe(401);
  });

  it('lasts when tabs refresh at once, and ends when a cookie comes again much later', async () => {
    const first = cookieOf(await signInAt(page()));
    const tabs = await Promise.all(Array.from({ length: 5 }, () => refreshAt(page(first))));
    expect(tabs.map(({ status }) => status)).toEqual(Array(5).fill(200));
    server.clock.advance(10_000);
    expect((await refreshAt(page(first))).status).toBe(401);
    expect(await me(tabs[0]?.body)).toBe(401);
  });

  it('is not for other sites, other origins or programs: their cookie is not read', async () => {
    const cookie = cookieOf(await signInAt(page()));
    for (const headers of [
      { cookie },
      { ...page(cookie), 'sec-fetch-site': 'cross-site' },
      { ...page(cookie), 'sec-fetch-site': 'same-site' },
      { cookie, origin: 'https://elsewhere.example' },
    ]) {
      expect((await refreshAt(headers)).status).toBe(400);
      expect((await server.call(operations.revokeToken, { headers })).status).toBe(400);
      const { cookie: _, ...without } = headers;
      const refused = await signInAt(without);
      expect([refused.status, refused.headers.get('set-cookie')]).toEqual([400, null]);
    }
    expect((await refreshAt(page(cookie))).status).toBe(200);
  });

  it('ends when its token comes in a body after it was used', async () => {
    const cookie = cookieOf(await signInAt(page()));
    const { body } = await refreshAt(page(cookie));
    expect((await refresh(cookie.split('=')[1] ?? '')).status).toBe(401);
    expect(await me(body)).toBe(401);
  });
});
