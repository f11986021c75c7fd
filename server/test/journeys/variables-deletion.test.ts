import { operations } from '@fieldwatch/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { joinServer, type TestOrganization } from '../support/server.ts';
import { type VariableCalls, variableCalls } from '../support/variable-calls.ts';

const UNKNOWN = '018f0000-0000-7000-8000-00000000dead';

let server: TestOrganization;
let neighbour: TestOrganization;
let ours: VariableCalls;
let theirs: VariableCalls;
let deviceId: string;

beforeAll(async () => {
  server = await joinServer();
  neighbour = await joinServer();
  ours = variableCalls(server);
  theirs = variableCalls(neighbour);
  deviceId = await ours.newDevice();
});

const newAlarm = async (on: string, deviceVariableId: string): Promise<string> => {
  const { body } = await server.call(operations.createAlarm, {
    body: {
      name: 'Alarm',
      isActive: true,
      deviceId: on,
      deviceVariableId,
      operator: 'GREATER_THAN',
      thresholdValueNumber: 5,
      alarmGroupId: null,
    },
  });
  return body.id;
};

describe('deleting a Variable', () => {
  it('is for good, and frees its path', async () => {
    const variable = await ours.made(deviceId);
    const first = await ours.remove(deviceId, variable.id);
    expect([first.status, first.text]).toEqual([204, '']);
    expect((await ours.remove(deviceId, variable.id)).status).toBe(404);
    expect((await ours.retrieve(variable.id)).status).toBe(404);
    const { topicPropertyPath } = variable;
    expect((await ours.create(deviceId, { topicPropertyPath })).status).toBe(201);
  });

  it('asks that the Device in the path owns it', async () => {
    const { id } = await ours.made(deviceId);
    for (const on of [await ours.newDevice(), await theirs.newDevice(), UNKNOWN, 'not-a-uuid']) {
      expect((await ours.remove(on, id)).status).toBe(404);
    }
    expect((await ours.retrieve(id)).status).toBe(200);
    expect((await ours.remove(deviceId, 'not-a-uuid')).status).toBe(404);
    expect((await ours.remove(deviceId, UNKNOWN)).body.detail).toBe('There is no such Variable.');
  });

  it('is refused with a tag that is stale', async () => {
    const { body, headers } = await ours.create(deviceId);
    const stale = { 'if-match': headers.get('etag') ?? '' };
    const edited = await ours.update(body.id, { name: 'New' });
    expect((await ours.remove(deviceId, body.id, stale)).status).toBe(412);
    const fresh = { 'if-match': edited.headers.get('etag') ?? '' };
    expect((await ours.remove(deviceId, body.id, fresh)).status).toBe(204);
  });

  it('takes its Alarms and its bindings with it, and leaves the others', async () => {
    const [gone, kept] = [await ours.made(deviceId), await ours.made(deviceId)];
    const assetId = await ours.newAsset();
    await ours.bind(assetId, [gone.id, kept.id]);
    const alarms = [await newAlarm(deviceId, gone.id), await newAlarm(deviceId, kept.id)];
    await ours.remove(deviceId, gone.id);
    const { body: asset } = await server.call(operations.retrieveAsset, { params: { assetId } });
    expect(asset.variables.map(({ id }: { id: string }) => id)).toEqual([kept.id]);
    const statuses = alarms.map(
      async (alarmId) =>
        (await server.call(operations.retrieveAlarm, { params: { alarmId } })).status,
    );
    expect(await Promise.all(statuses)).toEqual([404, 200]);
  });

  it('of twenty at once succeeds once', async () => {
    const { id } = await ours.made(deviceId);
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await ours.remove(deviceId, id)).status),
    );
    expect(statuses.sort()).toEqual([204, ...Array.from({ length: 19 }, () => 404)]);
  });
});

describe('a Device', () => {
  it('takes its Variables with it when it is deleted, with all that depends on them', async () => {
    const on = await ours.newDevice();
    const [variable, other] = [await ours.made(on), await ours.made(deviceId)];
    const assetId = await ours.newAsset();
    await ours.bind(assetId, [variable.id]);
    const alarmId = await newAlarm(on, variable.id);
    await server.call(operations.deleteDevice, { params: { deviceId: on } });
    expect((await ours.retrieve(variable.id)).status).toBe(404);
    expect(await ours.list(`deviceIds[]=${on}`)).toEqual({ count: 0, items: [] });
    expect((await ours.listOfDevice(on)).status).toBe(404);
    const { body: asset } = await server.call(operations.retrieveAsset, { params: { assetId } });
    expect(asset.variables).toEqual([]);
    expect((await server.call(operations.retrieveAlarm, { params: { alarmId } })).status).toBe(404);
    expect((await ours.retrieve(other.id)).status).toBe(200);
  });

  it('shows its Variables also while it is archived', async () => {
    const on = await ours.newDevice();
    const variable = await ours.made(on);
    await server.call(operations.archiveDevice, { params: { deviceId: on } });
    expect((await ours.retrieve(variable.id)).body).toEqual(variable);
    expect((await ours.list(`deviceIds[]=${on}`)).items).toEqual([variable]);
    expect((await ours.listOfDevice(on)).body).toEqual({ count: 1, items: [variable] });
  });

  it('that is deleted while Variables are made keeps none of them', async () => {
    for (let round = 0; round < 5; round += 1) {
      const on = await ours.newDevice();
      const [deletion, ...answers] = await Promise.all([
        server.call(operations.deleteDevice, { params: { deviceId: on } }),
        ...Array.from({ length: 8 }, () => ours.create(on)),
      ]);
      expect(deletion.status).toBe(204);
      for (const { status, body } of answers) {
        expect([201, 404]).toContain(status);
        if (status === 201) expect((await ours.retrieve(body.id)).status).toBe(404);
      }
    }
  });
});

describe("a neighbour's Variable", () => {
  it('answers like an unknown one in every operation', async () => {
    const theirDevice = await theirs.newDevice();
    const foreign = await theirs.made(theirDevice);
    const params = { deviceId, variableId: foreign.id };
    for (const [operation, body] of [
      [operations.retrieveVariable, undefined],
      [operations.updateVariable, { name: 'Stolen' }],
      [operations.deleteVariable, undefined],
    ] as const) {
      const unknown = { deviceId, variableId: UNKNOWN };
      const answers = [params, unknown].map(async (given) => {
        const answer = await server.call(operation, {
          params: given,
          ...(body === undefined ? {} : { body }),
        });
        return [operation.id, answer.status, answer.body.detail];
      });
      const [known, reference] = await Promise.all(answers);
      expect(known).toEqual(reference);
      expect(known).toEqual([operation.id, 404, 'There is no such Variable.']);
    }
    expect((await ours.remove(theirDevice, foreign.id)).status).toBe(404);
    expect((await theirs.retrieve(foreign.id)).body).toEqual(foreign);
  });

  it('is found by no filter of ours', async () => {
    const theirDevice = await theirs.newDevice();
    const folderId = await theirs.newFolder();
    const foreign = await theirs.made(theirDevice, { name: 'Only theirs', folderId });
    const assetId = await theirs.newAsset();
    await theirs.bind(assetId, [foreign.id]);
    for (const query of [
      'search=only%20theirs',
      `deviceIds[]=${theirDevice}`,
      `folderIds[]=${folderId}`,
      `assetIds[]=${assetId}`,
    ]) {
      expect(await theirs.list(query)).toEqual({ count: 1, items: [foreign] });
      expect(await ours.list(query)).toEqual({ count: 0, items: [] });
    }
    const ofDevice = await ours.listOfDevice(theirDevice);
    expect([ofDevice.status, ofDevice.body.detail]).toEqual([404, 'There is no such Device.']);
    const filing = await ours.update((await ours.made(deviceId)).id, { folderId });
    expect([filing.status, filing.body.errors[0].path]).toEqual([400, 'folderId']);
    const creation = await ours.create(deviceId, { folderId });
    expect([creation.status, creation.body.errors[0].path]).toEqual([400, 'folderId']);
  });
});
