import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '@fieldwatch/contract';
import type { MqttClient } from 'mqtt';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPublisher } from '../support/broker-nodes.ts';
import { type Mosquitto, requireMosquitto, startMosquitto } from '../support/mosquitto.ts';
import { asked, type Cluster, type Node, startCluster } from '../support/nodes.ts';

type Fields = Record<string, unknown>;

const eventually = { timeout: 60_000, interval: 200 };
const STATISTICS_INTERVAL_MS = 200;

let mosquitto: Mosquitto;
let cluster: Cluster;
let euis = 0x0016c001f1540000n;

beforeAll(async () => {
  requireMosquitto();
  mosquitto = await startMosquitto('persistence false\nmax_queued_messages 0');
  cluster = await startCluster({ FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.1' });
});

afterAll(async () => {
  await cluster?.stop();
  await mosquitto?.stop();
});

/** A record that the node acts for. */
async function ownedBy(owner: Node, create: () => ReturnType<typeof asked>): Promise<string> {
  for (;;) {
    const { status, text, body } = await create();
    expect(status, text).toBe(201);
    if ((await cluster.ownerOf(body.id)) === owner.id) return body.id;
  }
}

/** A network whose session the node has. */
async function newNetwork(owner: Node): Promise<string> {
  const network = {
    ...{ name: 'Roof', kind: 'CHIRPSTACK_V4', ingest: 'MQTT', applicationId: 'app' },
    ...{ mqtt: { url: mosquitto.url }, gatewayPrefixes: ['eu868'], isActive: false },
  };
  const created: string[] = [];
  const networkId = await ownedBy(owner, async () => {
    const answer = await asked(owner, operations.createLorawanNetwork, { body: network });
    created.push(answer.body.id);
    return answer;
  });
  for (const other of created.filter((id) => id !== networkId)) {
    await asked(owner, operations.deleteLorawanNetwork, { params: { networkId: other } });
  }
  const params = { networkId };
  await asked(owner, operations.updateLorawanNetwork, { params, body: { isActive: true } });
  return networkId;
}

/** A gateway whose Device the node acts for. */
async function newGateway(owner: Node, client: MqttClient) {
  let gatewayEui = '';
  const deviceId = await ownedBy(owner, () => {
    gatewayEui = (euis++).toString(16).toUpperCase().padStart(16, '0');
    const configuration = { gatewayEui, rfRegion: 'EU868' };
    const body = { type: 'LORAWAN_GATEWAY_EDGE', name: `Gateway ${gatewayEui}`, configuration };
    return asked(owner, operations.createDevice, { body });
  });
  const params = { deviceId };
  const { body: variable } = await asked(owner, operations.createVariable, {
    params,
    body: {
      ...{ topicPropertyPath: 'lorawan.rxReceived', type: 'NUMBER', name: 'Received' },
      isLoggingEnabled: true,
    },
  });
  const { body: device } = await asked(owner, operations.retrieveDevice, { params });
  const send = (leaf: string, message: Fields, retain = false) => {
    const topic = `eu868/gateway/${gatewayEui.toLowerCase()}/${leaf}`;
    return client.publishAsync(topic, JSON.stringify(message), { qos: 1, retain });
  };
  const valuesAt = async (node: Node, variableId: string) => {
    const query = `startTime=0&endTime=${Date.now() + 60_000}&take=1000`;
    const given = { params: { variableId }, query };
    const { body, status, text } = await asked(node, operations.listReadings, given);
    expect(status, text).toBe(200);
    return body.items.map(({ value }: { value: unknown }) => value);
  };
  let sent = 0;
  return {
    deviceId,
    connect: (state: 'ONLINE' | 'OFFLINE') => send('state/conn', { state }, true),
    async count() {
      sent += 1;
      const time = new Date().toISOString();
      await send('event/stats', { rxPacketsReceived: sent, time });
    },
    sent: () => sent,
    countsAt: (node: Node) => valuesAt(node, variable.id),
    presenceAt: (node: Node) => valuesAt(node, device.onlineVariableId),
    isOnlineAt: async (node: Node) =>
      (await asked(node, operations.retrieveDevice, { params })).body.isOnline,
  };
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

it('reports of gateways outlast the node that has the session of their network', async () => {
  const [survivor, lost] = await cluster.nodes(2, 1);
  const client = await openPublisher(mosquitto.url);
  const networkId = await newNetwork(lost);
  const stateOf = async () =>
    (await asked(survivor, operations.retrieveLorawanNetwork, { params: { networkId } })).body
      .state;
  await expect.poll(async () => (await stateOf()).isConnected, eventually).toBe(true);
  const counting = [await newGateway(survivor, client), await newGateway(lost, client)];
  const leaving = [await newGateway(survivor, client), await newGateway(lost, client)];
  for (const gateway of [...counting, ...leaving]) await gateway.connect('ONLINE');
  for (const gateway of [...counting, ...leaving]) {
    for (const node of [survivor, lost])
      await expect.poll(() => gateway.isOnlineAt(node), eventually).toBe(true);
    await expect.poll(() => gateway.presenceAt(survivor), eventually).toEqual([true]);
  }

  let isOver = false;
  const counted = counting.map(async (gateway) => {
    for (; !isOver; await sleep(STATISTICS_INTERVAL_MS)) await gateway.count();
  });
  for (const gateway of counting)
    await expect.poll(() => gateway.countsAt(survivor), eventually).toContain(3);
  const connectedAt = (await stateOf()).lastConnectedDateTime;
  await cluster.killNode(lost);
  for (const gateway of leaving) await gateway.connect('OFFLINE');
  await expect
    .poll(async () => (await stateOf()).lastConnectedDateTime, eventually)
    .not.toBe(connectedAt);
  for (const gateway of leaving)
    await expect.poll(() => gateway.isOnlineAt(survivor), eventually).toBe(false);
  isOver = true;
  await Promise.all(counted);

  for (const gateway of counting) {
    await expect.poll(() => gateway.countsAt(survivor), eventually).toEqual(upTo(gateway.sent()));
    expect(await gateway.isOnlineAt(survivor)).toBe(true);
    expect(await gateway.presenceAt(survivor)).toEqual([true]);
  }
  for (const gateway of leaving)
    await expect.poll(() => gateway.presenceAt(survivor), eventually).toEqual([true, false]);
});
