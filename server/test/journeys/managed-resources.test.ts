import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Neighbours, startNeighbours } from '../support/neighbours.ts';
import type { TestServer } from '../support/server.ts';

const UNKNOWN = '018f0000-0000-7000-8000-00000000dead';

let both: Neighbours;
let server: TestServer;

beforeAll(async () => {
  both = await startNeighbours();
  server = both.server;
});

afterAll(() => both.stop());

const newLocation = async (at = server): Promise<string> =>
  (await at.call(operations.createLocation, { body: { name: 'Plant' } })).body.id;

const assign = (items: readonly object[], auth = server.key) =>
  server.call(operations.updateManagedResources, { body: { items }, auth });

const location = (key: string, resourceId: string | null) => ({
  kind: 'LOCATION',
  key,
  resourceId,
});

async function keys(query = 'kinds[]=LOCATION&take=1000', auth = server.key): Promise<object[]> {
  return (await server.call(operations.listManagedResources, { query, auth })).body.items;
}

describe('the keys of configuration files', () => {
  it('name records, in order of key, until they are dropped', async () => {
    const [first, second] = [await newLocation(), await newLocation()];
    const given = [location('b', first), location('a', second)];
    expect((await assign(given)).body).toEqual({ items: given });
    expect(await keys()).toEqual([location('a', second), location('b', first)]);
    expect((await assign([location('a', null), location('b', null)])).body).toEqual({ items: [] });
    expect(await keys()).toEqual([]);
  });

  it('move to another record, and a record has only its last key', async () => {
    const [first, second] = [await newLocation(), await newLocation()];
    await assign([location('one', first), location('two', second)]);
    await assign([location('one', second)]);
    expect(await keys()).toEqual([location('one', second)]);
    await assign([location('three', second), location('one', first)]);
    expect(await keys()).toEqual([location('one', first), location('three', second)]);
    await assign([location('one', null), location('three', null)]);
  });

  it('go with their record', async () => {
    const locationId = await newLocation();
    await assign([location('gone', locationId)]);
    await server.call(operations.deleteLocation, { params: { locationId } });
    expect(await keys()).toEqual([]);
  });

  it('may be assigned by several clients at the same time', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => newLocation()));
    const replies = await Promise.all(ids.map((id) => assign([location('same', id)])));
    expect(replies.map(({ status }) => status)).toEqual(ids.map(() => 200));
    expect(await keys()).toHaveLength(1);
    await assign([location('same', null)]);
  });

  it('are refused for a record that is unknown or a neighbour’s, and nothing is changed', async () => {
    const known = await newLocation();
    const theirs = await newLocation(both.neighbour);
    for (const id of [UNKNOWN, theirs]) {
      const { status, body } = await assign([location('known', known), location('other', id)]);
      expect(status).toBe(400);
      expect(body.errors).toEqual([
        {
          path: 'items[1].resourceId',
          message: `names nothing that exists in this organization: ${id}`,
        },
      ]);
    }
    expect((await assign([{ ...location('x', known), kind: 'ASSET' }])).status).toBe(400);
    expect(await keys()).toEqual([]);
  });

  it('are of letters, digits, dots, dashes and underscores, at most 100 on each side of a slash', async () => {
    const id = await newLocation();
    const wrong = ['', '-a', 'a b', 'a/', 'a/b/c', 'ä', 'a'.repeat(101), `a/${'b'.repeat(101)}`];
    for (const key of wrong) expect((await assign([location(key, id)])).status, key).toBe(400);
    for (const key of ['a', 'A.b_c-1', 'a/b', `${'a'.repeat(100)}/${'b'.repeat(100)}`]) {
      expect((await assign([location(key, id)])).status, key).toBe(200);
    }
    await server.call(operations.deleteLocation, { params: { locationId: id } });
  });

  it('come 1 to 500 at a time, each key and each record once', async () => {
    const drops = (count: number) =>
      Array.from({ length: count }, (_, index) => location(`drop-${index}`, null));
    expect((await assign([])).status).toBe(400);
    expect((await assign(drops(500))).status).toBe(200);
    expect((await assign(drops(501))).status).toBe(400);
    const id = await newLocation();
    const { body } = await assign([location('a', id), location('a', null), location('b', id)]);
    expect(body.errors).toEqual([
      { path: 'items[1].key', message: 'repeats items[0].key' },
      { path: 'items[2].resourceId', message: 'repeats items[0].resourceId' },
    ]);
  });

  it('of Dashboards are for users only', async () => {
    const { administrator: auth } = server;
    const board = await server.call(operations.createDashboard, { body: { name: 'Site' }, auth });
    const item = { kind: 'DASHBOARD', key: 'site', resourceId: board.body.id };
    const refused = await assign([item]);
    expect(refused.body.errors).toEqual([{ path: 'items[0].kind', message: 'is for users only' }]);
    expect((await assign([item], auth)).status).toBe(200);
    expect(await keys('', auth)).toEqual([item]);
    expect(await keys('')).toEqual([]);
    expect(await keys('kinds[]=DASHBOARD')).toEqual([]);
  });

  it('are in the audit log, one entry per record whose key has changed', async () => {
    const id = await newLocation();
    await assign([location('logged', id)]);
    await assign([location('logged', id)]);
    await assign([location('renamed', id)]);
    const { body } = await server.call(operations.listAuditLog, { query: 'take=10' });
    const entries = body.items.filter((entry: { resourceId: string }) => entry.resourceId === id);
    const changed = entries.map((entry: { operation: string; changes: object[] }) => [
      entry.operation,
      entry.changes,
    ]);
    expect(changed[0]).toEqual([
      'updateManagedResources',
      [{ field: 'key', from: 'logged', to: 'renamed' }],
    ]);
    expect(changed.filter(([name]: [string]) => name === 'updateManagedResources')).toHaveLength(2);
  });
});
