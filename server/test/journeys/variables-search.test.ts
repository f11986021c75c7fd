import { type FoundVariable, operations } from '@fieldwatch/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { createDevice } from '../support/device-calls.ts';
import { joinServer, type TestOrganization } from '../support/server.ts';
import { variableCalls } from '../support/variable-calls.ts';

let server: TestOrganization;
let neighbour: TestOrganization;
let tankId: string;

beforeAll(async () => {
  server = await joinServer();
  neighbour = await joinServer();
  const { made } = variableCalls(server);
  const location = await server.call(operations.createLocation, { body: { name: 'Harbour' } });
  const tank = await createDevice(server, {
    name: 'Tank 1',
    locationId: location.body.id,
  });
  tankId = tank.body.id;
  await made(tankId, { name: 'Fuel level', unit: '%' });
  await made(tankId, { name: 'Fuel level, low' });
  for (const name of ['Tank 10', 'Tank 100%', 'Generator']) {
    const device = await createDevice(server, { name });
    await made(device.body.id, { name: 'Fuel level' });
  }
  const pump = await createDevice(server, { name: 'Pumps' });
  await made(pump.body.id, { name: 'Tank 1' });
  const other = variableCalls(neighbour);
  await other.made(await other.newDevice(), { name: 'Fuel level' });
});

async function search(text: string, rest: object = {}): Promise<FoundVariable[]> {
  const body = { search: text, ...rest };
  const answer = await server.call(operations.searchVariables, { body });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.items;
}

const labels = async (text: string, rest?: object) =>
  (await search(text, rest)).map(({ deviceName, name }) => `${deviceName}, ${name}`);

describe('searching Variables', () => {
  it('finds those of a Device by the name of the Device', async () => {
    expect(await labels('generator')).toEqual(['Generator, Fuel level']);
  });

  it('finds one by words of the names of its Device, its Location and its own, in any order', async () => {
    expect(await labels('LOW tank')).toEqual(['Tank 1, Fuel level, low']);
    expect(await labels('harbour low')).toEqual(['Tank 1, Fuel level, low']);
    expect(await labels('fuel pump')).toEqual([]);
  });

  it('returns each with the names of its Device and Location', async () => {
    const [found] = await search('tank 1 fuel level');
    expect(found).toMatchObject({
      name: 'Fuel level',
      unit: '%',
      deviceId: tankId,
      deviceName: 'Tank 1',
      locationName: 'Harbour',
    });
    expect((await search('generator'))[0]).toMatchObject({ locationId: null, locationName: null });
  });

  it('lists exact matches first, then names that begin with the search, then the rest', async () => {
    expect(await labels('tank 1')).toEqual([
      'Pumps, Tank 1',
      'Tank 1, Fuel level',
      'Tank 1, Fuel level, low',
      'Tank 10, Fuel level',
      'Tank 100%, Fuel level',
    ]);
    expect((await labels('fuel level')).at(-1)).toBe('Tank 1, Fuel level, low');
  });

  it('takes % and _ literally, filters by id and Device, pages, and counts all', async () => {
    expect(await labels('100%')).toEqual(['Tank 100%, Fuel level']);
    expect(await labels('tank_1')).toEqual([]);
    expect(await labels('', { deviceIds: [tankId] })).toHaveLength(2);
    const [pump] = await search('pumps');
    expect(await labels('', { ids: [pump?.id] })).toEqual(['Pumps, Tank 1']);
    const body = { take: 2, skip: 1 };
    const page = await server.call(operations.searchVariables, { body });
    expect(page.body.count).toBe(6);
    expect(page.body.items).toHaveLength(2);
    const past = await server.call(operations.searchVariables, { body: { skip: 6 } });
    expect(past.body).toEqual({ count: 6, items: [] });
  });

  it('sorts by name, Device or time of creation in both directions', async () => {
    const sorted = (sortBy: string, sortDirection = 'ASCENDING') =>
      labels('', { sortBy, sortDirection });
    const byName = await sorted('NAME');
    expect(byName.at(0)).toBe('Generator, Fuel level');
    expect(byName.at(-1)).toBe('Pumps, Tank 1');
    expect(await sorted('NAME', 'DESCENDING')).toEqual(byName.toReversed());
    const byDevice = await sorted('DEVICE');
    expect(byDevice.slice(0, 2)).toEqual(['Generator, Fuel level', 'Pumps, Tank 1']);
    expect(await sorted('DEVICE', 'DESCENDING')).toEqual(byDevice.toReversed());
    const created = await sorted('CREATED');
    expect(created[0]).toBe('Tank 1, Fuel level');
    expect(await sorted('CREATED', 'DESCENDING')).toEqual(created.toReversed());
  });
});
