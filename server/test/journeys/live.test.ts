import { LiveDevice, LiveEnd, LiveReadings, LiveReady, operations } from '@fieldwatch/contract';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { basic, bearer, send } from '../support/call.ts';
import { type IngestCalls, ingestCalls } from '../support/ingest-calls.ts';
import { fleetOf, follow, holds, valuesIn } from '../support/live.ts';
import { startNeighbour, startServer, type TestServer } from '../support/server.ts';

const SCHEMAS = {
  ready: Compile(LiveReady),
  readings: Compile(LiveReadings),
  device: Compile(LiveDevice),
  end: Compile(LiveEnd),
};

let server: TestServer;
let calls: IngestCalls;

beforeAll(async () => {
  server = await startServer({ env: { FIELDWATCH_ONLINE_MINUTES: '2' } });
  calls = ingestCalls(server);
});

afterAll(() => server.stop());

describe('a live stream', () => {
  it('has headers that prevent buffering on the way', async () => {
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

  it('sends a value when it is durable, with its Variable, Device and time', async () => {
    const device = await fleetOf(calls, 'engine.rpm');
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

  it('sends the newest value of a Variable when several arrive at once', async () => {
    const device = await fleetOf(calls, 'engine.rpm');
    const stream = await follow(server);
    const now = server.clock.now();
    const at = (ago: number, value: number) => ({
      key: 'engine.rpm',
      value,
      timestamp: now - ago,
    });
    await calls.write(device.id, { dataArray: [at(3, 1), at(1, 3), at(2, 2)] });
    await stream.until(holds(device.of('engine.rpm'), 3));
    // The built-in online Variable may report beside it.
    const ofVariable = valuesIn(stream.events).filter(([id]) => id === device.of('engine.rpm'));
    expect(ofVariable).toEqual([[device.of('engine.rpm'), 3]]);
  });

  it('is not opened by HEAD, which returns the headers alone', async () => {
    const path = `/primary/v1/${server.organizationId}/live`;
    const { status, headers, text } = await send(server.url, 'HEAD', path, { auth: server.key });
    expect([status, headers.get('content-type'), text]).toEqual([200, 'text/event-stream', '']);
  });

  it('counts as an answered request when it begins', async () => {
    const stream = await follow(server);
    await stream.until(({ type }) => type === 'ready');
    const { text } = await send(server.url, 'GET', '/metrics');
    expect(text).toMatch(
      /request_duration_seconds_count\{operation="followLive",status="200"\} \d/,
    );
    expect(text).toMatch(/fieldwatch_live_streams_total\{outcome="opened"\} \d/);
  });

  it('is refused beyond 50 streams of one credential', async () => {
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

describe('the Devices of a live stream', () => {
  it('are announced when they go online and offline', async () => {
    const device = await fleetOf(calls, 'path.a');
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

  it('are announced also when they were last seen before the stream was opened', async () => {
    const device = await fleetOf(calls, 'path.a');
    await calls.write(device.id, { 'path.a': 1 });
    const stream = await follow(server, { query: `deviceIds[]=${device.id}` });
    server.clock.advance(2 * 60_000 + 1);
    const gone = await stream.until(({ type }) => type === 'device');
    expect(gone.data).toMatchObject({ deviceId: device.id, isOnline: false });
  });

  it('are those of the selected Variables', async () => {
    const first = await fleetOf(calls, 'path.a');
    const second = await fleetOf(calls, 'path.a');
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

  it('comes at once when the key is revoked or the session ended, also at another server', async () => {
    const other = await startNeighbour(server);
    onTestFinished(() => other.stop());
    const { body: key } = await server.call(operations.createApiKey, {
      body: { name: 'To be revoked', permissions: [] },
    });
    const session = { email: server.adminEmail, password: server.adminPassword };
    const { body: tokens } = await server.call(operations.createToken, { body: session });
    const elsewhere = { ...server, url: other.url };
    const streams = await Promise.all(
      [server, elsewhere].flatMap((at) => [
        follow(at, { auth: basic(key.id, key.secret) }),
        follow(at, { auth: bearer(tokens.accessToken) }),
      ]),
    );
    await Promise.all(streams.map((stream) => stream.until(({ type }) => type === 'ready')));
    // So that no check that is made now and then is due while this test runs.
    for (const { clock } of [server, other]) clock.step(-60_000);
    onTestFinished(() => server.clock.step(60_000));
    await server.call(operations.deleteApiKey, { params: { apiKeyId: key.id } });
    const { refreshToken } = tokens;
    await server.call(operations.revokeToken, { body: { refreshToken } });
    for (const stream of streams) {
      const { data } = await stream.until(({ type }) => type === 'end');
      expect(data).toEqual({ reason: 'CREDENTIALS_ENDED' });
    }
  });

  it('does not come while nothing happens, thanks to heartbeats', async () => {
    const stream = await follow(server, { query: 'deviceIds[]=none' });
    await stream.until(({ type }) => type === 'ready');
    for (const beats of [1, 2]) {
      server.clock.advance(15_000);
      await expect.poll(() => stream.text().split(': heartbeat\n\n').length - 1).toBe(beats);
    }
  });

  it('comes when the server stops, without delay of the stop', async () => {
    // A stop that waited for streams to end by themselves would outlast the test.
    const limits = { maxLagMs: 60_000, stopTimeoutMs: 600_000 };
    const own = await startServer({ environment: { limits } });
    const stream = await follow(own);
    await stream.until(({ type }) => type === 'ready');
    await own.stop();
    await stream.over;
    expect(stream.events.at(-1)).toMatchObject({ type: 'end', data: { reason: 'STOPPING' } });
  });
});
