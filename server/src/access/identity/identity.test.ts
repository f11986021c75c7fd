import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { KEY_PERMISSIONS, operations, ROLE_PERMISSIONS } from '@fieldwatch/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type AccessRig,
  basicAuth,
  bearerAuth,
  callerOf,
  codeOf,
  createAccessRig,
  createOrganization,
  failureOf,
  PASSWORD,
} from '../../../test/support/access.ts';
import { createTestDatabase } from '../../../test/support/postgres.ts';

const ADDRESS = '192.0.2.1';

let rig: AccessRig;
let organization: Awaited<ReturnType<typeof createOrganization>>;
const others: (() => Promise<void>)[] = [];

beforeAll(async () => {
  rig = await createAccessRig();
  organization = await createOrganization(rig);
});
afterEach(async () => {
  for (const stop of others.splice(0).reverse()) await stop();
});
afterAll(() => rig.stop());

async function anotherRig(options: Parameters<typeof createAccessRig>[0]): Promise<AccessRig> {
  const other = await createAccessRig(options);
  others.push(other.stop);
  return other;
}

const authenticate = (auth: string, address = ADDRESS, on = rig) =>
  on.access.authenticate(auth, address);
const params = () => ({ organizationId: organization.organizationId });
const newKey = async (expiresDateTime: string | null = null) => {
  const { id, secret } = await rig.call(operations.createApiKey, {
    auth: organization.key,
    params: params(),
    body: { name: 'A key', permissions: ['ReadAssets'], expiresDateTime },
  });
  return { id, secret, auth: basicAuth(id, secret) };
};
const revoke = (apiKeyId: string) =>
  rig.call(operations.deleteApiKey, {
    auth: organization.key,
    params: { ...params(), apiKeyId },
  });

describe('an API key', () => {
  it('acts in its own organization with its own permissions', async () => {
    const { id, auth } = await newKey();
    const caller = await authenticate(auth);
    expect(caller).toMatchObject({ kind: 'API_KEY', id, name: 'A key', sessionId: null });
    expect(caller.permissionsIn(organization.organizationId)).toEqual(new Set(['ReadAssets']));
    expect(caller.permissionsIn(rig.newId())).toBeUndefined();
  });

  it('does not work with another secret or id', async () => {
    const { id, secret } = await newKey();
    for (const auth of [
      basicAuth(id, `${secret}x`),
      basicAuth(id, secret.slice(1)),
      basicAuth(`${id}x`, secret),
      basicAuth('\0', secret),
      basicAuth('x'.repeat(5_000), secret),
      basicAuth("' or 1=1 --", secret),
    ]) {
      expect(await codeOf(authenticate(auth))).toBe('UNAUTHENTICATED');
    }
  });

  it('stops at once when it is revoked, also while it is in use', async () => {
    const { id, auth } = await newKey();
    await authenticate(auth);
    const using = Array.from({ length: 20 }, () => authenticate(auth).catch(() => undefined));
    await revoke(id);
    expect(await codeOf(authenticate(auth))).toBe('UNAUTHENTICATED');
    await Promise.all(using);
    expect(await codeOf(authenticate(auth))).toBe('UNAUTHENTICATED');
  });

  it('that another process revoked stops within a second', async () => {
    const other = await anotherRig({ databaseUrl: rig.databaseUrl });
    const { id, auth } = await newKey();
    await authenticate(auth, ADDRESS, other);
    await revoke(id);
    other.clock.advance(1_000);
    expect(await codeOf(authenticate(auth, ADDRESS, other))).toBe('UNAUTHENTICATED');
  });

  it('has its new permissions at once when it is edited', async () => {
    const { id, auth } = await newKey();
    await authenticate(auth);
    await rig.call(operations.updateApiKey, {
      auth: organization.key,
      params: { ...params(), apiKeyId: id },
      body: { permissions: ['CreateAsset'] },
    });
    const caller = await authenticate(auth);
    expect(caller.permissionsIn(organization.organizationId)).toEqual(new Set(['CreateAsset']));
  });

  it('stops at the millisecond at which it expires', async () => {
    const expiresAt = rig.clock.now() + 3_600_000;
    const { id, auth } = await newKey(new Date(expiresAt).toISOString());
    rig.clock.advance(expiresAt - rig.clock.now() - 2_000);
    expect(await callerOf(rig, auth, organization.organizationId)).toEqual({
      kind: 'API_KEY',
      id,
      permissions: ['ReadAssets'],
    });
    rig.clock.advance(expiresAt - rig.clock.now());
    const failure = await failureOf(authenticate(auth));
    expect(failure.code).toBe('UNAUTHENTICATED');
    expect(failure.message).toBe('The API key has expired.');
  });

  it('shows when it was last used, to within a minute', async () => {
    const { id, auth } = await newKey();
    const lastUsed = async () => {
      const { lastUsedDateTime } = await rig.call(operations.retrieveApiKey, {
        auth: organization.key,
        params: { ...params(), apiKeyId: id },
      });
      return lastUsedDateTime;
    };
    expect(await lastUsed()).toBeNull();
    await authenticate(auth);
    await expect.poll(lastUsed, { timeout: 10_000 }).not.toBeNull();
    const first = await lastUsed();
    rig.clock.advance(30_000);
    await authenticate(auth);
    rig.clock.advance(31_000);
    await authenticate(auth);
    await expect.poll(lastUsed, { timeout: 10_000 }).not.toBe(first);
    const apart = Date.parse((await lastUsed()) ?? '') - Date.parse(first ?? '');
    expect(apart).toBeGreaterThanOrEqual(60_000);
  });
});

describe('a signed-in user', () => {
  const signedIn = async (role: 'ADMINISTRATOR' | 'EDITOR' | 'VIEWER') => {
    const email = `${rig.newId()}@example.com`;
    const { id } = await rig.call(operations.createUser, {
      auth: organization.key,
      params: params(),
      body: { email, role, password: PASSWORD },
    });
    const tokens = await rig.call(operations.createToken, { body: { email, password: PASSWORD } });
    return { id, email, auth: bearerAuth(tokens.accessToken) };
  };

  it('has the permissions of the role, and a lowered role acts at once', async () => {
    const { id, email, auth } = await signedIn('EDITOR');
    const caller = await authenticate(auth);
    expect(caller).toMatchObject({ kind: 'USER', id, name: email });
    expect(caller.permissionsIn(organization.organizationId)?.has('CreateDevice')).toBe(true);
    expect(caller.permissionsIn(organization.organizationId)?.has('ManageUsers')).toBe(false);
    await rig.call(operations.updateUser, {
      auth: organization.key,
      params: { ...params(), userId: id },
      body: { role: 'VIEWER' },
    });
    const lowered = await authenticate(auth);
    expect(lowered.permissionsIn(organization.organizationId)?.has('CreateDevice')).toBe(false);
    expect(lowered.permissionsIn(organization.organizationId)?.has('ReadAssets')).toBe(true);
  });

  it('is refused at once when deleted', async () => {
    const { id, auth } = await signedIn('VIEWER');
    await authenticate(auth);
    await rig.call(operations.deleteUser, {
      auth: organization.key,
      params: { ...params(), userId: id },
    });
    expect(await codeOf(authenticate(auth))).toBe('UNAUTHENTICATED');
  });
});

describe('while storage is away', () => {
  it('good credentials are answered with that, never as wrong ones, and work again after', async () => {
    const database = await createTestDatabase();
    others.push(database.drop);
    const line = await createLine(database.url);
    others.push(line.cut);
    const other = await anotherRig({ databaseUrl: line.url });
    const made = await createOrganization(other);
    const { accessToken } = await other.call(operations.createToken, {
      body: { email: made.adminEmail, password: PASSWORD },
    });
    await line.cut();
    other.clock.advance(1_000);
    for (const auth of [made.key, bearerAuth(accessToken)]) {
      expect(await codeOf(authenticate(auth, ADDRESS, other))).toBe('STORAGE_UNAVAILABLE');
    }
    await line.mend();
    expect(await callerOf(other, made.key, made.organizationId)).toEqual({
      kind: 'API_KEY',
      id: made.apiKeyId,
      permissions: [...KEY_PERMISSIONS].sort(),
    });
    const user = await authenticate(bearerAuth(accessToken), ADDRESS, other);
    expect(user).toMatchObject({ kind: 'USER', name: made.adminEmail });
    expect(user.permissionsIn(made.organizationId)).toEqual(
      new Set(ROLE_PERMISSIONS.ADMINISTRATOR),
    );
  });
});

/** A line to the database that can be cut. */
async function createLine(databaseUrl: string) {
  const url = new URL(databaseUrl);
  const host = url.searchParams.get('host') ?? '';
  const port = Number(url.searchParams.get('port'));
  const sockets = new Set<Socket>();
  const joined = (near: Socket) => {
    const far = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  };
  let server: Server = createServer(joined);
  const listen = (wanted: number) =>
    new Promise<void>((resolve) => server.listen(wanted, '127.0.0.1', resolve));
  await listen(0);
  const { port: nearPort } = server.address() as AddressInfo;
  url.searchParams.set('host', '127.0.0.1');
  url.searchParams.set('port', String(nearPort));
  return {
    url: url.href,
    async cut() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
    async mend() {
      server = createServer(joined);
      await listen(nearPort);
    },
  };
}
