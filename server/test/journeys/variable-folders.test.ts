import { setTimeout as sleep } from 'node:timers/promises';
import { operations, type VariableFolder } from '@fieldwatch/contract';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { joinServer, type TestOrganization } from '../support/server.ts';
import { cases } from '../support/soak.ts';
import { type VariableCalls, variableCalls } from '../support/variable-calls.ts';

const UNKNOWN = '018f0000-0000-7000-8000-00000000dead';
const EMOJI = '😀';

type Fields = Record<string, unknown>;

let server: TestOrganization;
let neighbour: TestOrganization;
let variables: VariableCalls;

beforeAll(async () => {
  server = await joinServer();
  neighbour = await joinServer();
  variables = variableCalls(server);
});

const create = (body: Fields = {}, at = server) =>
  at.call(operations.createVariableFolder, { body: { name: 'Folder', ...body } });

const made = async (body: Fields = {}, at = server) => (await create(body, at)).body;

const update = (folderId: string, body: Fields, headers: Record<string, string> = {}) =>
  server.call(operations.updateVariableFolder, { params: { folderId }, body, headers });

const retrieve = (folderId: string, at = server) =>
  at.call(operations.retrieveVariableFolder, { params: { folderId } });

const remove = (folderId: string, headers: Record<string, string> = {}) =>
  server.call(operations.deleteVariableFolder, { params: { folderId }, headers });

const errorsOf = ({ body }: { body: { errors?: { path: string; message: string }[] } }) =>
  (body.errors ?? []).map(({ path, message }) => `${path} ${message}`);

const REFUSALS: readonly (readonly [Fields, string])[] = [
  [{ name: ' ' }, 'name must not be only white space'],
  [{ name: null }, 'name must be a string'],
  [{ name: 5 }, 'name must be a string'],
  [{ parentId: 'x' }, 'parentId must be a UUID'],
  [{ parentId: 5 }, 'parentId must be a string or null'],
  [{ parentId: UNKNOWN }, `parentId names nothing that exists in this organization: ${UNKNOWN}`],
];

const LENGTHS: readonly (readonly [number, boolean])[] = [
  [1, true],
  [2, true],
  [99, true],
  [100, true],
  [101, false],
];

describe('creating a folder', () => {
  it('returns the whole record and its Location header', async () => {
    const { status, body, headers } = await create();
    expect(status).toBe(201);
    expect(body).toEqual({
      id: body.id,
      name: 'Folder',
      parentId: null,
      createdDateTime: body.createdDateTime,
      updatedDateTime: body.createdDateTime,
    });
    expect(headers.get('location')).toBe(
      `/primary/v1/${server.organizationId}/variable-folders/${body.id}`,
    );
    expect((await retrieve(body.id)).body).toEqual(body);
    expect((await made({ parentId: body.id })).parentId).toBe(body.id);
    expect((await made({ parentId: null })).parentId).toBeNull();
  });

  it.each(LENGTHS)('takes a name of %i characters: %s', async (length, isTaken) => {
    const name = 'x'.repeat(length - 1) + EMOJI;
    expect((await create({ name })).status).toBe(isTaken ? 201 : 400);
    const { id } = await made();
    expect((await update(id, { name })).status).toBe(isTaken ? 200 : 400);
  });

  it.each([
    ...REFUSALS,
    [{ name: '' }, 'name must have at least 1 character'],
    [{ name: undefined }, 'name is required'],
    [{ id: UNKNOWN }, 'id is not a field of this request'],
  ] as const)('refuses %j', async (body, message) => {
    const answer = await create(body);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [message]]);
  });
});

describe('updating a folder', () => {
  it('changes the given fields and keeps the others', async () => {
    const parent = await made();
    const before = await made({ parentId: parent.id });
    await sleep(5);
    const { status, body } = await update(before.id, { name: 'Renamed' });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, name: 'Renamed', updatedDateTime: body.updatedDateTime });
    expect(body.updatedDateTime > before.updatedDateTime).toBe(true);
    expect((await update(before.id, { parentId: null })).body.parentId).toBeNull();
    expect((await retrieve(before.id)).body).toMatchObject({ name: 'Renamed', parentId: null });
  });

  it.each([
    ...REFUSALS,
    [{ id: UNKNOWN }, 'id cannot be changed: it is fixed or unknown'],
    [{ colour: 'red' }, 'colour cannot be changed: it is fixed or unknown'],
  ] as const)('refuses %j and changes nothing', async (body, message) => {
    const before = await made();
    const answer = await update(before.id, { name: 'Renamed', ...body });
    expect([answer.status, errorsOf(answer)]).toEqual([400, [message]]);
    expect((await retrieve(before.id)).body).toEqual(before);
  });

  it('keeps the tree without loops', async () => {
    const top = await made();
    const middle = await made({ parentId: top.id });
    const bottom = await made({ parentId: middle.id });
    for (const parentId of [top.id, middle.id, bottom.id, bottom.id.toUpperCase()]) {
      const answer = await update(top.id, { parentId });
      expect([answer.status, errorsOf(answer)]).toEqual([400, ['parentId would make a loop']]);
    }
    expect((await update(bottom.id, { parentId: top.id })).body.parentId).toBe(top.id);
    expect((await update(middle.id, { parentId: bottom.id })).status).toBe(200);
  });

  it('keeps two moves at once from making a loop together', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [one, other] = await Promise.all([made(), made()]);
      const answers = await Promise.all([
        update(one.id, { parentId: other.id }),
        update(other.id, { parentId: one.id }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
  });

  it('lets one of ten edits of the same tag through', async () => {
    const { body, headers } = await create();
    const tag = { 'if-match': headers.get('etag') ?? '' };
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async () => (await update(body.id, { name: 'New' }, tag)).status),
    );
    expect(statuses.sort()).toEqual([200, ...Array.from({ length: 9 }, () => 412)]);
    expect((await remove(body.id, tag)).status).toBe(412);
  });
});

describe('deleting a folder', () => {
  it('lifts its folders to the top and leaves its Variables without one', async () => {
    const folder = await made();
    const child = await made({ parentId: folder.id });
    const grandchild = await made({ parentId: child.id });
    const deviceId = await variables.newDevice();
    const inside = await variables.made(deviceId, { folderId: folder.id });
    const beside = await variables.made(deviceId, { folderId: child.id });
    const { status, text } = await remove(folder.id);
    expect([status, text]).toEqual([204, '']);
    expect((await remove(folder.id)).status).toBe(404);
    expect((await retrieve(folder.id)).status).toBe(404);
    expect((await retrieve(child.id)).body).toEqual({ ...child, parentId: null });
    expect((await retrieve(grandchild.id)).body).toEqual(grandchild);
    expect((await variables.retrieve(inside.id)).body).toEqual({ ...inside, folderId: null });
    expect((await variables.retrieve(beside.id)).body).toEqual(beside);
    expect((await variables.list(`folderIds[]=${folder.id}`)).count).toBe(0);
  });

  it('while Variables are put into it leaves none that names it', async () => {
    const deviceId = await variables.newDevice();
    for (let round = 0; round < 5; round += 1) {
      const folderId = (await made()).id;
      const [deletion, ...answers] = await Promise.all([
        remove(folderId),
        ...Array.from({ length: 8 }, () => variables.create(deviceId, { folderId })),
      ]);
      expect(deletion.status).toBe(204);
      for (const { status, body } of answers) {
        expect([201, 400]).toContain(status);
        if (status === 201) {
          expect((await variables.retrieve(body.id)).body.folderId).toBeNull();
        }
      }
    }
  });
});

describe("a neighbour's folder", () => {
  it('answers like an unknown one in every operation', async () => {
    const theirs = await made({ name: 'Only theirs' }, neighbour);
    const own = await made();
    for (const folderId of [theirs.id, UNKNOWN, 'not-a-uuid']) {
      const answers = [retrieve(folderId), update(folderId, { name: 'Stolen' }), remove(folderId)];
      const statuses = (await Promise.all(answers)).map(({ status }) => status);
      expect(statuses).toEqual([404, 404, 404]);
    }
    expect((await retrieve(theirs.id)).body.detail).toBe('There is no such Variable folder.');
    const refusal = `parentId names nothing that exists in this organization: ${theirs.id}`;
    expect(errorsOf(await create({ parentId: theirs.id }))).toEqual([refusal]);
    expect(errorsOf(await update(own.id, { parentId: theirs.id }))).toEqual([refusal]);
    const query = 'search=only%20theirs';
    const { body } = await server.call(operations.listVariableFolders, { query });
    expect(body).toEqual({ count: 0, items: [] });
    expect((await retrieve(theirs.id, neighbour)).body).toEqual(theirs);
  });
});

describe('the list of folders', () => {
  it('answers any search and page like a look at every record, newest first', async () => {
    const words = ['Pump', '100%', 'a_b', 'a\\b', "o'neil", '"q"', 'ÄRGER', EMOJI];
    for (let index = 0; index < 64; index += 1) {
      await made({ name: `${words[index % 8]} ${words[Math.floor(index / 8)]}` });
    }
    const list = async (query: object): Promise<{ count: number; items: VariableFolder[] }> => {
      const text = new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]));
      return (await server.call(operations.listVariableFolders, { query: String(text) })).body;
    };
    const { items: all, count } = await list({ take: 1000 });
    const keys = all.map(({ createdDateTime, id }) => `${createdDateTime} ${id}`);
    expect([count, keys]).toEqual([keys.length, [...keys].sort().reverse()]);
    const folded = (text: string) => text.normalize('NFC').toLowerCase();
    const search = fc.oneof(
      fc.constantFrom(...words, ...words.map(folded), '%', '_', '\\', "'", '', 'z'.repeat(500)),
      fc.tuple(fc.constantFrom(...words), fc.constantFrom(...words)).map((pair) => pair.join(' ')),
    );
    const page = { skip: fc.nat({ max: 100 }), take: fc.integer({ min: 1, max: 50 }) };
    const request = fc.record({ search, ...page }, { requiredKeys: [] });
    await fc.assert(
      fc.asyncProperty(request, async (query) => {
        const wanted = folded(query.search ?? '');
        const found = all.filter(({ name }) => folded(name).includes(wanted));
        const { skip = 0, take = 25 } = query;
        expect(await list(query)).toEqual({
          count: found.length,
          items: found.slice(skip, skip + take),
        });
      }),
      { numRuns: cases(500) },
    );
  });
});
