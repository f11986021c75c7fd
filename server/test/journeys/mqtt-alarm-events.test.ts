import { operations } from '@fieldwatch/contract';
import type { MqttClient } from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mqttCalls, VERSIONS } from '../support/mqtt.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let mqtt: ReturnType<typeof mqttCalls>;
let topic: string;

beforeAll(async () => {
  server = await startServer({ environment: { hasMqttThread: true } });
  mqtt = mqttCalls(server);
  topic = `fieldwatch/${server.organizationId}/events/alarms`;
});

afterAll(async () => {
  await mqtt.endAll();
  await server.stop();
});

async function newKey(permissions: readonly string[]) {
  const { body } = await server.call(operations.createApiKey, {
    auth: server.administrator,
    body: { name: 'Follower', permissions },
  });
  return { id: body.id, username: body.id, password: body.secret };
}

/** A Device whose alarm goes off above 100. */
async function newAlarm() {
  const device = await mqtt.newDevice();
  const deviceVariableId = await mqtt.newVariable(device.username, 'meter.load');
  const made = await server.call(operations.createAlarm, {
    body: {
      name: 'Overload',
      isActive: true,
      deviceId: device.username,
      deviceVariableId,
      operator: 'GREATER_THAN',
      thresholdValueNumber: 100,
      severity: 'HIGH',
      alarmGroupId: null,
      isAcknowledgeable: true,
    },
  });
  expect(made.status, made.text).toBe(201);
  const write = async (load: number) => {
    const taken = await server.call(operations.writeReadings, {
      params: { deviceId: device.username },
      body: { data: { meter: { load } } },
    });
    expect(taken.body, taken.text).toMatchObject({ accepted: 1 });
  };
  return { alarmId: made.body.id as string, write };
}

interface ReceivedChange {
  readonly change: string;
  readonly event: { readonly alarmId: string };
}

function changesReceivedBy(client: MqttClient): ReceivedChange[] {
  const received: ReceivedChange[] = [];
  client.on('message', (at, payload) => {
    expect(at).toBe(topic);
    received.push(JSON.parse(payload.toString()));
  });
  return received;
}

describe('an API key that connects as an MQTT user', () => {
  it.each(VERSIONS)(
    'receives alarm events as they happen, in version %i',
    async (protocolVersion) => {
      const key = await newKey(['ReadAlarmConfigurations']);
      const client = await mqtt.signIn(key, { protocolVersion });
      const received = changesReceivedBy(client);
      const [granted] = await client.subscribeAsync(topic, { qos: 1 });
      expect(granted?.qos).toBe(1);
      const { alarmId, write } = await newAlarm();
      await write(120);
      await write(80);
      await expect
        .poll(() => received.map(({ change, event }) => [change, event.alarmId]))
        .toEqual([
          ['RAISED', alarmId],
          ['CLEARED', alarmId],
        ]);
    },
  );

  it('receives nothing without the permission, and nothing of other organizations', async () => {
    const neighbour = `fieldwatch/018f0000-0000-7000-8000-00000000ffff/events/alarms`;
    const reader = await mqtt.signIn(await newKey(['ReadAlarmConfigurations']), {
      protocolVersion: 5,
    });
    const other = await mqtt.signIn(await newKey(['CreateDevice']), { protocolVersion: 5 });
    const refused = [
      [other, topic],
      [reader, neighbour],
      [reader, `fieldwatch/${server.organizationId}/#`],
      [reader, '#'],
    ] as const;
    for (const [client, filter] of refused) {
      await expect(client.subscribeAsync(filter, { qos: 1 })).rejects.toThrow();
    }
  });

  it('is disconnected once the key is revoked', async () => {
    const key = await newKey(['ReadAlarmConfigurations']);
    const client = await mqtt.signIn(key, { protocolVersion: 5 });
    const received = changesReceivedBy(client);
    await client.subscribeAsync(topic, { qos: 1 });
    const { write } = await newAlarm();
    await server.call(operations.deleteApiKey, {
      auth: server.administrator,
      params: { apiKeyId: key.id },
    });
    await write(120);
    await expect.poll(() => client.connected).toBe(false);
    expect(received).toEqual([]);
  });

  it('is refused when it publishes', async () => {
    const client = await mqtt.signIn(await newKey(['ReadAlarmConfigurations']), {
      protocolVersion: 5,
    });
    await expect(client.publishAsync(topic, '{}', { qos: 1 })).rejects.toMatchObject({
      code: 0x87,
    });
    expect(client.connected).toBe(true);
  });

  it('is refused with a wrong secret', async () => {
    const { username } = await newKey(['ReadAlarmConfigurations']);
    await expect(mqtt.signIn({ username, password: 'wrong' })).rejects.toMatchObject({ code: 4 });
  });
});
