import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsIn } from '../support/database.ts';
import { startTheThingsStack, THE_THINGS_TOKEN } from '../support/network-servers.ts';
import { startNeighbour, startServer, type TestServer } from '../support/server.ts';

type Fields = Record<string, unknown>;

const WAIT = { timeout: 20_000, interval: 20 };
const MINUTE = 60_000;
/** The default of the server. */
const ONLINE_MINUTES = 5;

let server: TestServer;
let neighbour: TestServer;
let theThings: Awaited<ReturnType<typeof startTheThingsStack>>;
let networkId: string;
let euis = 0x0016c001f1530000n;

const newEui = () => (euis++).toString(16).toUpperCase().padStart(16, '0');

beforeAll(async () => {
  theThings = await startTheThingsStack();
  server = await startServer({ env: { FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.1' } });
  neighbour = await startNeighbour(server);
  const { body } = await server.call(operations.createLorawanNetwork, {
    body: {
      ...{ name: 'City', kind: 'THE_THINGS_STACK_V3', ingest: 'WEBHOOK', applicationId: 'plant' },
      api: { url: theThings.url, token: THE_THINGS_TOKEN },
    },
  });
  networkId = body.id;
}, 180_000);

afterAll(async () => {
  await server.stop();
  await theThings.stop();
});

const change = (body: Fields) =>
  server.call(operations.updateLorawanNetwork, { params: { networkId }, body });
const networkState = async () =>
  (await server.call(operations.retrieveLorawanNetwork, { params: { networkId } })).body.state;

/** An edited network is polled at once. */
let polls = 0;
const poll = () => change({ name: `City ${polls++}` });

async function newGateway(gatewayEui: string, at = server) {
  const configuration = { gatewayEui, rfRegion: 'EU868' };
  const body = { type: 'LORAWAN_GATEWAY_CLOUD', name: `Gateway ${gatewayEui}`, configuration };
  const { body: device } = await at.call(operations.createDevice, { body });
  const params = { deviceId: device.id as string };
  return {
    id: params.deviceId,
    isOnline: async () => (await at.call(operations.retrieveDevice, { params })).body.isOnline,
    write: () => at.call(operations.writeReadings, { params, body: { data: { any: 1 } } }),
    recorded: async () => {
      const query = `select is_online from devices where id = '${params.deviceId}'`;
      const [row] = await rowsIn<{ is_online: boolean }>(server.databaseUrl, query);
      return row?.is_online;
    },
  };
}

const connected = () => ({ connected_at: new Date(server.clock.now()).toISOString() });

describe('a gateway of The Things Stack', () => {
  it('is online while it is connected there, by whichever id, and offline as soon as it is not', async () => {
    const [eui, elsewhere] = [newEui(), newEui()];
    const gateway = { eui, stats: connected() as Fields };
    theThings.gateways.set('roof-of-the-town-hall', gateway);
    theThings.gateways.set('elsewhere', {
      ...{ eui: elsewhere, gateway_server_address: 'nam1.cloud.thethings.network' },
    });
    const device = await newGateway(eui);
    const [unknown, other] = [await newGateway(newEui()), await newGateway(elsewhere)];
    const theirs = await newGateway(eui, neighbour);
    await other.write();
    await poll();
    await expect.poll(device.isOnline, WAIT).toBe(true);
    expect([await unknown.isOnline(), await theirs.isOnline()]).toEqual([false, false]);

    gateway.stats = { disconnected_at: new Date(server.clock.now()).toISOString() };
    server.clock.advance(1_000);
    await poll();
    await expect.poll(device.isOnline, WAIT).toBe(false);
    // One of another cluster is not known here.
    expect(await other.isOnline()).toBe(true);
    gateway.stats = connected();
    server.clock.advance(1_000);
    await poll();
    await expect.poll(device.isOnline, WAIT).toBe(true);
    expect(theThings.calls).toContain('POST gs/gateways/connection/stats');
  });

  it('stays online while the network server does not answer, and the network says why', async () => {
    const eui = newEui();
    theThings.gateways.set('held', { eui, stats: connected() });
    const [held, silent] = [await newGateway(eui), await newGateway(newEui())];
    await poll();
    await silent.write();
    await expect.poll(held.recorded, WAIT).toBe(true);
    await expect.poll(silent.recorded, WAIT).toBe(true);

    theThings.setAway(true);
    await poll();
    await expect
      .poll(async () => (await networkState()).lastError, WAIT)
      .toBe('The state of the gateways could not be read: the network server answered 503.');
    server.clock.advance(ONLINE_MINUTES * MINUTE + 1_000);
    await expect.poll(silent.recorded, WAIT).toBe(false);
    expect([await held.recorded(), await held.isOnline()]).toEqual([true, true]);

    theThings.setAway(false);
    await poll();
    await expect.poll(async () => (await networkState()).lastError, WAIT).toBe(null);
    expect(await held.isOnline()).toBe(true);
  });

  it('of a key that may not see it is not asked for, and the network says what the key needs', async () => {
    await change({ api: { url: theThings.url, token: 'wrong' } });
    await expect
      .poll(async () => (await networkState()).lastError, WAIT)
      .toBe(
        'The state of the gateways could not be read: the API key may not list gateways and view their status.',
      );
    expect(JSON.stringify(await networkState())).not.toContain(THE_THINGS_TOKEN);
    await change({ api: { url: theThings.url, token: THE_THINGS_TOKEN } });
    await expect.poll(async () => (await networkState()).lastError, WAIT).toBe(null);
  });
});
