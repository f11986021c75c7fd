import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventBench } from '../support/alarm-events.ts';
import { ingestCalls } from '../support/ingest-calls.ts';
import { connectOverHttp } from '../support/mcp.ts';
import { startNeighbour, startServer, type TestServer } from '../support/server.ts';

const REQUESTS_PER_MINUTE = 500;

let server: TestServer;
let url: string;
let viewer: string;

beforeAll(async () => {
  server = await startServer({ env: { FIELDWATCH_REQUESTS_PER_MINUTE: `${REQUESTS_PER_MINUTE}` } });
  url = `${server.url}/mcp/${server.organizationId}`;
  const bench = eventBench(() => server);
  const { point } = await bench.newWatched({ name: 'Too hot', severity: 'HIGH' });
  await bench.report(point, 70);
  viewer = await server.newKey(['ReadAlarmConfigurations', 'ReadAssets']);
});

afterAll(async () => {
  await server.stop();
});

const message = (method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params,
});

/** Sends one message as a client does that knows nothing of the official SDK. */
async function post(body: unknown, { auth = viewer, to = url, method = 'POST' } = {}) {
  const response = await fetch(to, {
    method,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(auth === '' ? {} : { authorization: auth }),
    },
    ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
  });
  return { response, text: await response.text() };
}

describe('an assistant connected over HTTP', () => {
  it.each(['legacy', 'auto'] as const)(
    'gets the tools and asks for open alarms, with an API key, by the %s handshake',
    async (mode) => {
      const assistant = await connectOverHttp(url, viewer, mode);
      expect(assistant.client.getProtocolEra()).toBe(mode === 'auto' ? 'modern' : 'legacy');
      expect((await assistant.client.listTools()).tools).toHaveLength(9);
      const { json } = await assistant.call('list_open_alarms', { site: 'generator' });
      expect(json.openAlarms).toMatchObject([{ alarm: 'Too hot', severity: 'HIGH' }]);
      const [{ eventId }] = json.openAlarms;
      const context = await assistant.call('explain_alarm_event', { eventId });
      expect(context.json.readings).toMatchObject([{ value: 70 }]);
      await assistant.client.close();
    },
  );

  it('asks with the Bearer token of a user, and may read only what the credentials may', async () => {
    const user = await connectOverHttp(url, await server.newUser('VIEWER'), 'auto');
    expect((await user.call('list_open_alarms', { site: 'Too hot' })).json.count).toBe(1);
    const weak = await connectOverHttp(url, await server.newKey([]), 'auto');
    expect((await weak.call('get_overview')).json.totals.deviceCount).toBeGreaterThan(0);
    const refused = await weak.call('list_open_alarms');
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain('ReadAlarmConfigurations. (PERMISSION_MISSING)');
    await Promise.all([user.client.close(), weak.client.close()]);
  });

  it('sees many readings around an event in parts, and other Variables in one line each', async () => {
    const calls = ingestCalls(server);
    const { id: deviceId } = await calls.newDevice({ name: 'Pump station' });
    const flowId = await calls.newVariable(deviceId, 'flow.rate', { name: 'Flow', unit: 'l/s' });
    const runningId = await calls.newVariable(deviceId, 'pump.running', {
      name: 'Pump running',
      type: 'BOOLEAN',
    });
    await calls.newVariable(deviceId, 'tank.level', { name: 'Level', unit: '%' });
    const point = { deviceId, deviceVariableId: flowId, path: 'flow.rate' };
    await eventBench(() => server).newAlarm(point, { name: 'Burst pipe' });
    const lastTime = Date.now() - 1_000;
    const dataArray = Array.from({ length: 100 }, (_, n) => {
      const timestamp = lastTime - (99 - n) * 2_000;
      return [
        { key: 'flow.rate', value: n < 80 ? 10 : 60, timestamp },
        { key: 'pump.running', value: n < 90, timestamp },
        { key: 'tank.level', value: 100 - n, timestamp },
      ];
    }).flat();
    await calls.write(deviceId, { dataArray });
    const assistant = await connectOverHttp(url, viewer, 'auto');
    const open = await assistant.call('list_open_alarms', { site: 'Burst' });
    const { eventId } = open.json.openAlarms[0];
    const context = (await assistant.call('explain_alarm_event', { eventId })).json;
    const count = context.readings.reduce(
      (sum: number, part: { count: number }) => sum + part.count,
      0,
    );
    expect(count).toBe(100);
    expect(context.readings.length).toBeLessThanOrEqual(60);
    expect(context.readings.at(-1)).toMatchObject({ min: 60, max: 60, mean: 60 });
    expect(context.otherVariables).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ variable: 'Level', unit: '%', first: 100, last: 1, min: 1 }),
        expect.objectContaining({ variable: 'Pump running', changes: 1, last: false }),
      ]),
    );
    const changes = await assistant.call('summarize_history', { variableId: runningId });
    const stopTime = new Date(lastTime - 18_000).toISOString();
    expect(changes.json.changes).toMatchObject([
      { value: true, endTime: stopTime },
      { value: false, startTime: stopTime },
    ]);
    await assistant.client.close();
  });

  it('has a session in no answer, and its requests count as those of the interface', async () => {
    const { response, text } = await post(
      message('tools/call', { name: 'list_open_alarms', arguments: {} }),
    );
    expect(response.status).toBe(200);
    expect(text).toContain('Too hot');
    expect(response.headers.get('mcp-session-id')).toBeNull();
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    expect(response.headers.get('ratelimit-limit')).toBe(`${REQUESTS_PER_MINUTE}`);
    const left = Number(response.headers.get('ratelimit-remaining'));
    const { response: next } = await post(message('tools/list'));
    // The message itself, the alarm events, the names of their Variables, and this message.
    expect(left - Number(next.headers.get('ratelimit-remaining'))).toBe(3);
  });
});

describe('a message over HTTP', () => {
  it('without credentials, of another organization, or of an unknown one is refused', async () => {
    const neighbour = await startNeighbour(server);
    const unknown = url.replace(server.organizationId, '018f0000-0000-7000-8000-00000000dead');
    for (const [given, status, code] of [
      [{ auth: '' }, 401, 'UNAUTHENTICATED'],
      [{ auth: neighbour.key }, 403, 'ORGANIZATION_FORBIDDEN'],
      [{ to: unknown }, 403, 'ORGANIZATION_FORBIDDEN'],
    ] as const) {
      const { response, text } = await post(message('tools/list'), given);
      expect(response.status).toBe(status);
      expect(JSON.parse(text)).toMatchObject({ code });
    }
  });

  it('must be one message of the protocol, by POST', async () => {
    const batch = await post([message('tools/list'), message('tools/list')]);
    expect(batch.response.status).toBe(400);
    expect(JSON.parse(batch.text).errors).toEqual([
      { path: 'body', message: 'must be one message and not a batch' },
    ]);
    const other = await post({ hello: 'world' });
    expect(other.response.status).toBe(400);
    const get = await post(undefined, { method: 'GET' });
    expect(get.response.status).toBe(405);
    expect(get.response.headers.get('allow')).toBe('POST');
    const notification = await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect(notification.response.status).toBe(202);
    expect(notification.text).toBe('');
  });

  it('opens no subscription, which would keep the connection', async () => {
    const assistant = await connectOverHttp(url, viewer, 'auto');
    await expect(assistant.client.listen({ toolsListChanged: true })).rejects.toThrow(
      'Subscription limit',
    );
    await assistant.client.close();
  });
});
