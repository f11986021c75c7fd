import { operations } from '@fieldwatch/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorsOf } from '../support/device-calls.ts';
import { type IngestCalls, ingestCalls } from '../support/ingest-calls.ts';
import { joinServer, type TestOrganization } from '../support/server.ts';
import { cases } from '../support/soak.ts';

const UNKNOWN = '018f0000-0000-7000-8000-00000000dead';

let server: TestOrganization;
let neighbour: TestOrganization;
let calls: IngestCalls;

beforeAll(async () => {
  server = await joinServer();
  neighbour = await joinServer();
  calls = ingestCalls(server);
});

/** What two requests with the same outcome have in common. */
function answerOf({ status, body }: Awaited<ReturnType<IngestCalls['write']>>) {
  return { status, ...body, requestId: undefined };
}

const ALL = { accepted: 2, stored: 2, rejected: [] };

describe('readings over HTTP', () => {
  it.each([
    ['a plain object', { 'engine.rpm': 1800, phases: [{ volts: 230 }] }],
    ['data', { data: { engine: { rpm: 1800 }, phases: [{ volts: 230 }] } }],
    [
      'dataArray',
      {
        dataArray: [
          { key: 'engine.rpm', value: 1800 },
          { key: 'phases.0.volts', value: 230 },
        ],
      },
    ],
    [
      'data as a list',
      {
        data: [
          { key: 'engine.rpm', value: 1800 },
          { key: 'phases.0.volts', value: 230 },
        ],
      },
    ],
  ])('are accepted as %s', async (_, body) => {
    const { id } = await calls.newDevice();
    await calls.newVariable(id, 'engine.rpm');
    await calls.newVariable(id, 'phases.0.volts');
    expect((await calls.write(id, body)).body).toEqual(ALL);
    expect((await calls.ingestOf(id)).accepted).toBe(2);
  });

  it('get the same answer when their body is decoded from its bytes and when it is parsed', async () => {
    const { id } = await calls.newDevice();
    await calls.newVariable(id, 'engine.rpm');
    const { id: inactive } = await calls.newDevice();
    await calls.editDevice(inactive, { isActive: false });
    const at = server.clock.now();
    for (const deviceId of [id, inactive, UNKNOWN]) {
      for (const [rpm, timestamp] of [
        [1800.5, at],
        ['fast', at],
        [1800.5, at + 1e6],
      ] as const) {
        const oil = { key: 'oil', value: true };
        const decoded = await calls.write(deviceId, { timestamp, data: { 'engine.rpm': rpm } });
        const parsed = await calls.write(deviceId, { timestamp, data: { engine: { rpm } } });
        const decodedList = await calls.write(deviceId, {
          timestamp,
          dataArray: [oil, { key: 'engine.rpm', value: rpm }],
        });
        const parsedList = await calls.write(deviceId, {
          timestamp,
          dataArray: [oil, { key: 'engine', value: { rpm } }],
        });
        expect(answerOf(decoded)).toEqual(answerOf(parsed));
        expect(answerOf(decodedList)).toEqual(answerOf(parsedList));
      }
    }
  });

  it('are accepted in the older form, with the key in the header or in the query', async () => {
    const { id } = await calls.newDevice();
    await calls.newVariable(id, 'engine.rpm');
    const { organizationId } = server;
    const dataArray = [{ key: 'engine.rpm', value: 1, timestamp: server.clock.now() }];
    const body = { organizationId, deviceId: id, dataArray };
    expect((await calls.payload(body)).body).toEqual({ accepted: 1, stored: 1, rejected: [] });
    const { body: key } = await server.call(operations.createApiKey, {
      body: { name: 'Old', permissions: ['WriteReadings'] },
    });
    const query = `apiKeyId=${key.id}&apiKeySecret=${key.secret}`;
    const answer = await server.call(operations.writePayload, { auth: undefined, query, body });
    expect(answer.status, answer.text).toBe(200);
    const wrong = await server.call(operations.writePayload, {
      auth: undefined,
      query: `apiKeyId=${key.id}&apiKeySecret=wrong`,
      body,
    });
    expect(wrong.status).toBe(401);
  });

  it('need the permission in the organization that the older form names', async () => {
    const { id } = await calls.newDevice();
    const body = { organizationId: server.organizationId, deviceId: id, dataArray: [] };
    const without = await server.newKey(['CreateDevice']);
    expect((await calls.payload(body, without)).body.code).toBe('PERMISSION_MISSING');
    expect((await calls.payload(body, neighbour.key)).body.code).toBe('ORGANIZATION_FORBIDDEN');
    expect((await calls.payload({ ...body, organizationId: 'x' })).body.code).toBe(
      'ORGANIZATION_FORBIDDEN',
    );
    for (const deviceId of [UNKNOWN, 'x']) {
      const answer = await calls.payload({ ...body, deviceId });
      expect(answer.status).toBe(400);
      expect(errorsOf(answer)).toEqual(['deviceId is not a Device here']);
    }
  });

  it.each([
    ['a list', [], 'body must be an object'],
    ['a number', 5, 'body must be an object'],
    ['nothing', undefined, 'body is required'],
  ])('are refused with 400 for %s', async (_, body, error) => {
    const { id } = await calls.newDevice();
    const answer = await calls.write(id, body);
    expect(answer.status).toBe(400);
    expect(errorsOf(answer)).toEqual([error]);
  });

  it('are accepted up to 4 MiB, and refused above', async () => {
    const { id } = await calls.newDevice();
    const ofSize = (bytes: number) => `{"a":1}${' '.repeat(bytes - 7)}`;
    expect((await calls.write(id, ofSize(4 * 1024 * 1024))).status).toBe(200);
    expect((await calls.write(id, ofSize(4 * 1024 * 1024 + 1))).status).toBe(413);
  });

  it('are accepted in any number within 4 MiB, and alarms judge each of them', async () => {
    const { id } = await calls.newDevice();
    const variableId = await calls.newVariable(id, 'level');
    await server.call(operations.createAlarm, {
      body: {
        name: 'Last',
        isActive: true,
        deviceId: id,
        deviceVariableId: variableId,
        operator: 'GREATER_THAN_OR_EQUAL',
        alarmGroupId: null,
        thresholdValueNumber: 69_999,
      },
    });
    const start = server.clock.now() - 70_000;
    const entries = Array.from(
      { length: 70_000 },
      (_, index) => `{"key":"level","value":${index},"timestamp":${start + index}}`,
    );
    const answer = await calls.write(id, `{"dataArray":[${entries.join()}]}`);
    expect(answer.body).toEqual({ accepted: 70_000, stored: 70_000, rejected: [] });
    const { body } = await server.call(operations.listReadings, {
      params: { variableId },
      query: `startTime=${start + 69_998}`,
    });
    expect(body.items.map(({ value }: { value: number }) => value)).toEqual([69_998, 69_999]);
    const { body: history } = await server.call(operations.listAlarmHistory, {
      body: { startTime: 0, endTime: server.clock.now() },
    });
    expect(history.items.map((event: { raisedValue: number }) => event.raisedValue)).toEqual([
      69_999,
    ]);
  });

  it('are answered with the first ten thousand rejections', async () => {
    const { id } = await calls.newDevice();
    const values = Array.from({ length: 10_001 }, () => 1);
    const { body } = await calls.write(id, { values });
    expect(body).toMatchObject({ accepted: 0, stored: 0 });
    expect(body.rejected).toHaveLength(10_000);
    expect(body.rejected[9_999]).toEqual({ key: 'values.9999', reason: 'unknownPath' });
    expect((await calls.ingestOf(id)).rejected.unknownPath).toBe(10_001);
  });

  it('are refused with 404 for a Device that is unknown or of another organization', async () => {
    const other = await ingestCalls(neighbour).newDevice();
    expect((await calls.write(UNKNOWN, { a: 1 })).status).toBe(404);
    expect((await calls.write(other.id, { a: 1 })).status).toBe(404);
    const params = { deviceId: other.id };
    for (const operation of [operations.retrieveDeviceIngest, operations.listUnmatchedPaths]) {
      expect((await server.call(operation, { params })).status).toBe(404);
      expect((await server.call(operation, { params: { deviceId: UNKNOWN } })).status).toBe(404);
    }
  });

  it('are refused with 409 while the Device is inactive or archived, and accepted again at once', async () => {
    const { id } = await calls.newDevice();
    await calls.newVariable(id, 'engine.rpm');
    const status = async () => (await calls.write(id, { 'engine.rpm': 1 })).status;
    expect(await status()).toBe(200);
    await calls.editDevice(id, { isActive: false });
    expect(await status()).toBe(409);
    await calls.editDevice(id, { isActive: true });
    expect(await status()).toBe(200);
    await server.call(operations.archiveDevice, { params: { deviceId: id } });
    expect(await status()).toBe(409);
    await server.call(operations.restoreDevice, { params: { deviceId: id } });
    expect(await status()).toBe(200);
    await server.call(operations.deleteDevice, { params: { deviceId: id } });
    expect(await status()).toBe(404);
  });

  it('use each change of a Variable at once', async () => {
    const { id } = await calls.newDevice();
    const write = async () => (await calls.write(id, { 'engine.rpm': 1 })).body;
    const unknown = [{ key: 'engine.rpm', reason: 'unknownPath' }];
    expect(await write()).toEqual({ accepted: 0, stored: 0, rejected: unknown });
    const variableId = await calls.newVariable(id, 'engine.rpm');
    expect(await write()).toEqual({ accepted: 1, stored: 1, rejected: [] });
    await calls.editVariable(variableId, { isLoggingEnabled: false });
    expect(await write()).toEqual({ accepted: 1, stored: 0, rejected: [] });
    await server.call(operations.deleteVariable, { params: { deviceId: id, variableId } });
    expect(await write()).toEqual({ accepted: 0, stored: 0, rejected: unknown });
  });

  it('are all stored when hundreds of requests arrive at once', async () => {
    const { id } = await calls.newDevice();
    await calls.newVariable(id, 'engine.rpm');
    const answers = await Promise.all(
      Array.from({ length: cases(1_000, 0.25) }, (_, n) => calls.write(id, { 'engine.rpm': n })),
    );
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect((await calls.ingestOf(id)).accepted).toBe(answers.length);
  });
});

describe('the latest value', () => {
  const latest = async (variableId: string) => {
    const query = `ids[]=${variableId}`;
    return (await server.call(operations.listLatestValues, { query })).body.items;
  };

  it('has the newest time, not the latest arrival', async () => {
    const { id } = await calls.newDevice();
    const variableId = await calls.newVariable(id, 'engine.rpm');
    const now = server.clock.now();
    for (const [timestamp, value] of [
      [now, 1],
      [now - 1000, 2],
    ]) {
      await calls.write(id, { timestamp, data: { 'engine.rpm': value } });
    }
    expect(await latest(variableId)).toEqual([{ variableId, timestamp: now, value: 1 }]);
  });

  it('is stored also for a Variable without history', async () => {
    const { id } = await calls.newDevice();
    const variableId = await calls.newVariable(id, 'engine.mode', {
      type: 'STRING',
      isLoggingEnabled: false,
    });
    const timestamp = server.clock.now();
    const { body } = await calls.write(id, { timestamp, data: { 'engine.mode': 'AUTO' } });
    expect(body).toEqual({ accepted: 1, stored: 0, rejected: [] });
    expect(await latest(variableId)).toEqual([{ variableId, timestamp, value: 'AUTO' }]);
    const history = await server.call(operations.listReadings, { params: { variableId } });
    expect(history.body.items).toEqual([]);
  });

  it('of a BOOLEAN is true for 1 and false for 0', async () => {
    const { id } = await calls.newDevice();
    const variableId = await calls.newVariable(id, 'engine.on', { type: 'BOOLEAN' });
    for (const [sent, value] of [
      [1, true],
      [0, false],
    ]) {
      await calls.write(id, { 'engine.on': sent });
      expect(await latest(variableId)).toMatchObject([{ value }]);
    }
    const { body } = await calls.write(id, { 'engine.on': 2 });
    expect(body.rejected).toEqual([{ key: 'engine.on', reason: 'wrongType' }]);
  });

  it('of two readings with the same time is the last that was written, and counts once', async () => {
    const { id } = await calls.newDevice();
    const variableId = await calls.newVariable(id, 'engine.rpm');
    const timestamp = server.clock.now();
    for (const value of [1, 2, 3]) {
      await calls.write(id, { timestamp, data: { 'engine.rpm': value } });
    }
    expect(await latest(variableId)).toEqual([{ variableId, timestamp, value: 3 }]);
    const history = await server.call(operations.listReadings, { params: { variableId } });
    expect(history.body).toMatchObject({ count: 1, items: [{ timestamp, value: 3 }] });
  });
});
