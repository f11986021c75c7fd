import { operations } from '@fieldwatch/contract';
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

const NOTHING = {
  deviceCount: 0,
  onlineDeviceCount: 0,
  inactiveDeviceCount: 0,
  acceptedReadingCount: 0,
};

describe('the overview', () => {
  it('counts Devices, those that are online, and readings that came in', async () => {
    expect(await overviewOf(server)).toEqual(NOTHING);
    const [reporting, silent] = [await calls.newDevice(), await calls.newDevice()];
    await calls.newVariable(reporting.id, 'engine.rpm');
    await calls.write(reporting.id, { 'engine.rpm': 1 });
    await calls.write(reporting.id, { 'engine.rpm': 2, 'no.such': 1 });
    await expect
      .poll(() => overviewOf(server))
      .toEqual({ ...NOTHING, deviceCount: 2, onlineDeviceCount: 1, acceptedReadingCount: 2 });
    await server.call(operations.updateDevice, {
      params: { deviceId: silent.id },
      body: { type: 'CUSTOM_DEVICE', isActive: false },
    });
    expect(await overviewOf(server)).toMatchObject({ deviceCount: 2, inactiveDeviceCount: 1 });
    await server.call(operations.archiveDevice, { params: { deviceId: silent.id } });
    expect(await overviewOf(server)).toMatchObject({ deviceCount: 1, inactiveDeviceCount: 0 });
  });

  it('counts nothing of a neighbour', async () => {
    await calls.newDevice();
    expect(await overviewOf(neighbours.neighbour)).toEqual(NOTHING);
  });
});
