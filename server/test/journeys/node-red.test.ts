import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alarmBench } from '../support/alarms.ts';
import {
  type DeployedNode,
  imitateNodeRed,
  type Message,
  type NodeRed,
  startNodeRed,
} from '../support/node-red.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let nodeRed: NodeRed;
let deviceId: string;
let variableId: string;
const folder = process.env.FIELDWATCH_NODE_RED;

beforeAll(async () => {
  server = await startServer();
  nodeRed = folder ? await startNodeRed(folder) : imitateNodeRed();
  const bench = alarmBench(() => server);
  const watched = await bench.newVariable('NUMBER');
  deviceId = watched.deviceId;
  variableId = watched.deviceVariableId;
  await bench.create({
    ...watched,
    operator: 'GREATER_THAN',
    thresholdValueNumber: 100,
    isAcknowledgeable: true,
    severity: 'HIGH',
  });
  await nodeRed.deploy(flow(), {
    server: {
      ...keyOf(server),
      email: server.adminEmail,
      password: server.adminPassword,
    },
  });
}, 60_000);

afterAll(async () => {
  await nodeRed.stop();
  await server.stop();
});

function keyOf({ key }: TestServer) {
  const [apiKeyId, apiKeySecret] = Buffer.from(key.slice('Basic '.length), 'base64')
    .toString()
    .split(':');
  return { apiKeyId, apiKeySecret };
}

function flow() {
  const { url, organizationId } = server;
  const to = (id: string) => ({ server: 'server', wires: [[id]] });
  const receivers = ['written', 'values', 'raised', 'cleared', 'acknowledged'];
  return [
    { id: 'server', type: 'fieldwatch-server', url, organizationId },
    ...receivers.map((id) => ({ id, type: 'helper', wires: [] })),
    { id: 'readings', type: 'fieldwatch-readings', deviceId, path: '', ...to('written') },
    { id: 'live', type: 'fieldwatch-live', variableIds: variableId, ...to('values') },
    {
      ...{
        id: 'alarms',
        type: 'fieldwatch-alarms',
        changes: 'RAISED',
        severities: 'CRITICAL, HIGH',
      },
      ...to('raised'),
    },
    {
      id: 'ends',
      type: 'fieldwatch-alarms',
      changes: 'CLEARED',
      severities: 'LOW',
      ...to('cleared'),
    },
    {
      id: 'acknowledge',
      type: 'fieldwatch-acknowledge',
      note: 'By the flow',
      ...to('acknowledged'),
    },
  ];
}

/** The next message that a node receives. */
const next = (id: string) =>
  new Promise<Message>((resolve) => nodeRed.node(id).on('input', resolve));

const errorOf = (node: DeployedNode) =>
  new Promise<string>((resolve) => {
    const emitter = node as DeployedNode & { on(event: string, listener: object): unknown };
    emitter.on('call:error', (call: { firstArg: Error | string }) =>
      resolve(call.firstArg instanceof Error ? call.firstArg.message : call.firstArg),
    );
  });

describe(`a flow in ${folder ? 'Node-RED' : 'an imitation of Node-RED'}`, () => {
  it('writes readings, and follows values and alarm events', async () => {
    for (const id of ['live', 'alarms', 'ends']) {
      await expect.poll(() => nodeRed.statusOf(id), { timeout: 20_000 }).toBe('connected');
    }
    const value = next('values');
    const raised = next('raised');
    const params = { variableId };
    const { body: variable } = await server.call(operations.retrieveVariable, { params });
    const written = next('written');
    nodeRed.node('readings').receive({ payload: 150, topic: variable.topicPropertyPath });
    expect((await written).payload).toMatchObject({ accepted: 1, rejected: [] });
    expect(await value).toMatchObject({ topic: variableId, payload: 150, deviceId });
    expect(await raised).toMatchObject({
      topic: 'RAISED',
      payload: { severity: 'HIGH', deviceId },
    });

    const acknowledged = next('acknowledged');
    const { eventId } = await raised;
    nodeRed.node('acknowledge').receive({ eventId });
    expect((await acknowledged).payload).toMatchObject({
      id: eventId,
      acknowledgedBy: server.adminEmail,
      notes: [{ text: 'By the flow' }],
    });
  });

  it('passes on what was rejected, and reports what was refused', async () => {
    const written = next('written');
    nodeRed.node('readings').receive({ payload: { unknown: { path: 1 } } });
    expect((await written).payload).toMatchObject({
      accepted: 0,
      rejected: [{ key: 'unknown.path', reason: 'unknownPath' }],
    });
    const refused = errorOf(nodeRed.node('readings'));
    nodeRed.node('readings').receive({ payload: 1, topic: 'x', deviceId: server.organizationId });
    expect(await refused).toMatch(/no such|not found|does not exist/i);
    const unnamed = errorOf(nodeRed.node('acknowledge'));
    nodeRed.node('acknowledge').receive({ payload: 'nothing' });
    expect(await unnamed).toBe('the message names no alarm event');
  });
});
