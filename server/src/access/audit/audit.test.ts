import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type AccessRig,
  basicAuth,
  codeOf,
  createAccessRig,
  createOrganization,
  PASSWORD,
} from '../../../test/support/access.ts';

let rig: AccessRig;
let organizationId: string;
let key: string;
let apiKeyId: string;
let adminEmail: string;
let count = 0;

beforeAll(async () => {
  rig = await createAccessRig();
});
afterAll(() => rig.stop());
beforeEach(async () => {
  count += 1;
  const made = await createOrganization(rig, `admin-${count}@example.com`);
  ({ organizationId, key, apiKeyId, adminEmail } = made);
});

const list = (query: object = {}) =>
  rig.call(operations.listAuditLog, { auth: key, params: { organizationId }, query });
const rename = (name: string) =>
  rig.answer(operations.updateOrganization, {
    auth: key,
    params: { organizationId },
    body: { name },
    address: '2001:db8::1',
  });

describe('the audit log', () => {
  it('records who did what from where, and what changed', async () => {
    await rename('Renamed');
    const { items } = await list();
    expect(items[0]).toMatchObject({
      actor: { kind: 'API_KEY', id: apiKeyId, name: 'First key' },
      operation: 'updateOrganization',
      resource: 'Organization',
      resourceId: organizationId,
      address: '2001:db8::1',
      requestId: expect.any(String),
      changes: [{ field: 'name', from: 'My organization', to: 'Renamed' }],
    });
  });

  it('records nothing for a request that changed nothing', async () => {
    const { count: before } = await list();
    expect(await rename('My organization')).toMatchObject({ changes: [], revision: 1 });
    expect((await list()).count).toBe(before);
  });

  it('records nothing for a write that was rolled back', async () => {
    const { count: before } = await list();
    const { access, storage } = rig;
    const caller = await access.authenticate(key, '192.0.2.1');
    const context = { requestId: 'r', address: 'a', now: rig.clock.now(), operation: 'x', caller };
    const change = { organizationIds: [organizationId], resource: 'Thing', resourceId: '1' };
    const failing = storage.transaction(async (tx) => {
      await access.recordChanges(tx, context, [change]);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect((await list()).count).toBe(before);
  });

  it('records many changes of one request, in each organization concerned', async () => {
    const neighbour = await createOrganization(rig, `neighbour-${count}@example.com`);
    const caller = await rig.access.authenticate(key, '192.0.2.1');
    const context = { requestId: 'r', address: 'a', now: rig.clock.now(), operation: 'x', caller };
    const changes = Array.from({ length: 500 }, (_, index) => ({
      organizationIds: [organizationId, neighbour.organizationId],
      resource: 'Thing',
      resourceId: String(index),
      after: { text: '"quoted", {braced}, \\ and \u2028' },
    }));
    await rig.storage.transaction((tx) => rig.access.recordChanges(tx, context, changes));
    const { count: found, items } = await list({ resource: 'Thing', take: 1000 });
    expect(found).toBe(500);
    expect(items[0]?.changes).toEqual([
      { field: 'text', from: null, to: '"quoted", {braced}, \\ and \u2028' },
    ]);
  });

  it('is filtered by time, actor and resource', async () => {
    await rename('Renamed');
    const email = adminEmail;
    await rig.call(operations.createToken, { body: { email, password: PASSWORD } });
    const operationsOf = async (query: object) =>
      (await list(query)).items.map(({ operation }) => operation);
    for (const actorId of [apiKeyId, apiKeyId.toUpperCase()]) {
      expect(await operationsOf({ actorId })).toEqual(['updateOrganization']);
    }
    expect(await operationsOf({ resourceId: organizationId.toUpperCase() })).toContain('bootstrap');
    expect(await operationsOf({ resource: 'Session' })).toEqual(['createToken']);
    expect(await operationsOf({ resource: 'Organization', resourceId: organizationId })).toEqual([
      'updateOrganization',
      'bootstrap',
    ]);
    expect(await operationsOf({ actorId: 'nobody' })).toEqual([]);
    const { items } = await list();
    const moment = Date.parse(items[0]?.occurredDateTime ?? '');
    expect(await operationsOf({ startTime: moment, endTime: moment })).toContain('createToken');
    expect(await operationsOf({ startTime: moment + 1 })).toEqual([]);
    expect(await operationsOf({ endTime: 0 })).toEqual([]);
    expect(await operationsOf({ endTime: 8_640_000_000_000_000 })).toHaveLength(5);
  });

  it('has sign-ins and refused credentials apart from changes', async () => {
    await rename('Renamed');
    const signIn = (password: string) =>
      rig.call(operations.createToken, { body: { email: adminEmail, password } });
    await signIn(PASSWORD);
    await codeOf(signIn('wrong'));
    await codeOf(rig.access.authenticate(basicAuth(apiKeyId, 'wrong'), '198.51.100.3'));
    await rig.access.flushRefusals();
    const signIns = await list({ category: 'SIGN_INS' });
    const shown = signIns.items.map(({ operation, resource }) => `${operation} ${resource}`);
    expect(shown.sort()).toEqual([
      'authenticate ApiKey',
      'createToken Session',
      'createToken User',
    ]);
    const changes = await list({ category: 'CHANGES' });
    expect(changes.items.map(({ operation }) => operation)).toEqual([
      'updateOrganization',
      ...Array.from({ length: 3 }, () => 'bootstrap'),
    ]);
    expect(signIns.count + changes.count).toBe((await list()).count);
    expect((await list({ category: 'CHANGES', resource: 'Session' })).count).toBe(0);
  });

  it('is newest first, counts all and pages', async () => {
    for (const name of ['One', 'Two', 'Three']) await rename(name);
    const page = await list({ take: 2, skip: 1 });
    expect(page.count).toBe(6);
    expect(page.items.map(({ changes }) => changes[0]?.to)).toEqual(['Two', 'One']);
    expect(await list({ skip: 50 })).toEqual({ count: 6, items: [] });
  });

  it('shows nothing of a neighbour', async () => {
    const neighbour = await createOrganization(rig, `neighbour-${count}@example.com`);
    const { items } = await list({ resourceId: neighbour.organizationId });
    expect(items).toEqual([]);
  });
});
