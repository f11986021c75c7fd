import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer } from '../support/call.ts';
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
  it('tells who is signed in', async () => {
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
