import { LiveDevice, LiveEnd, LiveReadings, LiveReady, operations } from '@fieldwatch/contract';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assetCalls } from '../support/asset-calls.ts';
import { send } from '../support/call.ts';
import { type IngestCalls, ingestCalls } from '../support/ingest-calls.ts';
import { follow, holds, valuesIn } from '../support/live.ts';
import { type Neighbours, startNeighbours } from '../support/neighbours.ts';
import { startServer, type TestServer } from '../support/server.ts';

const SCHEMAS = {
  ready: Compile(LiveReady),
  readings: Compile(LiveReadings),
  device: Compile(LiveDevice),
  end: Compile(LiveEnd),
};

let neighbours: Neighbours;
let server: TestServer;
let calls: IngestCalls;

beforeAll(async () => {
  neighbours = await startNeighbours({ FIELDWATCH_ONLINE_MINUTES: '2' });
  server = neighbours.server;
  calls = ingestCalls(server);
});

afterAll(() => neighbours.stop());

/** A Device with Variables at these paths. */
async function fleet(...paths: string[]) {
  const { id } = await calls.newDevice();
  const variables: Record<string, string> = {};
  for (const path of paths) variables[path] = await calls.newVariable(id, path);
  return { id, variables, of: (path: string) => variables[path] ?? '' };
}

describe('a live stream', () => {
  it('is of events that nothing on the way may keep back', async () => {
    const stream = await follow(server);
    expect(stream.status).toBe(200);
    expect(Object.fromEntries(stream.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    const ready = await stream.until(({ type }) => type === 'ready');
    expect(ready.data).toEqual({ heartbeatSeconds: 15 });
    expect(stream.text()).toMatch(/^retry: \d+\n\n/);
  });

  it('brings a value when it is durable, with its Variable, Device and time', async () => {
    const device = await fleet('engine.rpm');
    const stream = await follow(server);
    const timestamp = server.clock.now() - 5_000;
    await calls.write(device.id, { timestamp, data: { 'engine.rpm': 1800.5 } });
    const { data } = await stream.until(holds(device.of('engine.rpm'), 1800.5));
    expect(data).toEqual([
      { variableId: device.of('engine.rpm'), deviceId: device.id, timestamp, value: 1800.5 },
    ]);
    for (const { type, data } of stream.events) {
      const schema = SCHEMAS[type as keyof typeof SCHEMAS];
      expect([type, schema.Errors(data)]).toEqual([type, []]);
    }
  });

  it('brings the newest value of a Variable where several come at once', async () => {
    const device = await fleet('engine.rpm');
    const stream = await follow(server);
    const now = server.clock.now();
    const at = (ago: number, value: number) => ({
      key: 'engine.rpm',
      value,
      timestamp: now - ago,
    });
    await calls.write(device.id, { dataArray: [at(3, 1), at(1, 3), at(2, 2)] });
    await stream.until(holds(device.of('engine.rpm'), 3));
    expect(valuesIn(stream.events)).toEqual([[device.of('engine.rpm'), 3]]);
  });

  it('is not opened by HEAD, which gets its headers alone', async () => {
    const path = `/primary/v1/${server.organizationId}/live`;
    const { status, headers, text } = await send(server.url, 'HEAD', path, { auth: server.key });
    expect([status, headers.get('content-type'), text]).toEqual([200, 'text/event-stream', '']);
  });

  it('is not a request under way: it counts as answered when it begins', async () => {
    const stream = await follow(server);
    await stream.until(({ type }) => type === 'ready');
    const { text } = await send(server.url, 'GET', '/metrics');
    expect(text).toMatch(
      /request_duration_seconds_count\{operation="followLive",status="200"\} \d/,
    );
    expect(text).toMatch(/fieldwatch_live_streams_total\{outcome="opened"\} \d/);
  });

  it('is one of 50 at most with the same credential', async () => {
    const auth = await server.newKey([]);
    const streams = await Promise.all(Array.from({ length: 50 }, () => follow(server, { auth })));
    expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
    const { status, body, headers } = await send(
      server.url,
      'GET',
      `/primary/v1/${server.organizationId}/live`,
      { auth },
    );
    expect([status, body.code, headers.get('retry-after')]).toEqual([
      429,
      'TOO_MANY_REQUESTS',
      '10',
    ]);
    expect((await follow(server)).status).toBe(200);
    streams[0]?.leave();
    await expect.poll(async () => (await follow(server, { auth })).status).toBe(200);
  });
});

describe('the filters of a live stream', () => {
  /** What a stream with this query gets of a fleet; the last value tells that all others came. */
  async function seenBy(query: (ids: { a: string; b: string; c: string; ab: string }) => string) {
    const first = await fleet('path.a', 'path.b');
    const second = await fleet('path.c');
    const ids = { a: first.of('path.a'), b: first.of('path.b'), c: second.of('path.c') };
    const stream = await follow(server, { query: query({ ...ids, ab: first.id }) });
    const all = await follow(server);
    await calls.write(second.id, { 'path.c': 3 });
    await calls.write(first.id, { 'path.a': 1, 'path.b': 2 });
    await all.until(holds(ids.b, 2));
    await calls.write(first.id, { 'path.a': 10, 'path.b': 20 });
    await calls.write(second.id, { 'path.c': 30 });
    await all.until(holds(ids.c, 30));
    const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
    return {
      stream,
      seen: () => [...new Set(valuesIn(stream.events).map(([id]) => names.get(id)))],
    };
  }

  it('let the values of Variables pass', async () => {
    const { stream, seen } = await seenBy(({ a, c }) => `variableIds[]=${a}&variableIds[]=${c}`);
    await stream.until(({ type, data }) => type === 'readings' && data[0].value === 30);
    expect(seen().sort()).toEqual(['a', 'c']);
  });

  it('let the values of Devices pass, in whatever case the id is', async () => {
    const { stream, seen } = await seenBy(({ ab }) => `deviceIds[]=${ab.toUpperCase()}`);
    await stream.until(({ type, data }) => type === 'readings' && data[0].value === 10);
    expect(seen().sort()).toEqual(['a', 'b']);
  });

  it('must all match', async () => {
    const { stream, seen } = await seenBy(
      ({ a, c, ab }) => `variableIds[]=${a}&variableIds[]=${c}&deviceIds[]=${ab}`,
    );
    await stream.until(({ type, data }) => type === 'readings' && data[0].value === 10);
    expect(seen()).toEqual(['a']);
  });

  it('follow the bindings of Assets while the stream is open', async () => {
    const assets = assetCalls(server);
    const device = await fleet('path.a', 'path.b');
    const { id: assetId } = await assets.made();
    await assets.bind(assetId, device.of('path.a'));
    const stream = await follow(server, { query: `assetIds[]=${assetId}` });
    await calls.write(device.id, { 'path.a': 1, 'path.b': 1 });
    await stream.until(holds(device.of('path.a'), 1));
    await assets.bind(assetId, device.of('path.b'));
    await assets.bind(assetId, device.of('path.a'), 'DISCONNECT');
    let value = 1;
    const bound = async () => {
      value += 1;
      await calls.write(device.id, { 'path.a': value, 'path.b': value });
      return valuesIn(stream.events).some(([id]) => id === device.of('path.b'));
    };
    await expect.poll(bound).toBe(true);
    await calls.write(device.id, { 'path.a': -1, 'path.b': -1 });
    await stream.until(holds(device.of('path.b'), -1));
    expect(valuesIn(stream.events)).not.toContainEqual([device.of('path.a'), -1]);
    await assets.remove(assetId);
    const all = await follow(server);
    await calls.write(device.id, { 'path.b': -2 });
    await all.until(holds(device.of('path.b'), -2));
    expect(valuesIn(stream.events)).not.toContainEqual([device.of('path.b'), -2]);
  });

  it('match nothing where an id is unknown, malformed or of a neighbour', async () => {
    const { neighbour } = neighbours;
    const others = ingestCalls(neighbour);
    const { id: otherDevice } = await others.newDevice();
    const otherVariable = await others.newVariable(otherDevice, 'path.a');
    const { id: otherAsset } = await assetCalls(neighbour).made();
    await assetCalls(neighbour).bind(otherAsset, otherVariable);
    const device = await fleet('path.a');
    const all = await follow(server);
    const streams = await Promise.all(
      [
        `variableIds[]=${otherVariable}`,
        `deviceIds[]=${otherDevice}`,
        `assetIds[]=${otherAsset}`,
        'variableIds[]=018f0000-0000-7000-8000-00000000dead',
        'deviceIds[]=no',
        'assetIds[]=%25',
      ].map((query) => follow(server, { query })),
    );
    await others.write(otherDevice, { 'path.a': 1 });
    await calls.write(device.id, { 'path.a': 2 });
    await all.until(holds(device.of('path.a'), 2));
    for (const stream of [...streams, all]) {
      const types = stream.events.map(({ type }) => type);
      expect(types.filter((type) => type !== 'ready')).toHaveLength(
        stream === all ? types.length - 1 : 0,
      );
    }
    expect(valuesIn(all.events)).toEqual([[device.of('path.a'), 2]]);
  });

  it.each(['variableIds', 'deviceIds', 'assetIds'])('take at most 200 %s', async (name) => {
    const query = (count: number) =>
      Array.from({ length: count }, () => `${name}[]=018f0000-0000-7000-8000-00000000dead`).join(
        '&',
      );
    for (const [count, expected] of [
      [199, 200],
      [200, 200],
      [201, 400],
    ] as const) {
      const { status } = await server.call(operations.followLive, { query: query(count) });
      expect([count, status]).toEqual([count, expected]);
    }
  });
});

describe('the Devices of a live stream', () => {
  it('are told of when they come and when they go', async () => {
    const device = await fleet('path.a');
    const stream = await follow(server, { query: `deviceIds[]=${device.id}` });
    await calls.write(device.id, { 'path.a': 1 });
    const came = await stream.until(({ type }) => type === 'device');
    const { body } = await server.call(operations.retrieveDevice, {
      params: { deviceId: device.id },
    });
    const { lastSeenDateTime } = body;
    expect(came.data).toEqual({ deviceId: device.id, isOnline: true, lastSeenDateTime });
    server.clock.advance(2 * 60_000 + 1);
    const gone = await stream.until(({ type, data }) => type === 'device' && !data.isOnline);
    expect(gone.data).toEqual({ deviceId: device.id, isOnline: false, lastSeenDateTime });
    await calls.write(device.id, { 'path.a': 2 });
    await expect
      .poll(() =>
        stream.events.filter(({ type }) => type === 'device').map(({ data }) => data.isOnline),
      )
      .toEqual([true, false, true]);
  });

  it('are told of also when they were last heard of before the stream was opened', async () => {
    const device = await fleet('path.a');
    await calls.write(device.id, { 'path.a': 1 });
    const stream = await follow(server, { query: `deviceIds[]=${device.id}` });
    server.clock.advance(2 * 60_000 + 1);
    const gone = await stream.until(({ type }) => type === 'device');
    expect(gone.data).toMatchObject({ deviceId: device.id, isOnline: false });
  });

  it('are those of the Variables that are followed', async () => {
    const first = await fleet('path.a');
    const second = await fleet('path.a');
    const stream = await follow(server, { query: `variableIds[]=${first.of('path.a')}` });
    const all = await follow(server);
    await calls.write(second.id, { 'path.a': 1 });
    await calls.write(first.id, { 'path.a': 1 });
    const { data } = await stream.until(({ type }) => type === 'device');
    expect(data.deviceId).toBe(first.id);
    await all.until(({ type, data }) => type === 'device' && data.deviceId === second.id);
    expect(stream.events.filter(({ type }) => type === 'device')).toHaveLength(1);
  });
});

describe('the end of a live stream', () => {
  it.each([
    [
      'a revoked key',
      async () => {
        const { body } = await server.call(operations.createApiKey, {
          body: { name: 'Short', permissions: [] },
        });
        const auth = `Basic ${Buffer.from(`${body.id}:${body.secret}`).toString('base64')}`;
        return {
          auth,
          spoil: () => server.call(operations.deleteApiKey, { params: { apiKeyId: body.id } }),
        };
      },
    ],
    [
      'a removed user',
      async () => {
        const email = 'leaver@example.com';
        const { body } = await server.call(operations.createUser, {
          body: { email, role: 'VIEWER', password: server.adminPassword },
        });
        return {
          auth: await server.signIn(email, server.adminPassword),
          spoil: () => server.call(operations.deleteUser, { params: { userId: body.id } }),
        };
      },
    ],
    [
      'an access token that has ended',
      async () => ({
        auth: await server.newUser('VIEWER'),
        spoil: async () => server.clock.advance(24 * 3_600_000),
      }),
    ],
  ])('comes with its reason for %s', async (_, credential) => {
    const { auth, spoil } = await credential();
    const stream = await follow(server, { auth });
    const other = await follow(server);
    await spoil();
    server.clock.advance(5_000);
    const { data } = await stream.until(({ type }) => type === 'end');
    expect(data).toEqual({ reason: 'CREDENTIALS_ENDED' });
    await stream.over;
    expect(other.events.filter(({ type }) => type === 'end')).toEqual([]);
  });

  it('does not come while nothing happens: there is a heartbeat', async () => {
    const stream = await follow(server, { query: 'deviceIds[]=none' });
    await stream.until(({ type }) => type === 'ready');
    for (const beats of [1, 2]) {
      server.clock.advance(15_000);
      await expect.poll(() => stream.text().split(': heartbeat\n\n').length - 1).toBe(beats);
    }
  });

  it('comes when the server stops, and holds nobody up', async () => {
    // A stop that waited for streams to end by themselves would outlast the test.
    const limits = { maxLagMs: 60_000, stopTimeoutMs: 600_000 };
    const own = await startServer({ surroundings: { limits } });
    const stream = await follow(own);
    await stream.until(({ type }) => type === 'ready');
    await own.stop();
    await stream.over;
    expect(stream.events.at(-1)).toMatchObject({ type: 'end', data: { reason: 'STOPPING' } });
  });
});
