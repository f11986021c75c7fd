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
  it('is online for a while after a reading, and was seen when it came', async () => {
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

  it('is online in a list at once, also when the list was asked for just before', async () => {
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

  it('is not online for readings that nobody took', async () => {
    const { id } = await calls.newDevice();
    await calls.write(id, { unknown: 1 });
    expect((await stateOf(id)).isOnline).toBe(false);
  });

  it('keeps its tag for an edit while readings come in', async () => {
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

  it('was seen when it was seen also for a server that starts after a crash', async () => {
    const { id } = await calls.newDevice();
    await calls.newVariable(id, 'engine.rpm');
    await calls.write(id, { 'engine.rpm': 1 });
    const seenAt = Date.parse((await stateOf(id)).lastSeenDateTime);
    await expect.poll(() => lastSeenAt(server.databaseUrl, id), { timeout: 20_000 }).toBe(seenAt);
  });
});
