import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assetCalls } from '../support/asset-calls.ts';
import { fieldwatch } from '../support/command.ts';
import { documented, words } from '../support/documented-commands.ts';
import { type IngestCalls, ingestCalls } from '../support/ingest-calls.ts';
import { type Assistant, startMcpCommand } from '../support/mcp.ts';
import { joinServer, type TestOrganization } from '../support/server.ts';

const MINUTE_MS = 60_000;
const MAX_ANSWER_BYTES = 20_000;

let server: TestOrganization;
let calls: IngestCalls;
let assistant: Assistant;
let roomId: string;
let deviceId: string;
let temperatureId: string;
/** When the last reading was made; each of the others a minute before the next. */
let lastTime: number;

const decoded = (header: string) => Buffer.from(header.split(' ')[1] ?? '', 'base64').toString();
const iso = (epochMs: number) => new Date(epochMs).toISOString();

const environmentOf = (key: string) => ({
  FIELDWATCH_URL: server.url,
  FIELDWATCH_KEY: key,
  FIELDWATCH_ORGANIZATION_ID: server.organizationId,
});

/** A room with a sensor whose door was opened, in another place a boiler that is too hot. */
beforeAll(async () => {
  server = await joinServer();
  calls = ingestCalls(server);
  const assets = assetCalls(server);
  const locationId = await assets.newLocation('Cold store');
  ({ id: deviceId } = await calls.newDevice({ name: 'Room sensor', locationId }));
  temperatureId = await calls.newVariable(deviceId, 'temperature', {
    name: 'Air temperature',
    unit: '°C',
  });
  await calls.newVariable(deviceId, 'door.open', { name: 'Door open', type: 'BOOLEAN' });
  roomId = (await server.call(operations.createAsset, { body: { name: 'Freezer room' } })).body.id;
  await assets.bindMany(roomId, [temperatureId]);
  const boiler = await calls.newDevice({ name: 'Boiler' });
  const boilerId = await calls.newVariable(boiler.id, 'boiler.temperature', { name: 'Flow' });
  await newAlarm('Room too warm', deviceId, temperatureId, { severity: 'CRITICAL' });
  await newAlarm('Flow too hot', boiler.id, boilerId, { severity: 'LOW' });
  lastTime = Date.now() - MINUTE_MS;
  const temperatures = [2, 1.5, 2, 3, 6, 9, 12, 11];
  for (const [index, value] of temperatures.entries()) {
    const timestamp = lastTime - (temperatures.length - 1 - index) * MINUTE_MS;
    const dataArray = [
      { key: 'temperature', value },
      { key: 'door.open', value: index >= 3 },
    ];
    await calls.write(deviceId, { timestamp, dataArray });
  }
  await calls.write(boiler.id, { dataArray: [{ key: 'boiler.temperature', value: 90 }] });
  const viewer = await server.newKey(['ReadAlarmConfigurations', 'ReadAssets']);
  assistant = await startMcpCommand(environmentOf(decoded(viewer)));
});

afterAll(async () => {
  await assistant?.client.close();
});

async function newAlarm(name: string, device: string, variable: string, fields: object) {
  const { status, text } = await server.call(operations.createAlarm, {
    body: {
      name,
      isActive: true,
      deviceId: device,
      deviceVariableId: variable,
      operator: 'GREATER_THAN',
      thresholdValueNumber: 8,
      alarmGroupId: null,
      ...fields,
    },
  });
  expect(status, text).toBe(201);
}

describe('an assistant connected to fieldwatch mcp', () => {
  it('gets instructions and tools that only read, each with what it is for and what it takes', async () => {
    const { client } = assistant;
    expect(client.getServerVersion()).toMatchObject({ name: 'fieldwatch' });
    expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: false } });
    expect(client.getInstructions()).toContain('list_open_alarms');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).join(' ')).toBe(
      'get_overview find list_open_alarms explain_alarm_event list_alarm_events get_latest_values summarize_history get_alarm_statistics backtest_alarm',
    );
    for (const { description = '', annotations, inputSchema } of tools) {
      expect(description.length).toBeGreaterThan(80);
      expect(annotations).toMatchObject({ readOnlyHint: true });
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    }
  });

  it('finds out what is wrong at a site: its open alarms, and the context of the event', async () => {
    const open = await assistant.call('list_open_alarms', { site: 'cold STORE' });
    expect(open.json.count).toBe(1);
    const [alarm] = open.json.openAlarms;
    const raisedTime = iso(lastTime - 2 * MINUTE_MS);
    expect(alarm).toMatchObject({
      severity: 'CRITICAL',
      alarm: 'Room too warm',
      condition: 'GREATER_THAN 8',
      device: 'Room sensor',
      variable: 'Air temperature',
      location: 'Cold store',
      unit: '°C',
      raisedTime,
      raisedValue: 9,
      isOpen: true,
    });
    const { json } = await assistant.call('explain_alarm_event', { eventId: alarm.eventId });
    expect(json.event).toMatchObject({ alarm: 'Room too warm', raisedTime });
    expect(json.context).toEqual({
      startTime: iso(lastTime - 12 * MINUTE_MS),
      endTime: iso(lastTime + 8 * MINUTE_MS),
    });
    expect(json.timeline).toMatchObject([{ kind: 'RAISED', time: raisedTime }]);
    expect(json.readings).toHaveLength(8);
    expect(json.readings[5]).toEqual({ time: raisedTime, value: 9 });
    expect(json.otherVariables).toMatchObject([{ variable: 'Door open', changes: 1, last: true }]);
    expect(json.eventsOfVariableIn30DaysBefore).toBe(0);
  });

  it.each(['Freezer', 'sensor', 'air temp', 'too warm'])(
    'finds the same open alarm by “%s”, the name of an Asset, a Device, a Variable or the Alarm',
    async (site) => {
      const { json } = await assistant.call('list_open_alarms', { site });
      expect(json.openAlarms).toMatchObject([{ alarm: 'Room too warm' }]);
    },
  );

  it('lists the most severe open alarms first, and only those of the given severities', async () => {
    const all = await assistant.call('list_open_alarms');
    const names = all.json.openAlarms.map((each: { alarm: string }) => each.alarm);
    expect(names).toEqual(['Room too warm', 'Flow too hot']);
    const low = await assistant.call('list_open_alarms', { severities: ['LOW'] });
    expect(low.json.openAlarms).toMatchObject([{ alarm: 'Flow too hot' }]);
  });

  it('finds ids by name, and reads the latest values with units and times', async () => {
    const { json: found } = await assistant.call('find', { search: 'temperature' });
    expect(found.counts).toEqual({ locations: 0, assets: 0, devices: 0, variables: 1 });
    expect(found.variables).toMatchObject([{ variableId: temperatureId, deviceId, unit: '°C' }]);
    const expected = { variableId: temperatureId, value: 11, unit: '°C', time: iso(lastTime) };
    for (const input of [
      { variableIds: [temperatureId] },
      { deviceId, search: 'air' },
      { assetId: roomId },
      { search: 'sensor air' },
    ]) {
      const { json } = await assistant.call('get_latest_values', input);
      expect(json.values).toMatchObject([expected]);
    }
  });

  it('summarizes history with the times of the lowest and the highest value', async () => {
    const range = { startTime: iso(lastTime - 60 * MINUTE_MS), endTime: iso(lastTime) };
    const { json } = await assistant.call('summarize_history', {
      variableId: temperatureId,
      ...range,
      buckets: 3,
    });
    expect(json).toMatchObject({
      ...range,
      unit: '°C',
      readingCount: 8,
      min: { value: 1.5, time: iso(lastTime - 6 * MINUTE_MS) },
      max: { value: 12, time: iso(lastTime - MINUTE_MS) },
      mean: 5.8125,
      first: 2,
      last: 11,
    });
    expect(json.buckets).toMatchObject([{ count: 8, min: 1.5, max: 12, last: 11 }]);
  });

  it('finds the time of an extreme among more readings than are read one by one', async () => {
    const { id } = await calls.newDevice({ name: 'Flow meter' });
    const variableId = await calls.newVariable(id, 'flow.rate');
    const readings = Array.from({ length: 1_500 }, (_, n) => ({
      key: 'flow.rate',
      value: n === 1_100 ? 99 : 5,
      timestamp: lastTime - n * 1000,
    }));
    await calls.write(id, { dataArray: readings });
    const { json } = await assistant.call('summarize_history', { variableId, buckets: 1 });
    expect(json).toMatchObject({
      readingCount: 1_500,
      min: { value: 5, time: iso(lastTime - 1_499_000) },
      max: { value: 99, time: iso(lastTime - 1_100_000) },
    });
  });

  it('lists past events, counts them, and tries another threshold out', async () => {
    const offset = iso(lastTime + 60 * MINUTE_MS).replace('Z', '+01:00');
    const past = await assistant.call('list_alarm_events', { site: 'cold', endTime: offset });
    expect(past.json.endTime).toBe(iso(lastTime));
    expect(past.json.events).toMatchObject([{ alarm: 'Room too warm' }]);
    const statistics = await assistant.call('get_alarm_statistics');
    expect(statistics.json).toMatchObject({ eventCount: 2, openCount: 2 });
    const backtest = await assistant.call('backtest_alarm', {
      variableId: temperatureId,
      operator: 'GREATER_THAN',
      threshold: 11.5,
    });
    expect(backtest.json).toMatchObject({ unit: '°C', readingCount: 8, eventCount: 1 });
    expect(backtest.json.events).toMatchObject([{ raisedValue: 12, clearedValue: 11 }]);
  });

  it('gets the sites with their most severe open alarm, the worst site first', async () => {
    const { json } = await assistant.call('get_overview');
    expect(json.totals).toMatchObject({ siteCount: 1, alarmCount: 2 });
    expect(json.sites).toMatchObject([
      { name: 'Cold store', state: 'ALARM', worstAlarm: { alarm: 'Room too warm' } },
      { name: 'Without a Location', worstAlarm: { alarm: 'Flow too hot' } },
    ]);
    expect(json.changesOfLastHour).toContainEqual(
      expect.objectContaining({ kind: 'RAISED', site: 'Cold store', alarm: 'Room too warm' }),
    );
  });
});

describe('a question that cannot be answered', () => {
  const unknown = '018f0000-0000-7000-8000-00000000dead';

  it.each([
    ['list_open_alarms', { site: 'nowhere' }, /^No Location, .* a name with “nowhere”/],
    ['explain_alarm_event', { eventId: unknown }, /\(NOT_FOUND\)$/],
    ['summarize_history', { variableId: unknown }, /^There is no Variable with this variableId/],
    ['list_alarm_events', { startTime: '2026-11-15T08:30:00' }, /^startTime must .* its zone/],
    ['list_alarm_events', { startTime: '2999-01-01T00:00:00Z' }, /^startTime must be before/],
    ['find', { search: 'room', kind: 'ASSET' }, /kind|additional/],
    ['get_latest_values', {}, /^Give variableIds, deviceId, assetId or search/],
    ['get_alarm_statistics', { startTime: '1969-01-01T00:00:00Z' }, /^startTime must be an ISO/],
  ])('%s of %j is an error of the tool that says why', async (name, input, reason) => {
    const { isError, text } = await assistant.call(name, input);
    expect(text).toMatch(reason);
    expect(isError).toBe(true);
  });

  it('is refused with the detail of the interface where the threshold is not allowed', async () => {
    const { text, isError } = await assistant.call('backtest_alarm', {
      variableId: temperatureId,
      operator: 'LESS_THAN',
      threshold: -18,
    });
    expect(text).toMatch(/\(INVALID_REQUEST\) thresholdValueNumber must be/);
    expect(isError).toBe(true);
  });

  it('is refused without a permission, and with a wrong key, whose secret is in no answer', async () => {
    const asked = async (key: string) => {
      const other = await startMcpCommand(environmentOf(key));
      const called = await other.call('list_open_alarms');
      await other.client.close();
      return called;
    };
    const [weak, wrong] = await Promise.all([
      server.newKey([]).then((key) => asked(decoded(key))),
      asked(`${unknown}:very-secret`),
    ]);
    expect(weak).toMatchObject({
      isError: true,
      text: expect.stringContaining('(PERMISSION_MISSING)'),
    });
    expect(wrong.text).toContain('(UNAUTHENTICATED)');
    expect(wrong.text).not.toContain('very-secret');
    expect(wrong.isError).toBe(true);
  });
});

it('an answer about very much is cut to 20 kB and says how to ask for less', async () => {
  const device = await calls.newDevice({ name: 'Rack of sensors' });
  for (let n = 0; n < 120; n += 1) {
    await calls.newVariable(device.id, `slot.${n}`, { name: `${'Slot '.repeat(8)}${n}` });
  }
  const { text, json } = await assistant.call('get_latest_values', { deviceId: device.id });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
  expect(json.note).toMatch(/^Cut to 20 kB: \d+ of 120 values are shown\. Ask for fewer/);
  expect(json.variableCount).toBe(120);
  expect(json.values.length).toBeGreaterThan(50);
});

it('fieldwatch mcp ends with its standard input, and says which setting is missing', async () => {
  const environment = environmentOf(decoded(server.key));
  const [, ...args] = words(documented('docs/cli.md', 'fieldwatch mcp'));
  expect(await fieldwatch(args, environment)).toEqual({ exitCode: 0, output: '', errors: '' });
  const { exitCode, errors } = await fieldwatch(['mcp'], { ...environment, FIELDWATCH_KEY: '' });
  expect(errors).toBe('Give an API key: --key id:secret, or FIELDWATCH_KEY.\n');
  expect(exitCode).toBe(2);
});
