import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AssetCalls, assetCalls, errorsOf, unknownReference } from '../support/asset-calls.ts';
import { rowsIn } from '../support/database.ts';
import { startNeighbour, startServer, type TestServer } from '../support/server.ts';

const UNKNOWN = '018f0000-0000-7000-8000-00000000dead';

let server: TestServer;
let neighbour: TestServer;
let assets: AssetCalls;
let device: string;

beforeAll(async () => {
  server = await startServer();
  neighbour = await startNeighbour(server);
  assets = assetCalls(server);
  device = await assets.newDevice();
});

afterAll(async () => {
  await neighbour.stop();
  await server.stop();
});

type Named = { id: string; name: string };

const newAsset = async (): Promise<string> => (await assets.made()).id;

/** So many Variables of one Device. */
async function newVariables(count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const some = Array.from({ length: Math.min(20, count - ids.length) }, () =>
      assets.newVariable({}, device),
    );
    ids.push(...(await Promise.all(some)).map(({ id }) => id));
  }
  return ids;
}

/** As many, without a call for each: copies of one. */
async function manyVariables(count: number): Promise<string[]> {
  const [variable = ''] = await newVariables(1);
  const copies = await rowsIn<{ id: string }>(
    server.databaseUrl,
    `insert into variables (organization_id, id, device_id, topic_property_path,
       topic_property_path_folded, type, name, name_folded, is_logging_enabled, created_at, updated_at)
     select organization_id, gen_random_uuid(), device_id, 'copy.' || n, 'copy.' || n, type, name,
       name_folded, is_logging_enabled, created_at, updated_at
     from variables, generate_series(2, $2::int) n where id = $1
     returning id`,
    [variable, count],
  );
  return [variable, ...copies.map(({ id }) => id)];
}

const boundTo = async (asset: string): Promise<string[]> =>
  (await assets.retrieve(asset)).body.variables.map(({ id }: Named) => id);

const sorted = (ids: readonly string[]) => [...ids].sort();

describe.each(['bindVariable', 'bindVariables'] as const)('a binding, by %s', (id) => {
  const move = (asset: string, variable: string, action: 'CONNECT' | 'DISCONNECT') =>
    id === 'bindVariable'
      ? assets.bind(asset, variable, action)
      : assets.bindMany(asset, [variable], action);

  it.each([
    ['unbound', 'CONNECT', 'bound'],
    ['unbound', 'DISCONNECT', 'unbound'],
    ['bound', 'CONNECT', 'bound'],
    ['bound', 'DISCONNECT', 'unbound'],
  ] as const)('that is %s goes by %s to %s', async (state, action, next) => {
    const asset = await newAsset();
    const [variable = '', other = ''] = await newVariables(2);
    await assets.bind(asset, other);
    if (state === 'bound') await assets.bind(asset, variable);
    const before = await assets.retrieve(asset);
    server.clock.advance(5);
    const { status, body, headers } = await move(asset, variable, action);
    expect(status).toBe(200);
    const expected = next === 'bound' ? [other, variable] : [other];
    expect(sorted(body.variables.map((each: Named) => each.id))).toEqual(sorted(expected));
    const after = await assets.retrieve(asset);
    expect([after.body, after.headers.get('etag')]).toEqual([body, headers.get('etag')]);
    const isSame = state === next;
    expect(after.text === before.text).toBe(isSame);
    expect(after.headers.get('etag') === before.headers.get('etag')).toBe(isSame);
    expect(body.updatedDateTime > before.body.updatedDateTime).toBe(!isSame);
  });

  it('comes through twenty changes of one kind at once as one', async () => {
    const asset = await newAsset();
    const [variable = ''] = await newVariables(1);
    for (const [action, expected] of [
      ['CONNECT', [variable]],
      ['DISCONNECT', []],
    ] as const) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => move(asset, variable, action)),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(await boundTo(asset)).toEqual(expected);
    }
    const { body } = await server.call(operations.listAuditLog, { query: `resourceId=${asset}` });
    expect(body.items.map((entry: { operation: string }) => entry.operation)).toEqual([
      id,
      id,
      'createAsset',
    ]);
    expect(body.items[1].changes).toEqual([{ field: 'variableIds', from: [], to: [variable] }]);
  });

  it("refuses an unknown Variable, and a neighbour's as one, whatever the action", async () => {
    const asset = await newAsset();
    const theirs = (await assetCalls(neighbour).newVariable()).id;
    const path = id === 'bindVariable' ? 'variableId' : 'variableIds[0]';
    for (const variable of [UNKNOWN, theirs]) {
      for (const action of ['CONNECT', 'DISCONNECT'] as const) {
        const answer = await move(asset, variable, action);
        expect([answer.status, errorsOf(answer)]).toEqual([
          400,
          [unknownReference(path, variable)],
        ]);
      }
    }
    expect(errorsOf(await move(asset, 'x', 'CONNECT'))).toEqual([`${path} must be a UUID`]);
  });

  it('refuses an action that is none', async () => {
    const asset = await newAsset();
    const [variable = ''] = await newVariables(1);
    const given = id === 'bindVariable' ? { variableId: variable } : { variableIds: [variable] };
    for (const [action, message] of [
      ['connect', 'action must be one of CONNECT, DISCONNECT'],
      [null, 'action must be a string'],
      [undefined, 'action is required'],
    ]) {
      const answer = await server.call(operations[id], {
        params: { assetId: asset },
        body: { ...given, action },
      });
      expect(errorsOf(answer)).toEqual([message]);
    }
    expect(await boundTo(asset)).toEqual([]);
  });
});

describe('a batch', () => {
  it.each([
    [500, 'variableIds[0] '],
    [501, 'variableIds must have at most 500 different values'],
  ])('of %i different ids is taken as it should be', async (count, message) => {
    const ids = Array.from({ length: count }, (_, index) =>
      UNKNOWN.slice(0, -4).concat(String(1000 + index)),
    );
    const [first = ''] = errorsOf(await assets.bindMany(await newAsset(), [...ids, ...ids]));
    expect(first.startsWith(message), first).toBe(true);
  });

  it.each([
    [0, 'variableIds must have at least 1 value'],
    [1, null],
    [499, null],
    [500, null],
    [501, null],
    [2_000, null],
  ])('of one id %i times is taken as it should be, and counts once', async (count, message) => {
    const asset = await newAsset();
    const [variable = ''] = await newVariables(1);
    const answer = await assets.bindMany(asset, Array(count).fill(variable));
    expect(errorsOf(answer)).toEqual(message === null ? [] : [message]);
    expect(await boundTo(asset)).toEqual(message === null ? [variable] : []);
  });

  it.each([
    [undefined, 'variableIds is required'],
    [null, 'variableIds must be an array'],
    [UNKNOWN, 'variableIds must be an array'],
    [[5], 'variableIds[0] must be a string'],
  ])('refuses %j as its ids', async (variableIds, message) => {
    expect(errorsOf(await assets.bindMany(await newAsset(), variableIds))).toEqual([message]);
  });

  it('binds 500 Variables at once, or with one unknown among them none', async () => {
    const asset = await newAsset();
    const ids = await manyVariables(500);
    const before = await assets.retrieve(asset);
    const refused = await assets.bindMany(asset, [...ids.slice(0, 499), UNKNOWN]);
    expect(errorsOf(refused)).toEqual([unknownReference('variableIds[499]', UNKNOWN)]);
    expect((await assets.retrieve(asset)).text).toBe(before.text);
    const bound = await assets.bindMany(asset, ids);
    expect(sorted(bound.body.variables.map(({ id }: Named) => id))).toEqual(sorted(ids));
    const kept = await assets.bindMany(asset, [...ids.slice(0, 499), UNKNOWN], 'DISCONNECT');
    expect(kept.status).toBe(400);
    expect(await boundTo(asset)).toHaveLength(500);
    const left = await assets.bindMany(asset, ids.slice(0, 499), 'DISCONNECT');
    expect(left.body.variables.map(({ id }: Named) => id)).toEqual(ids.slice(499));
  });

  it('names every unknown Variable by its place', async () => {
    const asset = await newAsset();
    const [variable = ''] = await newVariables(1);
    const other = UNKNOWN.replace('dead', 'beef');
    const answer = await assets.bindMany(asset, [UNKNOWN, variable, other, UNKNOWN]);
    expect(errorsOf(answer)).toEqual([
      unknownReference('variableIds[0]', UNKNOWN),
      unknownReference('variableIds[2]', other),
      unknownReference('variableIds[3]', UNKNOWN),
    ]);
    expect(await boundTo(asset)).toEqual([]);
  });

  it('and others at once, in any order, end as if they came one by one', async () => {
    const ids = await newVariables(20);
    const all = await Promise.all([newAsset(), newAsset()]);
    const answers = await Promise.all(
      all.flatMap((asset) =>
        Array.from({ length: 10 }, (_, index) =>
          assets.bindMany(asset, [...ids.slice(index * 2), ...ids.slice(0, index * 2)].reverse()),
        ),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    for (const asset of all) expect(sorted(await boundTo(asset))).toEqual(sorted(ids));
  });
});

describe('the Variables of an Asset', () => {
  it('come in the order of their names whatever their case, then of their ids', async () => {
    const asset = await newAsset();
    const names = ['zeta', 'Äpfel', 'alpha', 'ALPHA', 'Beta', '😀😀', 'beta', '_x'];
    const variables: Named[] = [];
    for (const name of names) variables.push(await assets.newVariable({ name }, device));
    await assets.bindMany(asset, variables.map(({ id }) => id).reverse());
    const expected = ['_x', 'alpha', 'ALPHA', 'Beta', 'beta', 'zeta', 'Äpfel', '😀😀'];
    const { body } = await assets.retrieve(asset);
    expect(body.variables.map(({ name }: Named) => name)).toEqual(expected);
    expect(body.variables).toEqual(expect.arrayContaining(variables));
    const listed = await assets.list('take=1');
    expect(listed.body.items[0]).toEqual(body);
  });

  it('may be bound to several Assets, each on its own', async () => {
    const [one, other] = [await newAsset(), await newAsset()];
    const [variable = ''] = await newVariables(1);
    await assets.bind(one, variable);
    await assets.bind(other, variable);
    await assets.bind(one, variable, 'DISCONNECT');
    expect([await boundTo(one), await boundTo(other)]).toEqual([[], [variable]]);
    const query = `assetIds[]=${other}`;
    expect((await server.call(operations.listVariables, { query })).body.count).toBe(1);
  });

  it('leave it when they are deleted, and when their Device is', async () => {
    const asset = await newAsset();
    const own = await assets.newVariable();
    const [variable = '', other = ''] = await newVariables(2);
    await assets.bindMany(asset, [own.id, variable, other]);
    await server.call(operations.deleteVariable, {
      params: { deviceId: device, variableId: variable },
    });
    expect(sorted(await boundTo(asset))).toEqual(sorted([own.id, other]));
    await server.call(operations.deleteDevice, { params: { deviceId: own.deviceId } });
    expect(await boundTo(asset)).toEqual([other]);
  });

  it('are never bound and deleted both', async () => {
    const asset = await newAsset();
    for (let round = 0; round < 5; round += 1) {
      const [variable = ''] = await newVariables(1);
      const [bound, deleted] = await Promise.all([
        assets.bind(asset, variable),
        server.call(operations.deleteVariable, {
          params: { deviceId: device, variableId: variable },
        }),
      ]);
      expect([200, 400]).toContain(bound.status);
      expect(deleted.status).toBe(204);
      expect(await boundTo(asset)).toEqual([]);
    }
  });

  it('are bound to no Asset that is deleted meanwhile', async () => {
    for (let round = 0; round < 5; round += 1) {
      const asset = await newAsset();
      const [variable = ''] = await newVariables(1);
      const [bound, deleted] = await Promise.all([
        assets.bind(asset, variable),
        assets.remove(asset),
      ]);
      expect([200, 404]).toContain(bound.status);
      expect(deleted.status).toBe(204);
      const query = `assetIds[]=${asset}`;
      expect((await server.call(operations.listVariables, { query })).body.count).toBe(0);
    }
  });
});
