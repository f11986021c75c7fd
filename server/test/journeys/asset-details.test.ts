import { operations } from '@fieldwatch/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { type AssetCalls, assetCalls, errorsOf, unknownReference } from '../support/asset-calls.ts';

import { joinServer, type TestOrganization } from '../support/server.ts';

const UNKNOWN = '018f0000-0000-7000-8000-00000000dead';
const GENERATOR = 'ELECTRICAL_GENERATOR';
const RUNNING_HOURS = 'classificationDetails.runningHoursVariableIds';

let server: TestOrganization;
let assets: AssetCalls;

beforeAll(async () => {
  server = await joinServer();
  assets = assetCalls(server);
});

/** Settings of exactly so many bytes as JSON, with an emoji at the edge. */
const sized = (bytes: number) => {
  const details = { x: 'x'.repeat(bytes - '{"x":"😀"}'.length - 2).concat('😀') };
  expect(Buffer.byteLength(JSON.stringify(details))).toBe(bytes);
  return details;
};

const deleteVariable = ({ id, deviceId }: { id: string; deviceId: string }) =>
  server.call(operations.deleteVariable, { params: { deviceId, variableId: id } });

describe('the settings of an Asset', () => {
  it.each([
    [16_383, true],
    [16_384, true],
    [16_385, false],
  ])('of %i bytes are taken: %s', async (bytes, isTaken) => {
    const classificationDetails = sized(bytes);
    const created = await assets.create({ classificationDetails });
    const { id } = await assets.made();
    const updated = await assets.update(id, { classificationDetails });
    if (isTaken) {
      expect([created.status, updated.status]).toEqual([201, 200]);
      expect((await assets.retrieve(id)).body.classificationDetails).toEqual(classificationDetails);
    } else {
      const errors = ['classificationDetails must be at most 16 KiB as JSON'];
      expect([errorsOf(created), errorsOf(updated)]).toEqual([errors, errors]);
    }
  });

  it.each([
    '{}',
    '{"z":1,"a":2}',
    '{"b":{"z":[1,{"y":null}]},"a":"\u2028 \\\\ \\" \\n 😀"}',
    '{"zero":0,"small":1.5e-7,"large":1e+300,"exact":0.1}',
    '{"runningHoursVariableIds":"any","make":[]}',
  ])('come back as they were sent: %s', async (json) => {
    const body = `{"name":"Kept","classificationDetails":${json}}`;
    const { status, text, body: asset } = await server.call(operations.createAsset, { body });
    expect(status).toBe(201);
    expect(text).toContain(`"classificationDetails":${json}`);
    await assets.update(asset.id, { description: 'Another edit' });
    expect((await assets.retrieve(asset.id)).text).toContain(`"classificationDetails":${json}`);
  });

  it.each([
    ['1e999', 'classificationDetails.a must be a number within the range of doubles'],
    ['"\\u0000"', 'classificationDetails.a must not contain NUL or a lone surrogate'],
    ['"\\ud800"', 'classificationDetails.a must not contain NUL or a lone surrogate'],
  ])('do not hold %s, which could not come back', async (json, message) => {
    const body = `{"name":"Refused","classificationDetails":{"a":${json}}}`;
    const answer = await server.call(operations.createAsset, { body });
    expect([answer.status, errorsOf(answer)]).toEqual([400, [message]]);
  });

  it.each([70, 5_000, 100_000])('are refused when they nest %i levels deep', async (levels) => {
    const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const { status } = await server.call(operations.createAsset, {
      body: `{"name":"Deep","classificationDetails":{"a":${deep}}}`,
    });
    expect(status).toBe(400);
  });
});

describe('the settings of a generator', () => {
  it('hold what a generator has, and other keys too', async () => {
    const variable = await assets.newVariable();
    const classificationDetails = {
      make: 'Acme',
      model: 'G-500',
      serialNumber: '😀'.repeat(100),
      fuelType: 'diesel',
      ratedKw: 500,
      ratedKva: 625.5,
      ratedVolts: 400,
      ratedAmps: 0,
      ratedHz: 50,
      runningHoursVariableIds: [variable.id, variable.id.toUpperCase()],
      colour: { of: 'the hood' },
    };
    const asset = await assets.made({ classificationType: GENERATOR, classificationDetails });
    expect(asset.classificationDetails).toEqual(classificationDetails);
  });

  it('are refused by the name of each bad key, together with other bad fields', async () => {
    const body = {
      name: '',
      classificationType: GENERATOR,
      classificationDetails: {
        make: '',
        ratedKw: -1,
        runningHoursVariableIds: [UNKNOWN, 'x'],
      },
    };
    const errors = [
      'name must have at least 2 characters',
      'classificationDetails.make must have at least 1 character',
      'classificationDetails.ratedKw must be at least 0',
      `${RUNNING_HOURS}[1] must be a UUID`,
    ];
    expect(errorsOf(await assets.create(body))).toEqual(errors);
    const { id } = await assets.made();
    expect(errorsOf(await assets.update(id, body))).toEqual(errors);
  });

  it('name Variables that exist', async () => {
    const { id: known } = await assets.newVariable();
    const answer = await assets.create({
      classificationType: GENERATOR,
      classificationDetails: { runningHoursVariableIds: [UNKNOWN, known, UNKNOWN] },
    });
    expect([answer.status, errorsOf(answer)]).toEqual([
      400,
      [0, 2].map((index) => unknownReference(`${RUNNING_HOURS}[${index}]`, UNKNOWN)),
    ]);
  });

  it('are judged when an Asset becomes a generator', async () => {
    const { id } = await assets.made({
      classificationDetails: { ratedKw: 'many', runningHoursVariableIds: [UNKNOWN] },
    });
    const become = (body: object = {}) =>
      assets.update(id, { classificationType: GENERATOR, ...body });
    expect(errorsOf(await become())).toEqual(['classificationDetails.ratedKw must be a number']);
    const unknown = { classificationDetails: { runningHoursVariableIds: [UNKNOWN] } };
    expect((await assets.update(id, unknown)).status).toBe(200);
    expect(errorsOf(await become())).toEqual([unknownReference(`${RUNNING_HOURS}[0]`, UNKNOWN)]);
    expect((await assets.retrieve(id)).body.classificationType).toBe('GENERIC');
    expect((await become({ classificationDetails: { ratedKw: 1 } })).status).toBe(200);
  });

  it('are judged when they are given to a generator', async () => {
    const { id } = await assets.made({ classificationType: GENERATOR });
    const change = (classificationDetails: object | null) =>
      assets.update(id, { classificationDetails });
    expect(errorsOf(await change({ ratedHz: '50' }))).toEqual([
      'classificationDetails.ratedHz must be a number',
    ]);
    expect(errorsOf(await change({ runningHoursVariableIds: [UNKNOWN] }))).toEqual([
      unknownReference(`${RUNNING_HOURS}[0]`, UNKNOWN),
    ]);
    expect((await change({ ratedHz: 50 })).status).toBe(200);
    expect((await change(null)).body.classificationDetails).toBeNull();
  });

  it('mean nothing any more once an Asset is no generator', async () => {
    const { id } = await assets.made({
      classificationType: GENERATOR,
      classificationDetails: { ratedKw: 1 },
    });
    const { status } = await assets.update(id, {
      classificationType: 'ELECTRICAL_UTILITY',
      classificationDetails: { ratedKw: 'many' },
    });
    expect(status).toBe(200);
  });

  it('do not stand in the way of other edits when a Variable of theirs is deleted', async () => {
    const variable = await assets.newVariable();
    const classificationDetails = { runningHoursVariableIds: [variable.id] };
    const { id } = await assets.made({ classificationType: GENERATOR, classificationDetails });
    expect((await deleteVariable(variable)).status).toBe(204);
    const renamed = await assets.update(id, { name: 'Renamed', classificationType: GENERATOR });
    expect([renamed.status, renamed.body.classificationDetails]).toEqual([
      200,
      classificationDetails,
    ]);
    expect(errorsOf(await assets.update(id, { classificationDetails }))).toEqual([
      unknownReference(`${RUNNING_HOURS}[0]`, variable.id),
    ]);
  });
});
