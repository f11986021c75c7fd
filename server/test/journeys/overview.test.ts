import { MAX_OFFLINE_DEVICES, operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type IngestCalls, ingestCalls } from '../support/ingest-calls.ts';
import { type Neighbours, startNeighbours } from '../support/neighbours.ts';
import type { TestServer } from '../support/server.ts';

let neighbours: Neighbours;
let server: TestServer;
let calls: IngestCalls;

beforeAll(async () => {
  neighbours = await startNeighbours();
  ({ server } = neighbours);
  calls = ingestCalls(server);
});

afterAll(() => neighbours.stop());

const overviewOf = async (of: TestServer) => (await of.call(operations.retrieveOverview, {})).body;

const HOUR_MS = 3_600_000;

const NOTHING = {
  deviceCount: 0,
  onlineDeviceCount: 0,
  inactiveDeviceCount: 0,
  acceptedReadingCount: 0,
  offlineDevices: [],
};

describe('the overview', () => {
  it('counts Devices, online Devices and accepted readings', async () => {
    expect(await overviewOf(server)).toEqual(NOTHING);
    const [reporting, silent] = [await calls.newDevice(), await calls.newDevice()];
    await calls.newVariable(reporting.id, 'engine.rpm');
    await calls.write(reporting.id, { 'engine.rpm': 1 });
    await calls.write(reporting.id, { 'engine.rpm': 2, 'no.such': 1 });
    await expect
      .poll(() => overviewOf(server))
      .toEqual({
        ...NOTHING,
        deviceCount: 2,
        onlineDeviceCount: 1,
        acceptedReadingCount: 2,
        offlineDevices: [{ id: silent.id, name: 'Generator', lastSeenDateTime: null }],
      });
    await server.call(operations.updateDevice, {
      params: { deviceId: silent.id },
      body: { type: 'CUSTOM_DEVICE', isActive: false },
    });
    expect(await overviewOf(server)).toMatchObject({
      deviceCount: 2,
      inactiveDeviceCount: 1,
      offlineDevices: [],
    });
    await server.call(operations.archiveDevice, { params: { deviceId: silent.id } });
    expect(await overviewOf(server)).toMatchObject({ deviceCount: 1, inactiveDeviceCount: 0 });
    await server.call(operations.archiveDevice, { params: { deviceId: reporting.id } });
    expect(await overviewOf(server)).toMatchObject({ deviceCount: 0, offlineDevices: [] });
  });

  it('lists at most twelve offline Devices, the last seen first and those never seen last', async () => {
    const named = async (): Promise<string[]> =>
      (await overviewOf(server)).offlineDevices.map(({ name }: { name: string }) => name);
    const reportFrom = async (count: number) => {
      const { id } = await calls.newDevice({ name: `Silent ${count}` });
      await calls.newVariable(id, 'engine.rpm');
      await calls.write(id, { 'engine.rpm': 1 });
      server.clock.advance(1_000);
      return id;
    };
    for (let count = 1; count < MAX_OFFLINE_DEVICES; count += 1) await reportFrom(count);
    await calls.newDevice({ name: 'Never seen' });
    server.clock.advance(HOUR_MS);
    const fewer = Array.from(
      { length: MAX_OFFLINE_DEVICES - 1 },
      (_, index) => `Silent ${index + 1}`,
    );
    await expect.poll(named).toEqual([...fewer.toReversed(), 'Never seen']);
    const last = await reportFrom(MAX_OFFLINE_DEVICES);
    server.clock.advance(HOUR_MS);
    await expect.poll(named).toEqual([`Silent ${MAX_OFFLINE_DEVICES}`, ...fewer.toReversed()]);
    expect(await overviewOf(server)).toMatchObject({ deviceCount: MAX_OFFLINE_DEVICES + 1 });
    await calls.write(last, { 'engine.rpm': 2 });
    await expect.poll(named).toEqual([...fewer.toReversed(), 'Never seen']);
  });

  it('counts nothing of another organization', async () => {
    await calls.newDevice();
    expect(await overviewOf(neighbours.neighbour)).toEqual(NOTHING);
  });
});
