import { setTimeout as sleep } from 'node:timers/promises';
import { ASSET_TYPES, operations } from '@fieldwatch/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { type AssetCalls, assetCalls, errorsOf, unknownReference } from '../support/asset-calls.ts';

import { joinServer, type TestOrganization } from '../support/server.ts';

const UNKNOWN = '018f0000-0000-7000-8000-00000000dead';
const EMOJI = '😀';

let server: TestOrganization;
let neighbour: TestOrganization;
let assets: AssetCalls;
let theirs: AssetCalls;

beforeAll(async () => {
  server = await joinServer();
  neighbour = await joinServer();
  assets = assetCalls(server);
  theirs = assetCalls(neighbour);
});

type Refused = [body: Record<string, unknown>, message: string];

const TYPES = `must be one of ${ASSET_TYPES.join(', ')}`;

const BAD_FIELDS: Refused[] = [
  [{ name: '  ' }, 'name must not be only white space'],
  [{ name: null }, 'name must be a string'],
  [{ name: 12 }, 'name must be a string'],
  [{ description: 5 }, 'description must be a string or null'],
  [{ classificationType: null }, 'classificationType must be a string'],
  [{ classificationType: 'TOASTER' }, `classificationType ${TYPES}`],
  [{ classificationType: 'generic' }, `classificationType ${TYPES}`],
  [{ classificationDetails: 'x' }, 'classificationDetails must be an object or null'],
  [{ classificationDetails: [] }, 'classificationDetails must be an object or null'],
  [{ locationId: 'x' }, 'locationId must be a UUID'],
  [{ dashboardId: 5 }, 'dashboardId must be a string or null'],
  [{ parentId: '' }, 'parentId must be a UUID'],
  [{ locationId: UNKNOWN }, unknownReference('locationId', UNKNOWN)],
  [{ dashboardId: UNKNOWN }, unknownReference('dashboardId', UNKNOWN)],
  [{ parentId: UNKNOWN }, unknownReference('parentId', UNKNOWN)],
];

describe('creating an Asset', () => {
  it('returns the whole record and its Location header', async () => {
    const { status, body, headers } = await assets.create({ name: 'Generator 1' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: body.id,
      name: 'Generator 1',
      description: null,
      classificationType: 'GENERIC',
      classificationDetails: null,
      locationId: null,
      dashboardId: null,
      parentId: null,
      variables: [],
      createdDateTime: body.createdDateTime,
      updatedDateTime: body.createdDateTime,
    });
    expect(headers.get('location')).toBe(`/primary/v1/${server.organizationId}/assets/${body.id}`);
    const retrieved = await assets.retrieve(body.id);
    expect(retrieved.body).toEqual(body);
    expect(retrieved.headers.get('etag')).toBe(headers.get('etag'));
  });

  it('keeps every field as it was sent', async () => {
    const parent = await assets.made();
    const given = {
      name: 'Feeder',
      description: '',
      classificationType: 'ELECTRICAL_FEEDER',
      classificationDetails: { z: 1, a: { '2': [null, true, 'é'], '10': 1.5e-7 }, make: 5 },
      locationId: await assets.newLocation(),
      dashboardId: await assets.newDashboard(),
      parentId: parent.id,
    };
    const { body, text } = await assets.create(given);
    expect(body).toMatchObject(given);
    expect(text).toContain(JSON.stringify(given.classificationDetails));
    expect((await assets.retrieve(body.id)).text).toBe(text);
  });

  it.each(ASSET_TYPES)('knows the classification %s', async (classificationType) => {
    expect((await assets.made({ classificationType })).classificationType).toBe(classificationType);
  });

  it.each([
    ['name', 1, 400],
    ['name', 2, 201],
    ['name', 3, 201],
    ['name', 99, 201],
    ['name', 100, 201],
    ['name', 101, 400],
    ['description', 0, 201],
    ['description', 499, 201],
    ['description', 500, 201],
    ['description', 501, 400],
  ])('takes a %s of %i code points as it should', async (field, length, status) => {
    expect((await assets.create({ [field]: 'x'.repeat(length) })).status).toBe(status);
    if (length === 0) return;
    expect((await assets.create({ [field]: 'x'.repeat(length - 1) + EMOJI })).status).toBe(status);
  });

  it.each<Refused>([
    ...BAD_FIELDS,
    [{ name: undefined }, 'name is required'],
    [{ id: UNKNOWN }, 'id is not a field of this request'],
    [{ variables: [] }, 'variables is not a field of this request'],
  ])('refuses %j', async (body, message) => {
    const answer = await assets.create(body);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [message]]);
  });

  it('names every reference that leads nowhere at once', async () => {
    const answer = await assets.create({
      locationId: UNKNOWN,
      dashboardId: UNKNOWN,
      parentId: UNKNOWN,
      classificationType: 'ELECTRICAL_GENERATOR',
      classificationDetails: { runningHoursVariableIds: [UNKNOWN] },
    });
    expect(errorsOf(answer)).toEqual(
      [
        'locationId',
        'dashboardId',
        'parentId',
        'classificationDetails.runningHoursVariableIds[0]',
      ].map((path) => unknownReference(path, UNKNOWN)),
    );
  });
});

describe('updating an Asset', () => {
  it('changes what is given and keeps the rest, its Variables too', async () => {
    const { id } = await assets.made({ description: 'Before', classificationDetails: { a: 1 } });
    const variable = await assets.newVariable();
    const before = (await assets.bind(id, variable.id)).body;
    expect(before.variables).toEqual([variable]);
    await sleep(5);
    const { status, body } = await assets.update(id, { name: 'Renamed' });
    expect(status).toBe(200);
    const { updatedDateTime } = body;
    expect(body).toEqual({ ...before, name: 'Renamed', updatedDateTime });
    expect(updatedDateTime > before.updatedDateTime).toBe(true);
    expect((await assets.retrieve(id)).body).toEqual(body);
  });

  it('clears with null what may be empty', async () => {
    const { id: parentId } = await assets.made();
    const { id } = await assets.made({
      description: 'x',
      classificationDetails: {},
      locationId: await assets.newLocation(),
      dashboardId: await assets.newDashboard(),
      parentId,
    });
    const empty = {
      description: null,
      classificationDetails: null,
      locationId: null,
      dashboardId: null,
      parentId: null,
    };
    expect((await assets.update(id, empty)).body).toMatchObject(empty);
  });

  it.each<Refused>([
    ...BAD_FIELDS,
    [{ id: UNKNOWN }, 'id cannot be changed: it is fixed or unknown'],
    [{ variables: [] }, 'variables cannot be changed: it is fixed or unknown'],
  ])('refuses %j', async (body, message) => {
    const { id } = await assets.made();
    const answer = await assets.update(id, body);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [message]]);
  });

  it('keeps the tree of parents without loops', async () => {
    const [top, middle, bottom] = await Promise.all([assets.made(), assets.made(), assets.made()]);
    expect((await assets.update(middle.id, { parentId: top.id })).status).toBe(200);
    expect((await assets.update(bottom.id, { parentId: middle.id })).status).toBe(200);
    for (const parentId of [top.id, middle.id, bottom.id]) {
      expect(errorsOf(await assets.update(top.id, { parentId }))).toEqual([
        'parentId would make a loop',
      ]);
    }
    expect((await assets.update(bottom.id, { parentId: null })).body.parentId).toBeNull();
  });

  it('keeps two moves at once from making a loop together', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [one, other] = await Promise.all([assets.made(), assets.made()]);
      const answers = await Promise.all([
        assets.update(one.id, { parentId: other.id }),
        assets.update(other.id, { parentId: one.id }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
  });

  it('lets one of twenty changes with the same tag through', async () => {
    const { id } = await assets.made();
    const tag = { 'if-match': (await assets.retrieve(id)).headers.get('etag') ?? '' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => assets.update(id, { name: `Racer ${index}` }, tag)),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 412)]);
    expect((await assets.remove(id, tag)).status).toBe(412);
  });
});

describe('deleting an Asset', () => {
  it('is for good, unbinds its Variables and lifts its children to the top', async () => {
    const { id } = await assets.made();
    const child = await assets.made({ parentId: id });
    const grandchild = await assets.made({ parentId: child.id });
    const variable = await assets.newVariable();
    await assets.bind(id, variable.id);
    await assets.bind(child.id, variable.id);
    const first = await assets.remove(id);
    expect([first.status, first.text]).toEqual([204, '']);
    expect((await assets.remove(id)).status).toBe(404);
    expect((await assets.retrieve(id)).status).toBe(404);
    expect((await assets.retrieve(child.id)).body).toMatchObject({
      parentId: null,
      variables: [variable],
    });
    expect((await assets.retrieve(grandchild.id)).body.parentId).toBe(child.id);
    const bound = await server.call(operations.listVariables, { query: `assetIds[]=${id}` });
    expect(bound.body.count).toBe(0);
    const kept = { params: { variableId: variable.id } };
    expect((await server.call(operations.retrieveVariable, kept)).body).toEqual(variable);
  });
});

describe("a neighbour's ids", () => {
  it('answer like unknown ones in every path', async () => {
    const { id } = await theirs.made();
    const variable = await theirs.newVariable();
    await theirs.bind(id, variable.id);
    const own = await assets.newVariable();
    const attempts = (asset: string) => [
      assets.retrieve(asset),
      assets.update(asset, { name: 'Stolen' }),
      assets.bind(asset, own.id),
      assets.bindMany(asset, [own.id], 'DISCONNECT'),
      assets.remove(asset),
    ];
    const answers = await Promise.all(attempts(id));
    const unknown = await Promise.all(attempts(UNKNOWN));
    expect(answers.map(({ status, body }) => [status, body.detail])).toEqual(
      unknown.map(({ body }) => [404, body.detail]),
    );
    const untouched = (await theirs.retrieve(id)).body;
    expect([untouched.name, untouched.variables]).toEqual(['Asset', [variable]]);
  });

  it('answer like unknown ones in every body', async () => {
    const [{ id }, { id: parentId }, variable] = await Promise.all([
      assets.made(),
      theirs.made(),
      theirs.newVariable(),
    ]);
    const references = {
      parentId,
      locationId: await theirs.newLocation(),
      dashboardId: await theirs.newDashboard(),
    };
    for (const [field, reference] of Object.entries(references)) {
      const refused = [unknownReference(field, reference)];
      expect(errorsOf(await assets.create({ [field]: reference }))).toEqual(refused);
      expect(errorsOf(await assets.update(id, { [field]: reference }))).toEqual(refused);
    }
    const details = {
      classificationType: 'ELECTRICAL_GENERATOR',
      classificationDetails: { runningHoursVariableIds: [variable.id] },
    };
    const path = 'classificationDetails.runningHoursVariableIds[0]';
    expect(errorsOf(await assets.create(details))).toEqual([unknownReference(path, variable.id)]);
    expect(errorsOf(await assets.update(id, details))).toEqual([
      unknownReference(path, variable.id),
    ]);
  });

  it('match nothing in a filter', async () => {
    const locationId = await theirs.newLocation();
    await theirs.made({ locationId });
    expect((await assets.list(`locationIds[]=${locationId}`)).body).toEqual({
      count: 0,
      items: [],
    });
    expect((await theirs.list(`locationIds[]=${locationId}`)).body.count).toBe(1);
  });
});
