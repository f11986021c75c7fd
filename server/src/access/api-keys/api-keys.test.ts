import { KEY_PERMISSIONS, type KeyPermission, operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type AccessRig,
  basicAuth,
  callerOf,
  codeOf,
  createAccessRig,
  createOrganization,
  failureOf,
} from '../../../test/support/access.ts';

let rig: AccessRig;
let organizationId: string;
let key: string;
let apiKeyId: string;
let count = 0;

beforeAll(async () => {
  rig = await createAccessRig();
});
afterAll(() => rig.stop());
beforeEach(async () => {
  count += 1;
  ({ organizationId, key, apiKeyId } = await createOrganization(rig, `admin-${count}@example.com`));
});

interface KeyBody {
  name?: string;
  permissions?: KeyPermission[];
  expiresDateTime?: string | null;
}

const create = (body: KeyBody = {}, auth = key) =>
  rig.call(operations.createApiKey, {
    auth,
    params: { organizationId },
    body: { name: 'A key', permissions: ['ReadAssets'], ...body },
  });
const update = (id: string, body: KeyBody, auth = key) =>
  rig.answer(operations.updateApiKey, { auth, params: { organizationId, apiKeyId: id }, body });
const retrieve = (id: string) =>
  rig.call(operations.retrieveApiKey, { auth: key, params: { organizationId, apiKeyId: id } });
const list = (query: object = {}) =>
  rig.call(operations.listApiKeys, { auth: key, params: { organizationId }, query });

describe('a new API key', () => {
  it('shows its secret once and never again', async () => {
    const { secret, ...record } = await create();
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(record).toEqual({
      id: record.id,
      name: 'A key',
      permissions: ['ReadAssets'],
      expiresDateTime: null,
      createdDateTime: record.createdDateTime,
      lastUsedDateTime: null,
      createdBy: { kind: 'API_KEY', id: expect.any(String), name: 'First key' },
    });
    expect(await retrieve(record.id)).toEqual(record);
    expect(JSON.stringify(await list())).not.toContain(secret);
    const rows = await rig.storage.query('select * from api_keys where id = $1', [record.id]);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it('answers its expiry in UTC with milliseconds', async () => {
    const { expiresDateTime } = await create({ expiresDateTime: '2199-01-01T02:00:00+02:00' });
    expect(expiresDateTime).toBe('2199-01-01T00:00:00.000Z');
  });

  it('that would have expired already is refused on the field', async () => {
    const failure = await failureOf(create({ expiresDateTime: '2020-01-01T00:00:00Z' }));
    expect(failure.errors).toMatchObject([{ path: 'expiresDateTime' }]);
  });

  it('holds no more than who makes it', async () => {
    const { id, secret } = await create({ permissions: ['ManageApiKeys', 'ReadAssets'] });
    const lesser = basicAuth(id, secret);
    const made = await create({ permissions: ['ReadAssets'] }, lesser);
    expect(await callerOf(rig, basicAuth(made.id, made.secret), organizationId)).toEqual({
      kind: 'API_KEY',
      id: made.id,
      permissions: ['ReadAssets'],
    });
    const failure = await failureOf(
      create({ permissions: ['ReadAssets', 'CreateAsset', 'DeleteAsset'] }, lesser),
    );
    expect(failure.code).toBe('PERMISSION_MISSING');
    expect(failure.message).toMatch(/: CreateAsset, DeleteAsset\.$/);
  });
});

describe('an edit of an API key', () => {
  it('changes what it names and raises the revision', async () => {
    const { id } = await create({ expiresDateTime: '2199-01-01T00:00:00Z' });
    expect(await update(id, { name: 'Renamed', expiresDateTime: null })).toMatchObject({
      revision: 2,
      body: { name: 'Renamed', permissions: ['ReadAssets'], expiresDateTime: null },
    });
  });

  it('that changes nothing leaves no trace', async () => {
    const { id } = await create();
    expect(await update(id, {})).toMatchObject({ revision: 1, changes: [] });
    expect(await update(id, { name: 'A key' })).toMatchObject({ revision: 1, changes: [] });
  });

  it('may end a key by an expiry in the past', async () => {
    const { id, secret } = await create();
    await update(id, { expiresDateTime: '2020-01-01T00:00:00Z' });
    const used = rig.access.authenticate(basicAuth(id, secret), '192.0.2.1');
    expect(await codeOf(used)).toBe('UNAUTHENTICATED');
  });

  it('grants and prolongs no more than who makes it holds, but may take away', async () => {
    const lesser = await create({ permissions: ['ManageApiKeys'] });
    const auth = basicAuth(lesser.id, lesser.secret);
    const { id } = await create({
      permissions: ['ReadAssets', 'CreateAsset'],
      expiresDateTime: '2199-01-01T00:00:00Z',
    });
    const code = (body: KeyBody) => codeOf(update(id, body, auth));
    expect(await code({ permissions: ['ReadAssets', 'DeleteAsset'] })).toBe('PERMISSION_MISSING');
    expect(await code({ expiresDateTime: null })).toBe('PERMISSION_MISSING');
    expect(await update(id, { permissions: ['ReadAssets'] }, auth)).toMatchObject({
      body: { permissions: ['ReadAssets'] },
    });
    expect(await codeOf(update(lesser.id, { permissions: ['ManageUsers'] }, auth))).toBe(
      'PERMISSION_MISSING',
    );
  });

  it('of an older revision is refused', async () => {
    const { id } = await create();
    await update(id, { name: 'Renamed' });
    const stale = { auth: key, params: { organizationId, apiKeyId: id }, ifMatch: '"1-abc"' };
    expect(await codeOf(rig.call(operations.updateApiKey, { ...stale, body: { name: 'x' } }))).toBe(
      'PRECONDITION_FAILED',
    );
    expect(await codeOf(rig.call(operations.deleteApiKey, stale))).toBe('PRECONDITION_FAILED');
  });
});

describe('the list of API keys', () => {
  it('is newest first, counts all, and is searched literally in any case', async () => {
    for (const name of ['Über_1', 'Über%2', 'Third']) await create({ name });
    const names = async (query: object) => (await list(query)).items.map(({ name }) => name);
    expect(await names({})).toEqual(['Third', 'Über%2', 'Über_1', 'First key']);
    expect(await names({ search: 'üBER' })).toEqual(['Über%2', 'Über_1']);
    expect(await names({ search: '%' })).toEqual(['Über%2']);
    expect(await list({ skip: 10 })).toEqual({ count: 4, items: [] });
    expect(await names({ skip: 1, take: 1 })).toEqual(['Über%2']);
  });
});

describe('an id that cannot be one', () => {
  it.each(['\0', 'a:b', 'x'.repeat(5_000), ''])('is not there: %j', async (id) => {
    const params = { organizationId, apiKeyId: id };
    expect(await codeOf(retrieve(id))).toBe('NOT_FOUND');
    expect(await codeOf(update(id, { name: 'Renamed' }))).toBe('NOT_FOUND');
    expect(await codeOf(rig.call(operations.deleteApiKey, { auth: key, params }))).toBe(
      'NOT_FOUND',
    );
  });
});

describe("a neighbour's API key", () => {
  it('is not there for us', async () => {
    const neighbour = await createOrganization(rig, `neighbour-${count}@example.com`);
    const id = neighbour.apiKeyId;
    const params = { organizationId, apiKeyId: id };
    expect(await codeOf(retrieve(id))).toBe('NOT_FOUND');
    expect(await codeOf(update(id, { name: 'Ours now' }))).toBe('NOT_FOUND');
    expect(await codeOf(rig.call(operations.deleteApiKey, { auth: key, params }))).toBe(
      'NOT_FOUND',
    );
    expect((await list()).items.map((one) => one.id)).toEqual([apiKeyId]);
    expect(await callerOf(rig, neighbour.key, neighbour.organizationId)).toEqual({
      kind: 'API_KEY',
      id,
      permissions: [...KEY_PERMISSIONS].sort(),
    });
  });
});

describe('the first key', () => {
  it('holds every permission that a key may hold', async () => {
    expect((await retrieve(apiKeyId)).permissions).toEqual(KEY_PERMISSIONS);
  });

  it('may revoke itself', async () => {
    const params = { organizationId, apiKeyId };
    await rig.call(operations.deleteApiKey, { auth: key, params });
    expect(await codeOf(retrieve(apiKeyId))).toBe('UNAUTHENTICATED');
  });
});
