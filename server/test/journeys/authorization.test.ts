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
import { someOf } from '../support/soak.ts';

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
let withNone: string;
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
  withNone = await server.newKey([]);
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

/** The part of the refused credentials and foreign organizations that one operation is tried with. */
const PART = 1 / 3;

/** The credentials that no operation accepts but those that are open to anyone. */
const REFUSED: readonly (readonly [name: string, auth: () => string | undefined])[] = [
  ['a scheme that is unknown', () => 'Digest abc'],
  ['Basic that is not base64', () => 'Basic !!!'],
  ['Basic without a colon', () => `Basic ${Buffer.from('nocolon').toString('base64')}`],
  ['a Bearer token that is none', () => 'Bearer abc.def.ghi'],
  ['a wrong secret', () => basic(UNKNOWN, 'wrong')],
  ['a known key with a wrong secret', () => `${server.key.slice(0, -4)}eA==`],
  ['an expired key', () => expired],
  ['a revoked key', () => revoked],
];
const ROLES = ['VIEWER', 'EDITOR', 'ADMINISTRATOR'] as const;
const FOREIGN_ORGANIZATIONS = [UNKNOWN, 'not-a-uuid', 'x'.repeat(300)];

/** A caller, the expected verdict, the `Authorization` header, and another organization if any. */
type Attempt = readonly [
  caller: string,
  expected: string,
  auth: string | undefined,
  organizationId?: string,
];

/** The callers of an operation. One test tries them all: a test each would be thousands of tests. */
function attemptsOn(id: OperationId): readonly Attempt[] {
  const row = OPERATION_ACCESS[id];
  const open = row === 'anyone';
  const needed = (PERMISSIONS as readonly string[]).includes(row) ? (row as KeyPermission) : null;
  const neededOfRole = PERMISSIONS.find((permission) => row.split(' ').includes(permission));
  const isForShareLinks = row === 'share';
  const forUsers = isForShareLinks ? 'UNAUTHENTICATED' : GRANTED;
  const forKeys = row.startsWith('user') ? 'USER_REQUIRED' : forUsers;
  const forStrangers = open ? GRANTED : 'UNAUTHENTICATED';
  const scoped = operations[id].path.includes('{organizationId}');
  const outside = open ? GRANTED : scoped ? 'ORGANIZATION_FORBIDDEN' : forKeys;
  const forRole = (role: Role) =>
    neededOfRole === undefined || ROLE_PERMISSIONS[role].includes(neededOfRole)
      ? forUsers
      : 'PERMISSION_MISSING';
  return [
    ['no credentials', forStrangers, undefined],
    ...someOf(REFUSED, PART).map(([name, auth]) => [name, forStrangers, auth()] as const),
    ['a key with only its permission', forKeys, needed ? keyWithOnly.get(needed) : withNone],
    [
      'a key with every permission but this',
      needed ? 'PERMISSION_MISSING' : forKeys,
      needed ? keyWithout.get(needed) : server.key,
    ],
    ...ROLES.map((role) => [`the role ${role}`, forRole(role), users[role]] as const),
    ['a share link', isForShareLinks ? GRANTED : forStrangers, shareLink],
    ["another organization's key", outside, neighbour.key],
    ...someOf(FOREIGN_ORGANIZATIONS, PART).map(
      (organizationId) =>
        [`a key in organization ${organizationId}`, outside, server.key, organizationId] as const,
    ),
  ];
}

/** The bare request: enough to be let in or not, never enough to change anything. */
async function attempt(id: OperationId, [, , auth, organizationId]: Attempt): Promise<string> {
  const operation = operations[id];
  const params = Object.fromEntries(
    [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name as string, UNKNOWN]),
  );
  const own = { ...params, organizationId: organizationId ?? server.organizationId };
  return verdict(await call(server.url, operation, { auth, params: own }));
}

describe.each(Object.keys(OPERATION_ACCESS) as OperationId[])('%s', (id) => {
  it('says of itself who may call it', () => {
    const { access } = operations[id];
    const kind = access.kind === 'permission' ? [] : [access.kind];
    const permission = 'permission' in access ? (access.permission ?? []) : [];
    expect([kind, permission].flat().join(' ')).toBe(OPERATION_ACCESS[id]);
  });

  it('lets exactly those in whose credentials, permissions, role and organization allow it', async () => {
    const attempts = attemptsOn(id);
    const verdicts = await Promise.all(
      attempts.map(async (each) => [each[0], await attempt(id, each)]),
    );
    expect(verdicts).toEqual(attempts.map(([caller, expected]) => [caller, expected]));
  });
});
