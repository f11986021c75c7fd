import {
  KEY_PERMISSIONS,
  type KeyPermission,
  type OperationId,
  operations,
  PERMISSIONS,
  ROLE_PERMISSIONS,
  type Role,
} from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answered, basic, call } from '../support/call.ts';
import { dashboardCalls } from '../support/dashboards.ts';
import { OPERATION_ACCESS } from '../support/operation-access.ts';
import { startNeighbour, startServer, type TestServer } from '../support/server.ts';

const UNKNOWN = '018f0000-0000-7000-8000-00000000dead';
const GRANTED = 'granted';

/** How an answer looks to someone who only asks whether they were let in. */
function verdict({ status, body }: Answered): string {
  return status === 401 || status === 403 ? (body.code as string) : GRANTED;
}

const users = {} as Record<Role, string>;
const keyWithOnly = new Map<KeyPermission, string>();
const keyWithout = new Map<KeyPermission, string>();
let server: TestServer;
let neighbour: TestServer;
let expired: string;
let revoked: string;
let shareLink: string;

beforeAll(async () => {
  server = await startServer();
  neighbour = await startNeighbour(server);
  for (const permission of KEY_PERMISSIONS) {
    keyWithOnly.set(permission, await server.newKey([permission]));
    const others = KEY_PERMISSIONS.filter((each) => each !== permission);
    keyWithout.set(permission, await server.newKey(others));
  }
  for (const role of ['VIEWER', 'EDITOR', 'ADMINISTRATOR'] as const) {
    users[role] = await server.newUser(role);
  }
  const soon = new Date(server.clock.now() + 1_000).toISOString();
  expired = await server.newKey(KEY_PERMISSIONS, soon);
  server.clock.advance(1_001);
  const { body } = await server.call(operations.createApiKey, {
    body: { name: 'Revoked', permissions: KEY_PERMISSIONS },
  });
  await server.call(operations.deleteApiKey, { params: { apiKeyId: body.id } });
  revoked = basic(body.id, body.secret);
  shareLink = await newShareLink();
});

async function newShareLink(): Promise<string> {
  const { made, publish, on } = dashboardCalls(server);
  const { id } = await made();
  await publish(id);
  const { body } = await on(operations.createShareLink, id, { body: { name: 'Wall' } });
  return `Bearer ${body.secret}`;
}

afterAll(async () => {
  await neighbour.stop();
  await server.stop();
});

describe.each(Object.keys(OPERATION_ACCESS) as OperationId[])('%s', (id) => {
  const operation = operations[id];
  const row = OPERATION_ACCESS[id];
  const params = Object.fromEntries(
    [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name as string, UNKNOWN]),
  );
  const scoped = 'organizationId' in params;

  /** The bare request: enough to be let in or not, never enough to change anything. */
  const attempt = async (auth: string | undefined, organizationId = server.organizationId) =>
    verdict(await call(server.url, operation, { auth, params: { ...params, organizationId } }));

  const open = row === 'anyone';
  const needed = (PERMISSIONS as readonly string[]).includes(row) ? (row as KeyPermission) : null;
  const neededOfRole = PERMISSIONS.find((permission) => row.split(' ').includes(permission));
  const isForShareLinks = row === 'share';
  const forUsers = isForShareLinks ? 'UNAUTHENTICATED' : GRANTED;
  const forKeys = row.startsWith('user') ? 'USER_REQUIRED' : forUsers;

  it('says of itself who may call it', () => {
    const { access } = operation;
    const kind = access.kind === 'permission' ? [] : [access.kind];
    const permission = 'permission' in access ? (access.permission ?? []) : [];
    expect([kind, permission].flat().join(' ')).toBe(row);
  });

  it.each([
    ['no credentials', () => undefined],
    ['a scheme that is unknown', () => 'Digest abc'],
    ['Basic that is not base64', () => 'Basic !!!'],
    ['Basic without a colon', () => `Basic ${Buffer.from('nocolon').toString('base64')}`],
    ['a Bearer token that is none', () => 'Bearer abc.def.ghi'],
    ['a wrong secret', () => basic(UNKNOWN, 'wrong')],
    ['a known key with a wrong secret', () => `${server.key.slice(0, -4)}eA==`],
    ['an expired key', () => expired],
    ['a revoked key', () => revoked],
  ])('lets %s in only if it is open to anyone', async (_, auth) => {
    expect(await attempt(auth())).toBe(open ? GRANTED : 'UNAUTHENTICATED');
  });

  it('lets a key with only its permission in', async () => {
    const auth = needed ? keyWithOnly.get(needed) : await server.newKey([]);
    expect(await attempt(auth)).toBe(forKeys);
  });

  it('keeps a key out that has every permission but this', async () => {
    const auth = needed ? keyWithout.get(needed) : server.key;
    expect(await attempt(auth)).toBe(needed ? 'PERMISSION_MISSING' : forKeys);
  });

  it.each(['VIEWER', 'EDITOR', 'ADMINISTRATOR'] as const)(
    'lets a %s in as far as the role goes',
    async (role) => {
      const allowed = neededOfRole === undefined || ROLE_PERMISSIONS[role].includes(neededOfRole);
      expect(await attempt(users[role])).toBe(allowed ? forUsers : 'PERMISSION_MISSING');
    },
  );

  it('lets a share link in only if it is for share links', async () => {
    expect(await attempt(shareLink)).toBe(open || isForShareLinks ? GRANTED : 'UNAUTHENTICATED');
  });

  it("keeps another organization's credentials out", async () => {
    const outside = open ? GRANTED : scoped ? 'ORGANIZATION_FORBIDDEN' : forKeys;
    expect(await attempt(neighbour.key)).toBe(outside);
  });

  it.each([UNKNOWN, 'not-a-uuid', 'x'.repeat(300)])(
    'answers the organization %s as one that is not theirs',
    async (organizationId) => {
      const outside = open ? GRANTED : scoped ? 'ORGANIZATION_FORBIDDEN' : forKeys;
      expect(await attempt(server.key, organizationId)).toBe(outside);
    },
  );
});
