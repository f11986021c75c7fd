import { Gateway } from '@chirpstack/chirpstack-api/api/gateway_pb.js';
import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHIRPSTACK_TENANT, CHIRPSTACK_TOKEN, startChirpstack } from '../support/chirpstack.ts';
import { rowsIn } from '../support/database.ts';
import { errorsOf } from '../support/lorawan.ts';
import { startNeighbour, startServer, type TestServer } from '../support/server.ts';
import { startTheThingsStack, THE_THINGS_TOKEN } from '../support/the-things-stack.ts';

type Fields = Record<string, unknown>;

const WAIT = { interval: 20 };
const MINUTE = 60_000;
/** The default of the server. */
const ONLINE_MINUTES = 5;

let server: TestServer;
let neighbour: TestServer;
let chirpstack: Awaited<ReturnType<typeof startChirpstack>>;
let theThings: Awaited<ReturnType<typeof startTheThingsStack>>;
let networkId: string;
let euis = 0x0016c001f1530000n;

const newEui = () => (euis++).toString(16).toUpperCase().padStart(16, '0');

beforeAll(async () => {
  [chirpstack, theThings] = await Promise.all([startChirpstack(), startTheThingsStack()]);
  server = await startServer({ env: { FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.1' } });
  neighbour = await startNeighbour(server);
  const { body } = await server.call(operations.createLorawanNetwork, {
    body: {
      ...{ name: 'City', kind: 'THE_THINGS_STACK_V3', ingest: 'WEBHOOK', applicationId: 'plant' },
      api: { url: theThings.url, token: THE_THINGS_TOKEN },
    },
  });
  networkId = body.id;
});

afterAll(async () => {
  await server.stop();
  await Promise.all([chirpstack.stop(), theThings.stop()]);
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

    theThings.setUnavailable(true);
    await poll();
    await expect
      .poll(async () => (await networkState()).lastError, WAIT)
      .toBe('The state of the gateways could not be read: the network server answered 503.');
    server.clock.advance(ONLINE_MINUTES * MINUTE + 1_000);
    await expect.poll(silent.recorded, WAIT).toBe(false);
    expect([await held.recorded(), await held.isOnline()]).toEqual([true, true]);

    theThings.setUnavailable(false);
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

describe.each(['CHIRPSTACK_V4', 'THE_THINGS_STACK_V3'] as const)(
  'a gateway of a network that registers, of the kind %s',
  (kind) => {
    const isChirpstack = kind === 'CHIRPSTACK_V4';
    let id: string;

    /** The gateway as the network server has it. */
    const stored = (eui: string) => {
      const found = chirpstack.gateways.get(eui.toLowerCase());
      if (!isChirpstack) return theThings.gateways.get(`eui-${eui.toLowerCase()}`);
      const mark = found?.getTagsMap().get('fieldwatch-network');
      return found && { name: found.getName(), attributes: { 'fieldwatch-network': mark } };
    };
    /** Registers a gateway there by hand. */
    function addByHand(eui: string, name: string): void {
      if (!isChirpstack) {
        theThings.gateways.set(`eui-${eui.toLowerCase()}`, { eui, name });
        return;
      }
      const gateway = new Gateway();
      gateway.setGatewayId(eui.toLowerCase());
      gateway.setName(name);
      gateway.setTenantId(CHIRPSTACK_TENANT);
      chirpstack.gateways.set(eui.toLowerCase(), gateway);
    }
    async function registered(gatewayEui: string) {
      const { id: deviceId } = await newGateway(gatewayEui);
      const params = { deviceId };
      await server.call(operations.updateLorawanDevice, { params, body: { networkId: id } });
      const provisioning = async () =>
        (await server.call(operations.retrieveLorawanDevice, { params })).body.provisioning;
      return {
        provisioning,
        is: (state: string) =>
          expect.poll(async () => (await provisioning()).state, WAIT).toBe(state),
        rename: (name: string) => {
          const body = { type: 'LORAWAN_GATEWAY_CLOUD', name };
          return server.call(operations.updateDevice, { params, body });
        },
        remove: () => server.call(operations.deleteDevice, { params }),
      };
    }

    beforeAll(async () => {
      const api = isChirpstack
        ? { url: chirpstack.url, token: CHIRPSTACK_TOKEN }
        : { url: theThings.url, token: THE_THINGS_TOKEN };
      const defaults = {
        ...{ deviceProfileId: 'profile', frequencyPlanId: 'EU_863_870_TTN' },
        ...{ macVersion: 'MAC_V1_0_3', phyVersion: 'PHY_V1_0_3_REV_A' },
      };
      const network = { name: 'Plant', kind, ingest: 'WEBHOOK', applicationId: 'plant' };
      const { body } = await server.call(operations.createLorawanNetwork, {
        body: { ...network, provisioning: 'PUSH', api, defaults },
      });
      id = body.id;
    });

    it('is registered, renamed, removed, and registered again', async () => {
      const eui = newEui();
      const gateway = await registered(eui);
      await gateway.is('REGISTERED');
      const attributes = { 'fieldwatch-network': id };
      expect(stored(eui)).toMatchObject({ name: `Gateway ${eui}`, attributes });
      await gateway.rename('Gateway on the roof');
      await gateway.is('REGISTERED');
      expect(stored(eui)?.name).toBe('Gateway on the roof');
      await gateway.remove();
      await expect.poll(() => stored(eui), WAIT).toBe(undefined);
      const again = await registered(eui);
      await again.is('REGISTERED');
      expect(stored(eui)).toMatchObject({ name: `Gateway ${eui}` });
    });

    it('that was registered by hand is taken over, renamed, and never removed', async () => {
      const [eui, later] = [newEui(), newEui()];
      addByHand(eui, 'By hand');
      const gateway = await registered(eui);
      await gateway.is('REGISTERED');
      expect(stored(eui)?.name).toBe('By hand');
      await gateway.rename('Renamed here');
      await expect.poll(() => stored(eui)?.name, WAIT).toBe('Renamed here');
      await gateway.remove();
      // Rows are served in the order in which they are due.
      const next = await registered(later);
      await next.is('REGISTERED');
      expect(stored(eui)?.name).toBe('Renamed here');
    });
  },
);

describe('a gateway that cannot be registered', () => {
  async function outcome(eui: string, kind: string) {
    const { body: list } = await server.call(operations.listLorawanNetworks, {});
    const network = list.items.find(
      (each: Fields) => each.kind === kind && each.provisioning === 'PUSH',
    );
    const params = { deviceId: (await newGateway(eui)).id };
    await server.call(operations.updateLorawanDevice, { params, body: { networkId: network.id } });
    const provisioning = async () =>
      (await server.call(operations.retrieveLorawanDevice, { params })).body.provisioning;
    await expect.poll(async () => (await provisioning()).state, WAIT).toBe('FAILED');
    return (await provisioning()).error;
  }

  it('says that another tenant of ChirpStack has it', async () => {
    const eui = newEui();
    const theirs = new Gateway();
    theirs.setGatewayId(eui.toLowerCase());
    theirs.setTenantId('another');
    chirpstack.gateways.set(eui.toLowerCase(), theirs);
    expect(await outcome(eui, 'CHIRPSTACK_V4')).toBe(
      'A gateway with this EUI is registered by a tenant that this API key may not see: remove it there first.',
    );
  });

  it('says that somebody else at The Things Stack has it', async () => {
    const eui = newEui();
    theThings.gateways.set('theirs', { eui, isHidden: true });
    expect(await outcome(eui, 'THE_THINGS_STACK_V3')).toBe(
      `A gateway with this EUI is registered elsewhere: remove it there first. a gateway with EUI ${eui} is registered as theirs`,
    );
  });

  it('has no codec and no profile, and a Device that is no gateway has no network', async () => {
    const params = { deviceId: (await newGateway(newEui())).id };
    const body = { deviceProfileId: 'profile' };
    const refused = await server.call(operations.updateLorawanDevice, { params, body });
    expect([refused.status, errorsOf(refused)]).toEqual([
      400,
      ['deviceProfileId must be null for a gateway'],
    ]);
    const plain = { type: 'CUSTOM_DEVICE', name: 'Plain Device' };
    const { body: device } = await server.call(operations.createDevice, { body: plain });
    const other = { deviceId: device.id as string };
    expect((await server.call(operations.retrieveLorawanDevice, { params: other })).status).toBe(
      409,
    );
  });
});
