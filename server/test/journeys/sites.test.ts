import {
  MAX_SITE_CHANGES,
  MAX_SITE_VARIABLES_PER_CLASSIFICATION,
  operations,
  type Site,
  type SiteChange,
} from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basic } from '../support/call.ts';
import { type Neighbours, startNeighbours } from '../support/neighbours.ts';
import type { TestServer } from '../support/server.ts';
import { type SiteCalls, siteCalls } from '../support/site-calls.ts';

const HOUR_MS = 3_600_000;

let neighbours: Neighbours;
let server: TestServer;
let calls: SiteCalls;

beforeAll(async () => {
  neighbours = await startNeighbours();
  ({ server } = neighbours);
  calls = siteCalls(server);
});

afterAll(() => neighbours.stop());

interface Listed {
  readonly count: number;
  readonly items: Site[];
  readonly totals: Record<string, unknown>;
  readonly changes: SiteChange[];
}

async function sites(query = '', of = server, auth?: string): Promise<Listed> {
  const reply = await of.call(operations.listSites, { query, ...(auth && { auth }) });
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

const siteNamed = async (name: string) =>
  (await sites(`search=${encodeURIComponent(name)}`)).items.find((site) => site.name === name);

const changesAt = async (name: string) =>
  (await sites()).changes.filter(({ siteName }) => siteName === name);

describe('the list of sites', () => {
  it('is empty without Locations and Devices', async () => {
    expect(await sites('', neighbours.neighbour)).toEqual({
      count: 0,
      items: [],
      totals: {
        siteCount: 0,
        alarmSiteCount: 0,
        silentSiteCount: 0,
        deviceCount: 0,
        onlineDeviceCount: 0,
        silentDeviceCount: 0,
        alarmCount: 0,
        alarmCounts: [],
      },
      changes: [],
    });
  });

  it('has each Location without a parent, with the Devices of all below it', async () => {
    const plant = await calls.newLocation('Nested plant');
    const room = await calls.newLocation('Room', await calls.newLocation('Building', plant));
    const online = await calls.newDevice(room);
    await calls.report(online, 4);
    await calls.newDevice(plant, 'Gateway');
    const inactive = await calls.newDevice(plant);
    await calls.editDevice(inactive.id, { isActive: false });
    const archived = await calls.newDevice(plant);
    await server.call(operations.archiveDevice, { params: { deviceId: archived.id } });
    expect(await siteNamed('Nested plant')).toMatchObject({
      id: plant,
      state: 'SILENT',
      deviceCount: 3,
      onlineDeviceCount: 1,
      silentDeviceCount: 1,
      silentDevice: { name: 'Gateway' },
      silentSinceDateTime: null,
      alarmCount: 0,
      worstAlarm: null,
    });
    expect(await siteNamed('Room')).toBeUndefined();
  });

  it('lists Devices without a Location as an item without a name, and counts no site for them', async () => {
    const device = await calls.newDevice(null);
    const { items, totals } = await sites('take=1000');
    expect(items.find(({ id }) => id === null)).toMatchObject({ state: 'SILENT', deviceCount: 1 });
    const located = items.filter(({ id }) => id !== null);
    expect(totals.siteCount).toBe(located.length);
    expect(totals.silentSiteCount).toBe(located.filter(({ state }) => state === 'SILENT').length);
    await server.call(operations.deleteDevice, { params: { deviceId: device.id } });
    expect((await sites('take=1000')).items.filter(({ id }) => id === null)).toEqual([]);
  });

  it('shows the most severe active alarm of a site, the newest of several, until it is cleared', async () => {
    const device = await calls.newDevice(await calls.newLocation('Alarmed plant'));
    const other = await calls.newDevice((await siteNamed('Alarmed plant'))?.id ?? null, 'Feeder');
    await calls.newAlarm(device, 'LOW');
    await calls.newAlarm(device, 'HIGH');
    await calls.newAlarm(other, 'HIGH');
    await calls.report(device, 1);
    server.clock.advance(1_000);
    await calls.report(other, 1);
    expect(await siteNamed('Alarmed plant')).toMatchObject({
      state: 'ALARM',
      alarmCount: 3,
      worstAlarm: {
        alarmName: 'Oil pressure, HIGH',
        severity: 'HIGH',
        deviceName: 'Feeder',
        isUnacknowledged: true,
      },
    });
    await calls.report(other, 4);
    expect(await siteNamed('Alarmed plant')).toMatchObject({
      alarmCount: 2,
      worstAlarm: { deviceName: 'Generator' },
    });
    await calls.report(device, 4);
    expect(await siteNamed('Alarmed plant')).toMatchObject({ state: 'NORMAL', worstAlarm: null });
  });

  it('shows an alarm at the site of its Device and at that of its Asset, and counts it once', async () => {
    const device = await calls.newDevice(await calls.newLocation('Device site'));
    const locationId = await calls.newLocation('Asset site');
    const { body: asset } = await server.call(operations.createAsset, {
      body: { name: 'Generator', locationId },
    });
    await server.call(operations.bindVariables, {
      params: { assetId: asset.id },
      body: { variableIds: [device.variableId], action: 'CONNECT' },
    });
    await calls.newAlarm(device, 'MEDIUM');
    await calls.report(device, 1);
    expect(await siteNamed('Device site')).toMatchObject({ state: 'ALARM', alarmCount: 1 });
    expect(await siteNamed('Asset site')).toMatchObject({ state: 'ALARM', deviceCount: 0 });
    expect((await sites()).totals).toMatchObject({
      alarmCount: 1,
      alarmCounts: [{ severity: 'MEDIUM', count: 1 }],
      alarmSiteCount: 2,
    });
    await calls.report(device, 4);
  });

  it('shows no alarms and no changes of them without the permission to read Alarms', async () => {
    const device = await calls.newDevice(await calls.newLocation('Hidden alarm'));
    await calls.newAlarm(device, 'CRITICAL');
    await calls.report(device, 1);
    const { body: key } = await server.call(operations.createApiKey, {
      body: { name: 'No permission', permissions: [] },
    });
    const auth = basic(key.id, key.secret);
    const { items, totals, changes } = await sites('take=1000', server, auth);
    expect(items.find(({ name }) => name === 'Hidden alarm')).toMatchObject({
      state: 'NORMAL',
      alarmCount: 0,
      worstAlarm: null,
    });
    expect(totals).toMatchObject({ alarmCount: 0, alarmCounts: [], alarmSiteCount: 0 });
    expect(changes.filter(({ event }) => event !== null)).toEqual([]);
    expect(await siteNamed('Hidden alarm')).toMatchObject({ state: 'ALARM' });
    await calls.report(device, 4);
  });

  it('names the Variables of its power supply, and of no classification with more than 8', async () => {
    const { id } = await calls.newDevice(await calls.newLocation('Supplied plant'));
    const classify = (count: number, classificationType: string) =>
      calls.newVariable(id, `classified.${classificationType}.${count}`, {
        classificationType,
        unit: 'kW',
      });
    const most = MAX_SITE_VARIABLES_PER_CLASSIFICATION;
    for (let count = 1; count < most; count += 1) await classify(count, 'ELECTRICAL_FEEDER_KW');
    await classify(1, 'ELECTRICAL_GENERATOR_FUEL_LEVEL');
    await classify(1, 'ELECTRICAL_GENERATOR_RPM');
    const types = async () =>
      ((await siteNamed('Supplied plant'))?.variables ?? []).map(
        ({ classificationType }) => classificationType,
      );
    const feeders = (length: number) => Array.from({ length }, () => 'ELECTRICAL_FEEDER_KW');
    expect(await types()).toEqual([...feeders(most - 1), 'ELECTRICAL_GENERATOR_FUEL_LEVEL']);
    await classify(most, 'ELECTRICAL_FEEDER_KW');
    expect(await types()).toEqual([...feeders(most), 'ELECTRICAL_GENERATOR_FUEL_LEVEL']);
    await classify(most + 1, 'ELECTRICAL_FEEDER_KW');
    expect(await types()).toEqual(['ELECTRICAL_GENERATOR_FUEL_LEVEL']);
    await calls.editDevice(id, { isActive: false });
    expect(await types()).toEqual([]);
  });
});

describe('pages of the list of sites', () => {
  it('have the worst sites first: by state, by severity, then by name', async () => {
    const order = [
      ['Order e', 'CRITICAL'],
      ['Order d', 'INFO'],
      ['Order c', null],
      ['Order a', null],
      ['Order b', null],
    ] as const;
    for (const [name, severity] of order) {
      const location = await calls.newLocation(name);
      if (name === 'Order b') continue;
      const device = await calls.newDevice(location);
      if (severity) await calls.newAlarm(device, severity);
      if (name !== 'Order c') await calls.report(device, severity ? 1 : 4);
    }
    const names = order.map(([name]) => name);
    const namesOf = async (query: string) =>
      (await sites(`search=ORDER&${query}`)).items.map(({ name }) => name);
    expect(await namesOf('')).toEqual(names);
    expect(await namesOf('take=2&skip=1')).toEqual(names.slice(1, 3));
    expect(await namesOf('states[]=SILENT&states[]=NO_DEVICES')).toEqual(['Order c', 'Order b']);
    const past = await sites('search=order&skip=5');
    expect(past).toMatchObject({ count: 5, items: [] });
    expect(past.totals.siteCount).toBeGreaterThan(5);
  });

  it('refuse an unknown state by the name of the parameter', async () => {
    const reply = await server.call(operations.listSites, { query: 'states[]=BROKEN' });
    expect(reply.status).toBe(400);
    expect(JSON.stringify(reply.body.errors)).toContain('states');
  });

  it('show nothing of another organization', async () => {
    expect(await sites('', neighbours.neighbour)).toMatchObject({ count: 0, changes: [] });
  });
});

describe('changes at sites', () => {
  it('are the last one of each Alarm, with the Devices that came online or went silent', async () => {
    const location = await calls.newLocation('Changing plant');
    const [first, second] = [
      await calls.newDevice(location),
      await calls.newDevice(location, 'Feeder'),
    ];
    await calls.newAlarm(first, 'HIGH');
    await calls.report(first, 1);
    await calls.report(second, 4);
    const online = { kind: 'CAME_ONLINE', siteId: location, deviceCount: 2, event: null };
    const raised = { kind: 'RAISED', event: { severity: 'HIGH', deviceName: 'Generator' } };
    expect(await changesAt('Changing plant')).toMatchObject([online, raised]);
    server.clock.advance(1_000);
    await calls.report(first, 4);
    expect(await changesAt('Changing plant')).toMatchObject([
      { ...raised, kind: 'CLEARED' },
      online,
    ]);
    await calls.report(first, 1);
    await calls.report(first, 4);
    expect(await changesAt('Changing plant')).toHaveLength(2);
    server.clock.advance(HOUR_MS);
    const silent = { kind: 'WENT_SILENT', deviceCount: 2, device: expect.anything() };
    expect(await changesAt('Changing plant')).toMatchObject([silent]);
    const since = (await siteNamed('Changing plant'))?.silentSinceDateTime;
    expect(since).toBe((await changesAt('Changing plant'))[0]?.changedDateTime);
  });

  it('are of the last hour', async () => {
    const device = await calls.newDevice(await calls.newLocation('Old change'));
    await calls.newAlarm(device, 'LOW');
    await calls.report(device, 1);
    const events = async () => (await changesAt('Old change')).filter(({ event }) => event);
    const [change] = await events();
    const ageMs = () => server.clock.now() - Date.parse(change?.changedDateTime ?? '');
    server.clock.advance(HOUR_MS - 30_000 - ageMs());
    expect(await events()).toEqual([change]);
    server.clock.advance(HOUR_MS + 1 - ageMs());
    expect(await events()).toEqual([]);
    expect(await siteNamed('Old change')).toMatchObject({ state: 'ALARM' });
    await calls.report(device, 4);
  });

  it('are at most 20, the newest first', async () => {
    const device = await calls.newDevice(await calls.newLocation('Busy plant'));
    for (let count = 0; count < MAX_SITE_CHANGES; count += 1) await calls.newAlarm(device, 'INFO');
    await calls.report(device, 1);
    const { changes } = await sites();
    expect(changes).toHaveLength(MAX_SITE_CHANGES);
    const times = changes.map(({ changedDateTime }) => changedDateTime);
    expect(times).toEqual(times.toSorted().toReversed());
    await calls.report(device, 4);
  });
});
