import { setTimeout as sleep } from 'node:timers/promises';
import { VARIABLE_TYPES } from '@fieldwatch/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { joinServer, type TestOrganization } from '../support/server.ts';
import { type VariableCalls, variableCalls } from '../support/variable-calls.ts';

const UNKNOWN = '018f0000-0000-7000-8000-00000000dead';
const EMOJI = '😀';

type Fields = Record<string, unknown>;

let server: TestOrganization;
let neighbour: TestOrganization;
let ours: VariableCalls;
let theirs: VariableCalls;
let deviceId: string;
let theirDeviceId: string;

beforeAll(async () => {
  server = await joinServer();
  neighbour = await joinServer();
  ours = variableCalls(server);
  theirs = variableCalls(neighbour);
  deviceId = await ours.newDevice();
  theirDeviceId = await theirs.newDevice();
});

const create = (body: Fields = {}) => ours.create(deviceId, body);
const made = (body: Fields = {}) => ours.made(deviceId, body);

const errorsOf = ({ body }: { body: { errors?: { path: string; message: string }[] } }) =>
  (body.errors ?? []).map(({ path, message }) => `${path} ${message}`);

/** Each field's text, ending in an emoji so that only code points count right. */
const textOf = (length: number) => 'x'.repeat(length - 1) + EMOJI;

const BOUNDS: readonly (readonly [field: string, length: number, isTaken: boolean])[] = [
  ['name', 1, false],
  ['name', 2, true],
  ['name', 3, true],
  ['name', 99, true],
  ['name', 100, true],
  ['name', 101, false],
  ['unit', 1, true],
  ['unit', 2, true],
  ['unit', 8, true],
  ['unit', 9, true],
  ['unit', 10, false],
  ['description', 1, true],
  ['description', 499, true],
  ['description', 500, true],
  ['description', 501, false],
];

type Refusal = readonly [body: Fields, message: string];

const BOTH_REFUSALS: readonly Refusal[] = [
  [{ name: '  ' }, 'name must not be only white space'],
  [{ name: null }, 'name must be a string'],
  [{ name: 12 }, 'name must be a string'],
  [{ name: 'a\u0000b' }, 'name must not contain NUL or a lone surrogate'],
  [{ unit: '' }, 'unit must have at least 1 character'],
  [{ unit: 5 }, 'unit must be a string'],
  [{ description: 5 }, 'description must be a string or null'],
  [{ isLoggingEnabled: 'true' }, 'isLoggingEnabled must be true or false'],
  [{ isLoggingEnabled: null }, 'isLoggingEnabled must be true or false'],
  [{ folderId: 'x' }, 'folderId must be a UUID'],
  [{ folderId: UNKNOWN }, `folderId names nothing that exists in this organization: ${UNKNOWN}`],
  ...['', 'kw', 'Kw', '_KW', 'KW_', 'K__W', '1KW', 'K W', 'K-W', 'KW\n', 'Ä'].map(
    (classificationType) =>
      [{ classificationType }, 'classificationType must be in upper snake case'] as const,
  ),
];

/** What differs between the two is worded as it is for the operation. */
const asNullable = (message: string) =>
  message.replace('unit must be a string', 'unit must be a string or null');

describe('creating a Variable', () => {
  it('answers with the whole record and its place, with null for what was not given', async () => {
    const body = ours.valid();
    const { status, body: record, headers } = await create(body);
    expect(status).toBe(201);
    expect(record).toEqual({
      ...body,
      id: record.id,
      deviceId,
      unit: null,
      description: null,
      classificationType: null,
      folderId: null,
      createdDateTime: record.createdDateTime,
      updatedDateTime: record.createdDateTime,
    });
    expect(headers.get('location')).toBe(
      `/primary/v1/${server.organizationId}/devices/variables/${record.id}`,
    );
    const again = await ours.retrieve(record.id);
    expect([again.body, again.headers.get('etag')]).toEqual([record, headers.get('etag')]);
  });

  it('keeps everything that was given', async () => {
    const body = {
      ...ours.valid(),
      unit: 'kW',
      description: ' as it is ',
      isLoggingEnabled: false,
      classificationType: 'ELECTRICAL_GENERATOR_KW',
      folderId: await ours.newFolder(),
    };
    expect(await made(body)).toMatchObject(body);
    expect(await made({ description: null, folderId: null })).toMatchObject({
      description: null,
      folderId: null,
    });
    expect((await made({ description: '' })).description).toBe('');
  });

  it.each(VARIABLE_TYPES)('takes the type %s', async (type) => {
    expect((await made({ type })).type).toBe(type);
  });

  it.each(BOUNDS)('takes a %s of %i characters: %s', async (field, length, isTaken) => {
    const answer = await create({ [field]: textOf(length) });
    expect(answer.status).toBe(isTaken ? 201 : 400);
    if (isTaken) expect(answer.body[field]).toBe(textOf(length));
    else expect(answer.body.errors).toMatchObject([{ path: field }]);
  });

  it.each([
    [4, 400],
    [5, 201],
    [6, 201],
    [499, 201],
    [500, 201],
    [501, 400],
  ])('takes a path of %i characters with %i', async (length, status) => {
    expect((await create({ topicPropertyPath: textOf(length) })).status).toBe(status);
    const manyBytes = EMOJI.repeat(length - 1).concat('y');
    expect((await create({ topicPropertyPath: manyBytes })).status).toBe(status);
  });

  it.each([
    [99, 201],
    [100, 201],
    [101, 400],
  ])('takes a classification of %i characters with %i', async (length, status) => {
    expect((await create({ classificationType: 'K'.repeat(length) })).status).toBe(status);
    const longest = 'A_'
      .repeat(length)
      .slice(0, length - 1)
      .concat('B');
    expect((await create({ classificationType: longest })).status).toBe(status);
  });

  it.each(['K', 'KW', 'A1_2B', 'ELECTRICAL_ATS_NORMAL_POSITION', 'OUR_OWN_KIND_7'])(
    'takes the classification %s, also one that the catalogue does not name',
    async (classificationType) => {
      expect((await made({ classificationType })).classificationType).toBe(classificationType);
    },
  );

  it.each([' ', '\t', '\n', '\r', '\u00a0', '\u2003', '\u3000', '\ufeff'])(
    'refuses a path with the white space %j anywhere',
    async (space) => {
      for (const topicPropertyPath of [`${space}path`, `pa${space}th`, `path${space}`]) {
        expect(errorsOf(await create({ topicPropertyPath }))).toEqual([
          'topicPropertyPath must not contain white space',
        ]);
      }
    },
  );

  it.each<Refusal>([
    ...BOTH_REFUSALS,
    [{ unit: null }, 'unit must be a string'],
    [{ classificationType: null }, 'classificationType must be a string'],
    [{ type: 'INTEGER' }, `type must be one of ${VARIABLE_TYPES.join(', ')}`],
    [{ type: 'number' }, `type must be one of ${VARIABLE_TYPES.join(', ')}`],
    [{ deviceId: UNKNOWN }, 'deviceId is not a field of this request'],
    [{ id: UNKNOWN }, 'id is not a field of this request'],
    ...['topicPropertyPath', 'type', 'name', 'isLoggingEnabled'].map(
      (field) => [{ [field]: undefined }, `${field} is required`] as const,
    ),
  ])('refuses %j', async (body, message) => {
    const answer = await create(body);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [message]]);
  });

  it('names every bad field at once', async () => {
    const answer = await create({ name: 'x', unit: '', type: 5, colour: 'red' });
    expect(answer.body.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
      'colour',
      'name',
      'type',
      'unit',
    ]);
  });

  it('answers 404 on a Device that does not exist, also one of a neighbour', async () => {
    const details = [UNKNOWN, theirDeviceId].map(async (on) => {
      const { status, body } = await ours.create(on);
      return [status, body.code, body.detail];
    });
    const expected = [404, 'NOT_FOUND', 'There is no such Device.'];
    expect(await Promise.all(details)).toEqual([expected, expected]);
    expect((await ours.create('not-a-uuid')).status).toBe(404);
  });

  it('answers 409 to a path that the Device has, in the same case only', async () => {
    const topicPropertyPath = ours.nextPath();
    await made({ topicPropertyPath });
    const again = await create({ topicPropertyPath, name: 'Another' });
    expect([again.status, again.body.code]).toEqual([409, 'CONFLICT']);
    expect(again.body.detail).toContain('topicPropertyPath');
    expect((await create({ topicPropertyPath: topicPropertyPath.toUpperCase() })).status).toBe(201);
    expect((await ours.create(await ours.newDevice(), { topicPropertyPath })).status).toBe(201);
    expect((await theirs.create(theirDeviceId, { topicPropertyPath })).status).toBe(201);
  });

  it('lets one of twenty with the same path through', async () => {
    const body = { topicPropertyPath: ours.nextPath() };
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await create(body)).status),
    );
    expect(statuses.sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
  });
});

describe('updating a Variable', () => {
  it('changes the given fields and keeps the others', async () => {
    const before = await made({ unit: 'kW', description: 'Before' });
    await sleep(5);
    const { status, body, headers } = await ours.update(before.id, { name: 'Renamed' });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, name: 'Renamed', updatedDateTime: body.updatedDateTime });
    expect(body.updatedDateTime > before.updatedDateTime).toBe(true);
    const after = await ours.retrieve(before.id);
    expect([after.body, after.headers.get('etag')]).toEqual([body, headers.get('etag')]);
  });

  it('clears with null what may be null, and an empty body keeps everything', async () => {
    const given = {
      unit: 'kW',
      description: 'Before',
      classificationType: 'ELECTRICAL_GENERATOR_KW',
      folderId: await ours.newFolder(),
    };
    const { id } = await made(given);
    expect((await ours.update(id, {})).body).toMatchObject(given);
    for (const field of Object.keys(given)) {
      expect((await ours.update(id, { [field]: null })).body[field]).toBeNull();
      expect((await ours.retrieve(id)).body[field]).toBeNull();
    }
    expect((await ours.update(id, given)).body).toMatchObject(given);
  });

  it.each(BOUNDS)('takes a %s of %i characters: %s', async (field, length, isTaken) => {
    const { id } = await made();
    const answer = await ours.update(id, { [field]: textOf(length) });
    expect(answer.status).toBe(isTaken ? 200 : 400);
  });

  it.each<Refusal>([
    ...BOTH_REFUSALS.map(([body, message]) => [body, asNullable(message)] as const),
    ...['topicPropertyPath', 'type', 'deviceId', 'id', 'createdDateTime', 'colour'].map(
      (field) =>
        [{ [field]: 'NUMBER' }, `${field} cannot be changed: it is fixed or unknown`] as const,
    ),
  ])('refuses %j and changes nothing', async (body, message) => {
    const before = await made();
    const answer = await ours.update(before.id, { name: 'Renamed', ...body });
    expect([answer.status, errorsOf(answer)]).toEqual([400, [message]]);
    expect((await ours.retrieve(before.id)).body).toEqual(before);
  });

  it('lets one of twenty edits of the same tag through', async () => {
    const { body, headers } = await create();
    const etag = headers.get('etag') ?? '';
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const answer = await ours.update(body.id, { name: `Racer ${index}` }, { 'if-match': etag });
        return answer.status;
      }),
    );
    expect(statuses.sort()).toEqual([200, ...Array.from({ length: 19 }, () => 412)]);
  });
});
