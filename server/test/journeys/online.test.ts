import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lastSeenAt } from '../support/database.ts';
import { retrieveDevice } from '../support/device-calls.ts';
import { type IngestCalls, ingestCalls } from '../support/ingest-calls.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let calls: IngestCalls;

beforeAll(async () => {
  server = await startServer({ env: { FIELDWATCH_ONLINE_MINUTES: '2' } });
  calls = ingestCalls(server);
});

afterAll(() => server.stop());

const stateOf = async (deviceId: string) => {
  const { body } = await retrieveDevice(server, deviceId);
  return { isOnline: body.isOnline, lastSeenDateTime: body.lastSeenDateTime };
};

describe('a Device', () => {
  it('is online for its window after a reading, and last seen at its arrival', async () => {
    const { id } = await calls.newDevice();
    await calls.newVariable(id, 'engine.rpm');
    expect(await stateOf(id)).toEqual({ isOnline: false, lastSeenDateTime: null });
    const before = server.clock.now();
    await calls.write(id, { timestamp: before - 3_600_000, data: { 'engine.rpm': 1 } });
    const seen = await stateOf(id);
    expect(seen.isOnline).toBe(true);
    expect(Date.parse(seen.lastSeenDateTime)).toBeGreaterThanOrEqual(before);
    server.clock.advance(2 * 60_000 + 1);
    expect(await stateOf(id)).toEqual({ ...seen, isOnline: false });
  });

  it('is online in a list at once, also when the list was requested just before', async () => {
    const { id } = await calls.newDevice();
    await calls.newVariable(id, 'engine.rpm');
    const listed = async () => {
      const { body } = await server.call(operations.listDevices, { query: 'take=1' });
      return body.items.map((item: { id: string; isOnline: boolean }) => [item.id, item.isOnline]);
    };
    expect(await listed()).toEqual([[id, false]]);
    await calls.write(id, { 'engine.rpm': 1 });
    expect(await listed()).toEqual([[id, true]]);
  });

  it('is online for its own window, where it has one', async () => {
    const { id } = await calls.newDevice();
    await calls.newVariable(id, 'engine.rpm');
    const given = { params: { deviceId: id } };
    const windowOf = () => server.call(operations.retrieveOnlineWindow, given);
    const set = (onlineMinutes: unknown, headers: Record<string, string> = {}) =>
      server.call(operations.updateOnlineWindow, { ...given, body: { onlineMinutes }, headers });
    expect((await windowOf()).body).toMatchObject({ onlineMinutes: null });
    const etag = (await windowOf()).headers.get('etag') ?? '';
    expect((await set(5)).body).toMatchObject({ onlineMinutes: 5 });
    expect((await set(5, { 'if-match': etag })).status).toBe(412);
    await calls.write(id, { 'engine.rpm': 1 });
    server.clock.advance(4 * 60_000);
    expect((await stateOf(id)).isOnline).toBe(true);
    expect((await set(1)).status).toBe(200);
    expect((await stateOf(id)).isOnline).toBe(false);
    expect((await set(null)).body).toMatchObject({ onlineMinutes: null });
    for (const good of [1, 10_080]) expect((await set(good)).status).toBe(200);
    for (const bad of [0, 10_081, 1.5, '5', undefined]) expect((await set(bad)).status).toBe(400);
    expect((await windowOf()).body).toMatchObject({ onlineMinutes: 10_080 });
    const { body } = await server.call(operations.listAuditLog, { query: 'take=1' });
    expect(JSON.stringify(body.items[0])).toContain('onlineMinutes');
    for (const deviceId of ['018f0000-0000-7000-8000-00000000dead', 'nonsense']) {
      const unknown = { params: { deviceId } };
      expect((await server.call(operations.retrieveOnlineWindow, unknown)).status).toBe(404);
    }
  });

  it('is listed with its own window, in order of ids and by pages', async () => {
    const made = [await calls.newDevice(), await calls.newDevice(), await calls.newDevice()];
    const [one, two, three] = made.map(({ id }) => id);
    const before = (await server.call(operations.listOnlineWindows)).body.items;
    for (const [index, deviceId] of [one, three].entries()) {
      const given = { params: { deviceId: deviceId ?? '' }, body: { onlineMinutes: 5 + index } };
      expect((await server.call(operations.updateOnlineWindow, given)).status).toBe(200);
    }
    const items = [
      { deviceId: one, onlineMinutes: 5 },
      { deviceId: three, onlineMinutes: 6 },
    ];
    const ids = [...before.map(({ deviceId }: { deviceId: string }) => deviceId), one, three];
    const { body } = await server.call(operations.listOnlineWindows);
    expect(body.items).toEqual(expect.arrayContaining(items));
    expect(body.items.map(({ deviceId }: { deviceId: string }) => deviceId)).toEqual(ids.sort());
    expect(ids).not.toContain(two);
    const last = await server.call(operations.listOnlineWindows, {
      query: `skip=${ids.length - 1}&take=1`,
    });
    expect(last.body).toEqual({ count: ids.length, items: body.items.slice(-1) });
  });

  it('is online and seen after a reading on an unmatched path', async () => {
    const { id } = await calls.newDevice();
    const before = server.clock.now();
    await calls.write(id, { unknown: 1 });
    const { isOnline, lastSeenDateTime } = await stateOf(id);
    expect(isOnline).toBe(true);
    expect(Date.parse(lastSeenDateTime)).toBeGreaterThanOrEqual(before);
  });

  it('is not online after readings of a wrong type', async () => {
    const { id } = await calls.newDevice();
    await calls.newVariable(id, 'engine.rpm');
    await calls.write(id, { 'engine.rpm': 'fast' });
    expect((await stateOf(id)).isOnline).toBe(false);
  });

  it('keeps its ETag while readings arrive', async () => {
    const { id } = await calls.newDevice();
    await calls.newVariable(id, 'engine.rpm');
    const etag = (await retrieveDevice(server, id)).headers.get('etag') ?? '';
    await calls.write(id, { 'engine.rpm': 1 });
    const { status } = await server.call(operations.updateDevice, {
      params: { deviceId: id },
      body: { type: 'CUSTOM_DEVICE', name: 'Renamed' },
      headers: { 'if-match': etag },
    });
    expect(status).toBe(200);
  });

  it('keeps its last-seen time over a crash of the server', async () => {
    const { id } = await calls.newDevice();
    await calls.newVariable(id, 'engine.rpm');
    await calls.write(id, { 'engine.rpm': 1 });
    const seenAt = Date.parse((await stateOf(id)).lastSeenDateTime);
    await expect.poll(() => lastSeenAt(server.databaseUrl, id), { timeout: 20_000 }).toBe(seenAt);
  });
});
