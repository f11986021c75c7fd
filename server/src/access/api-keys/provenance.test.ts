import { type KeyPermission, operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type AccessRig,
  basicAuth,
  callerOf,
  codeOf,
  createAccessRig,
  failureOf,
} from '../../../test/support/access.ts';
import { createMembers, type Members } from '../../../test/support/members.ts';

const HOUR = 3_600_000;
const PERMISSIONS: KeyPermission[] = ['ManageApiKeys', 'ReadAssets'];

let rig: AccessRig;
let members: Members;

beforeAll(async () => {
  rig = await createAccessRig();
  members = await createMembers(rig);
});
afterAll(() => rig.stop());

const inMs = (milliseconds: number) => new Date(rig.clock.now() + milliseconds).toISOString();
const params = (apiKeyId = '') => ({ organizationId: members.organizationId, apiKeyId });
async function create(auth: string, expiresDateTime?: string | null, permissions = PERMISSIONS) {
  const body = {
    name: 'A key',
    permissions,
    ...(expiresDateTime === undefined ? {} : { expiresDateTime }),
  };
  const made = await rig.call(operations.createApiKey, { auth, params: params(), body });
  return { ...made, auth: basicAuth(made.id, made.secret) };
}
const update = (auth: string, id: string, body: object) =>
  rig.call(operations.updateApiKey, { auth, params: params(id), body });
const list = async (query: object) =>
  (await rig.call(operations.listApiKeys, { auth: members.key, params: params(), query })).items;
const revoke = (id: string, query: object) =>
  rig.call(operations.deleteApiKey, { auth: members.key, params: params(id), query });

/** Fails unless the key authenticates as itself, with its permissions. */
async function expectKey({ id, auth }: { readonly id: string; readonly auth: string }) {
  expect(await callerOf(rig, auth, members.organizationId)).toEqual({
    kind: 'API_KEY',
    id,
    permissions: PERMISSIONS,
  });
}

describe('an API key that expires', () => {
  it.each([
    ['never', () => null],
    ['unsaid', () => undefined],
    ['a millisecond later', (end: number) => new Date(end + 1).toISOString()],
  ])('makes no key with the end %s', async (_, end) => {
    const { auth, expiresDateTime } = await create(members.key, inMs(HOUR));
    const failure = await failureOf(create(auth, end(Date.parse(expiresDateTime ?? ''))));
    expect([failure.code, failure.message]).toEqual([
      'PERMISSION_MISSING',
      expect.stringContaining(expiresDateTime ?? ''),
    ]);
  });

  it('makes keys that end when it does, or before', async () => {
    const { auth, expiresDateTime } = await create(members.key, inMs(HOUR));
    expect((await create(auth, expiresDateTime)).expiresDateTime).toBe(expiresDateTime);
    const earlier = inMs(1_000);
    const key = await create(auth, earlier);
    expect(key.expiresDateTime).toBe(earlier);
    await expectKey(key);
  });

  it('neither removes nor moves back its own end, or that of another key', async () => {
    const { id, auth, expiresDateTime } = await create(members.key, inMs(HOUR));
    const other = await create(members.key, inMs(1_000));
    for (const target of [id, other.id]) {
      for (const expires of [null, inMs(2 * HOUR)]) {
        const failure = update(auth, target, { expiresDateTime: expires });
        expect(await codeOf(failure)).toBe('PERMISSION_MISSING');
      }
    }
    const later = await update(auth, other.id, { expiresDateTime });
    expect(later.expiresDateTime).toBe(expiresDateTime);
    const earlier = inMs(1_000);
    expect(await update(auth, id, { expiresDateTime: earlier })).toMatchObject({
      id,
      expiresDateTime: earlier,
    });
  });

  it('gives no permission to a key that outlives it, and may still rename that', async () => {
    const { auth } = await create(members.key, inMs(HOUR));
    const eternal = await create(members.key, null, []);
    const granting = update(auth, eternal.id, { permissions: ['ReadAssets'] });
    expect(await codeOf(granting)).toBe('PERMISSION_MISSING');
    expect(await update(auth, eternal.id, { name: 'Renamed' })).toMatchObject({
      id: eternal.id,
      name: 'Renamed',
      permissions: [],
      expiresDateTime: null,
    });
  });
});

describe('who made an API key', () => {
  it('is shown, for users and keys alike', async () => {
    const user = await members.signIn(members.adminEmail);
    const byUser = await create(user);
    const byKey = await create(byUser.auth);
    expect(byUser.createdBy).toMatchObject({ kind: 'USER', name: members.adminEmail });
    expect(byKey.createdBy).toEqual({ kind: 'API_KEY', id: byUser.id, name: 'A key' });
    const [first] = await list({ search: 'First key' });
    expect(first?.createdBy).toMatchObject({ kind: 'SYSTEM' });
  });

  it('finds the descendants, which are kept or revoked with it', async () => {
    const root = await create(members.key);
    const child = await create(root.auth);
    const grandchild = await create(child.auth);
    const other = await create(members.key);
    const ids = (keys: readonly { id: string }[]) => keys.map(({ id }) => id).sort();
    expect(ids(await list({ descendantsOf: root.id }))).toEqual(ids([child, grandchild]));
    const upper = root.id.toUpperCase();
    expect(ids(await list({ descendantsOf: upper }))).toEqual(ids([child, grandchild]));
    await revoke(child.id, {});
    await expectKey(grandchild);
    const second = await create(root.auth);
    const third = await create(second.auth);
    await revoke(root.id, { descendants: 'revoke' });
    for (const { auth } of [root, second, third]) {
      expect(await codeOf(rig.access.authenticate(auth, '192.0.2.1'))).toBe('UNAUTHENTICATED');
    }
    await expectKey(other);
  });

  it('finds none of a neighbour', async () => {
    const neighbour = await createMembers(rig);
    expect(await list({ descendantsOf: neighbour.apiKeyId })).toEqual([]);
    const theirs = await rig.call(operations.listApiKeys, {
      auth: neighbour.key,
      params: { organizationId: neighbour.organizationId },
      query: { descendantsOf: members.apiKeyId },
    });
    expect(theirs.items).toEqual([]);
  });
});
