import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '@fieldwatch/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorsOf, unknownReference } from '../support/asset-calls.ts';

import { joinServer, type TestOrganization } from '../support/server.ts';

const UNKNOWN = '018f0000-0000-7000-8000-00000000dead';
const EMOJI = '😀';

let server: TestOrganization;

beforeAll(async () => {
  server = await joinServer();
});

type Fields = Record<string, unknown>;

const create = (body: Fields = {}) =>
  server.call(operations.createLocation, { body: { name: 'Plant', ...body } });

const made = async (body: Fields = {}) => (await create(body)).body;

const update = (id: string, body: Fields, headers: Record<string, string> = {}) =>
  server.call(operations.updateLocation, { params: { locationId: id }, body, headers });

const retrieve = (id: string) =>
  server.call(operations.retrieveLocation, { params: { locationId: id } });

const remove = (id: string, headers: Record<string, string> = {}) =>
  server.call(operations.deleteLocation, { params: { locationId: id }, headers });

const BAD_FIELDS: [Fields, string][] = [
  [{ name: ' ' }, 'name must not be only white space'],
  [{ name: null }, 'name must be a string'],
  [{ description: 5 }, 'description must be a string or null'],
  [{ address: [] }, 'address must be a string or null'],
  [{ latitude: '5', longitude: 5 }, 'latitude must be a number or null'],
  [{ parentId: 'x' }, 'parentId must be a UUID'],
  [{ parentId: UNKNOWN }, unknownReference('parentId', UNKNOWN)],
  [{ timeZone: 5 }, 'timeZone must be a string or null'],
  [{ timeZone: '' }, 'timeZone must be the IANA name of a time zone'],
  [{ timeZone: 'Europe/Atlantis' }, 'timeZone must be the IANA name of a time zone'],
  [{ timeZone: '+02:00' }, 'timeZone must be the IANA name of a time zone'],
  [{ timeZone: 'Europe/Vienna ' }, 'timeZone must be the IANA name of a time zone'],
];

describe('creating a Location', () => {
  it('returns the whole record and its Location header', async () => {
    const { status, body, headers } = await create();
    expect(status).toBe(201);
    expect(body).toEqual({
      id: body.id,
      name: 'Plant',
      description: null,
      address: null,
      latitude: null,
      longitude: null,
      parentId: null,
      timeZone: null,
      createdDateTime: body.createdDateTime,
      updatedDateTime: body.createdDateTime,
    });
    expect(headers.get('location')).toBe(
      `/primary/v1/${server.organizationId}/locations/${body.id}`,
    );
    expect((await retrieve(body.id)).body).toEqual(body);
  });

  it('keeps every field as it was sent', async () => {
    const parent = await made();
    const given = {
      name: 'Boiler house',
      description: '',
      address: '1 Plant Road',
      latitude: 48.208_174_123_456_7,
      longitude: -16.373_819,
      parentId: parent.id,
      timeZone: 'Europe/Vienna',
    };
    const body = await made(given);
    expect(body).toMatchObject(given);
    expect((await retrieve(body.id)).body).toEqual(body);
  });

  it.each([
    ['name', 0, 400],
    ['name', 1, 201],
    ['name', 2, 201],
    ['name', 99, 201],
    ['name', 100, 201],
    ['name', 101, 400],
    ['description', 0, 201],
    ['description', 499, 201],
    ['description', 500, 201],
    ['description', 501, 400],
    ['address', 0, 201],
    ['address', 499, 201],
    ['address', 500, 201],
    ['address', 501, 400],
  ])('takes a %s of %i code points as it should', async (field, length, status) => {
    expect((await create({ [field]: 'x'.repeat(length) })).status).toBe(status);
    if (length === 0) return;
    expect((await create({ [field]: 'x'.repeat(length - 1) + EMOJI })).status).toBe(status);
  });

  it.each([
    [-90, 0, 201],
    [-90.000_001, 0, 400],
    [90, 0, 201],
    [90.000_001, 0, 400],
    [0, -180, 201],
    [0, -180.000_001, 400],
    [0, 180, 201],
    [0, 180.000_001, 400],
    [null, null, 201],
  ])('takes the place %j, %j as it should', async (latitude, longitude, status) => {
    expect((await create({ latitude, longitude })).status).toBe(status);
  });

  it.each([
    [{ latitude: 1 }, 'longitude is required when latitude is given'],
    [{ latitude: 1, longitude: null }, 'longitude is required when latitude is given'],
    [{ longitude: 0 }, 'latitude is required when longitude is given'],
  ])('needs both coordinates or none: %j', async (body, message) => {
    const answer = await create(body);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [message]]);
  });

  it.each([
    ...BAD_FIELDS,
    [{ name: undefined }, 'name is required'] as [Fields, string],
    [{ id: UNKNOWN }, 'id is not a field of this request'] as [Fields, string],
  ])('refuses %j', async (body, message) => {
    const answer = await create(body);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [message]]);
  });

  it('names every bad field at once', async () => {
    const answer = await create({ name: '', latitude: 91, timeZone: 'Nowhere' });
    expect(errorsOf(answer).sort()).toEqual([
      'latitude must be at most 90',
      'longitude is required when latitude is given',
      'name must have at least 1 character',
      'timeZone must be the IANA name of a time zone',
    ]);
  });

  it.each(['UTC', 'America/Argentina/Buenos_Aires', 'Asia/Kolkata', 'Etc/GMT+5'])(
    'knows the time zone %s',
    async (timeZone) => {
      expect((await made({ timeZone })).timeZone).toBe(timeZone);
    },
  );
});

describe('updating a Location', () => {
  it('changes the given fields and keeps the others', async () => {
    const before = await made({ description: 'Before', latitude: 1, longitude: 2 });
    await sleep(5);
    const { status, body } = await update(before.id, { name: 'Renamed', latitude: 3 });
    expect(status).toBe(200);
    const { updatedDateTime } = body;
    expect(body).toEqual({ ...before, name: 'Renamed', latitude: 3, updatedDateTime });
    expect(updatedDateTime > before.updatedDateTime).toBe(true);
    expect((await retrieve(before.id)).body).toEqual(body);
  });

  it('clears with null what may be empty', async () => {
    const parent = await made();
    const { id } = await made({
      description: 'x',
      address: 'x',
      latitude: 1,
      longitude: 2,
      parentId: parent.id,
      timeZone: 'UTC',
    });
    const empty = {
      description: null,
      address: null,
      latitude: null,
      longitude: null,
      parentId: null,
      timeZone: null,
    };
    expect((await update(id, empty)).body).toMatchObject(empty);
  });

  it.each([
    ...BAD_FIELDS,
    [{ id: UNKNOWN }, 'id cannot be changed: it is fixed or unknown'] as [Fields, string],
    [{ createdDateTime: '' }, 'createdDateTime cannot be changed: it is fixed or unknown'] as [
      Fields,
      string,
    ],
  ])('refuses %j', async (body, message) => {
    const { id } = await made();
    const answer = await update(id, body);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [message]]);
  });

  it('judges the coordinates that result', async () => {
    const { id } = await made();
    expect(errorsOf(await update(id, { latitude: 1 }))).toEqual([
      'longitude is required when latitude is given',
    ]);
    expect((await update(id, { latitude: 1, longitude: 2 })).status).toBe(200);
    expect(errorsOf(await update(id, { latitude: null }))).toEqual([
      'latitude is required when longitude is given',
    ]);
    expect((await retrieve(id)).body).toMatchObject({ latitude: 1, longitude: 2 });
    expect((await update(id, { latitude: null, longitude: null })).status).toBe(200);
  });

  it('keeps the tree of parents without loops', async () => {
    const [top, middle, bottom] = await Promise.all([made(), made(), made()]);
    expect((await update(middle.id, { parentId: top.id })).status).toBe(200);
    expect((await update(bottom.id, { parentId: middle.id })).body.parentId).toBe(middle.id);
    for (const parentId of [top.id, middle.id, bottom.id]) {
      expect(errorsOf(await update(top.id, { parentId }))).toEqual(['parentId would make a loop']);
    }
    expect((await update(bottom.id, { parentId: null })).body.parentId).toBeNull();
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

  it('lets one of twenty changes with the same tag through', async () => {
    const { id } = await made();
    const etag = (await retrieve(id)).headers.get('etag') ?? '';
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        update(id, { name: `Racer ${index}` }, { 'if-match': etag }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 412)]);
    expect((await remove(id, { 'if-match': etag })).status).toBe(412);
  });
});

describe('deleting a Location', () => {
  it('lifts its children to the top and empties what named it', async () => {
    const { id } = await made();
    const child = await made({ parentId: id });
    const grandchild = await made({ parentId: child.id });
    const device = await server.call(operations.createDevice, {
      body: { type: 'CUSTOM_DEVICE', name: 'Device', locationId: id },
    });
    const asset = await server.call(operations.createAsset, {
      body: { name: 'Asset', locationId: id },
    });
    expect([device.body.locationId, asset.body.locationId]).toEqual([id, id]);
    const first = await remove(id);
    expect([first.status, first.text]).toEqual([204, '']);
    expect((await remove(id)).status).toBe(404);
    expect((await retrieve(id)).status).toBe(404);
    expect((await retrieve(child.id)).body.parentId).toBeNull();
    expect((await retrieve(grandchild.id)).body.parentId).toBe(child.id);
    const params = { deviceId: device.body.id, assetId: asset.body.id };
    expect((await server.call(operations.retrieveDevice, { params })).body.locationId).toBeNull();
    expect((await server.call(operations.retrieveAsset, { params })).body.locationId).toBeNull();
  });
});
