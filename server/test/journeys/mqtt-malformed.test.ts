import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { operations } from '@fieldwatch/contract';
import type { MqttClient } from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import {
  type Credentials,
  closing,
  connectPacket,
  mqttCalls,
  packet,
  publishPacket,
} from '../support/mqtt.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let calls: ReturnType<typeof mqttCalls>;
let device: Credentials;
let bystander: MqttClient;
let variable: string;

beforeAll(async () => {
  server = await startServer({ environment: { hasMqttThread: true } });
  calls = mqttCalls(server);
  device = await calls.newDevice();
  variable = await calls.newVariable(device.username, 'still.there');
  bystander = await calls.signIn(device, { protocolVersion: 5 });
});

afterAll(async () => {
  await calls.endAll();
  await server.stop();
});

let readings = 0;

/** Another connection of the same Device goes on as before. */
async function expectOthersUnharmed(): Promise<void> {
  readings += 1;
  await bystander.publishAsync(device.topic, `{"still":{"there":${readings}}}`, { qos: 1 });
  expect(await calls.latest(variable)).toBe(readings);
}

const CONNACK_ACCEPTED = Buffer.from([0x20, 2, 0, 0]);
const BAD_UTF8 = Buffer.from([0x61, 0xff, 0xfe]);

async function signedIn() {
  const raw = await calls.raw();
  raw.send(connectPacket(device));
  expect(await raw.answer()).toEqual(CONNACK_ACCEPTED);
  return raw;
}

describe('a malformed packet closes its connection alone', () => {
  const below = (end: Buffer) => Buffer.concat([Buffer.from(`${device.topic}/`), end]);

  it.each([
    ['a topic with NUL', () => publishPacket(below(Buffer.from('a\0b')), '1')],
    ['a topic that is no UTF-8', () => publishPacket(below(BAD_UTF8), '1')],
    ['a topic with a wildcard', () => publishPacket(`${device.topic}/+`, '1')],
    ['an empty topic', () => publishPacket('', '1')],
    ['a second CONNECT', () => connectPacket(device)],
    ['QoS 3', () => packet(0x36, Buffer.from([0, 1, 0x61, 0, 1]))],
    ['message identifier 0', () => publishPacket(device.topic, '1', 0)],
    ['a packet type that there is not', () => packet(0x00)],
    ['a packet that only a server sends', () => packet(0x20, Buffer.from([0, 0]))],
    ['a subscription without a filter', () => packet(0x82, Buffer.from([0, 1]))],
    [
      'a filter with a misplaced wildcard',
      () => packet(0x82, Buffer.from([0, 1, 0, 2, 35, 97, 0])),
    ],
    ['a length that never ends', () => Buffer.from([0x30, 0xff, 0xff, 0xff, 0xff, 0xff])],
    ['a packet that is too large', () => publishPacket(device.topic, randomBytes(262_144))],
  ])('with %s', async (_, bytes) => {
    const raw = await signedIn();
    raw.send(bytes());
    await raw.closed();
    await expectOthersUnharmed();
  });

  it.each([
    ['something before CONNECT', () => publishPacket(device.topic, '1')],
    ['a request in HTTP', () => Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
    [
      'an unknown protocol version',
      () => Buffer.from('100f00044d5154540ac2000000017800017800', 'hex'),
    ],
    [
      'the announcement of a packet that is too large',
      () => Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f]),
    ],
  ])('with %s', async (_, bytes) => {
    const raw = await calls.raw();
    raw.send(bytes());
    await raw.closed();
    await expectOthersUnharmed();
  });

  it('with random damage, and other connections continue', async () => {
    const valid = () => [
      connectPacket(device),
      publishPacket(`${device.topic}/x`, '{"a":1}'),
      packet(0x82, Buffer.from([0, 1, 0, 1, 35, 0])),
    ];
    for (let round = 0; round < 200; round += 1) {
      const raw = round % 2 === 0 ? await signedIn() : await calls.raw();
      const bytes = Buffer.concat(valid());
      for (const at of randomBytes(4)) bytes[at % bytes.length] = at;
      raw.send(bytes, randomBytes(64));
      raw.socket.end();
      await raw.closed();
    }
    await expectOthersUnharmed();
  });
});

describe('the limits of a connection', () => {
  it('a packet of 256 KiB is accepted and a larger one is refused with a reason', async () => {
    const text = await calls.newVariable(device.username, 'long.text', 'STRING');
    const client = await calls.signIn(device, { protocolVersion: 5, properties: {} });
    const payload = (size: number) => {
      const empty = JSON.stringify({ long: { text: 'x' }, pad: '' }).length;
      return JSON.stringify({ long: { text: 'x' }, pad: 'y'.repeat(size - empty) });
    };
    const overhead = 1 + 3 + 2 + device.topic.length + 2 + 1;
    await client.publishAsync(device.topic, payload(262_144 - overhead), { qos: 1 });
    expect(await calls.latest(text)).toBe('x');
    const raw = await signedIn();
    raw.send(publishPacket(device.topic, payload(262_144)));
    await raw.closed();
    await client.endAsync();
  });

  it('a silent client is closed after one and a half keep-alive times', async () => {
    const raw = await calls.raw();
    raw.send(connectPacket(device, { keepAlive: 1 }));
    expect(await raw.answer()).toEqual(CONNACK_ACCEPTED);
    await raw.closed();
    await expectOthersUnharmed();
  });

  it('a malformed topic is reported to a client of version 5', async () => {
    const client = await calls.signIn(device, { protocolVersion: 5 });
    const closed = closing(client);
    client.publish(`${device.topic}/a\0b`, '1', { qos: 1 }, () => undefined);
    expect(await closed).toBe(0x90);
  });
});

describe('a CONNECT of an unknown version', () => {
  it.each([
    ['6', '101300044d51545406020000000000000000000000', '2003008400'],
    ['3 by the name of a later one', '100d00044d5154540302000000017800', '20020001'],
  ])('is refused with a CONNACK: %s', async (_, connect, answer) => {
    const raw = await calls.raw();
    raw.send(Buffer.from(connect, 'hex'));
    expect((await raw.answer()).toString('hex')).toBe(answer);
    await raw.closed();
  });
});

describe('sessions of one client', () => {
  it('are at most 10 for a Device, and the next is refused for the quota', async () => {
    const owner = await calls.newDevice();
    for (let count = 0; count < 10; count += 1) await calls.signIn(owner, { protocolVersion: 5 });
    const refused = calls.signIn(owner, { protocolVersion: 5 });
    await expect(refused).rejects.toMatchObject({ code: 0x97 });
    await expect(calls.signIn(owner)).rejects.toMatchObject({ code: 3 });
    await calls.signIn(await calls.newDevice());
  });

  it('are at most 100 for an API key', async () => {
    const { body } = await server.call(operations.createApiKey, {
      auth: server.administrator,
      body: { name: 'Subscriber', permissions: ['ReadAlarmConfigurations'] },
    });
    const key = { username: body.id, password: body.secret };
    const clients = await Promise.all(
      Array.from({ length: 100 }, () => calls.signIn(key, { protocolVersion: 5 })),
    );
    const refused = calls.signIn(key, { protocolVersion: 5 });
    await expect(refused).rejects.toMatchObject({ code: 0x97 });
    await clients[0]?.endAsync();
    await expect
      .poll(() =>
        calls.signIn(key).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
  });
});

describe.each(['TCP', 'WebSocket'])('a connection over %s that has not signed in', (carrier) => {
  it('is closed when it sends more than a CONNECT', async () => {
    const url = carrier === 'TCP' ? server.mqttUrl : calls.webSocketUrl;
    const large = { topic: 'x', payload: Buffer.alloc(17 * 1024), qos: 0, retain: false } as const;
    await expect(calls.signIn(device, { will: large }, url)).rejects.toThrow();
    const small = { ...large, payload: Buffer.alloc(15 * 1024) };
    const client = await calls.signIn(device, { will: small }, url);
    await client.endAsync();
  });
});

it('a text frame over WebSocket closes the connection, and nothing in it is taken', async () => {
  const webSocket = new WebSocket(calls.webSocketUrl, ['mqtt']);
  await once(webSocket, 'open');
  const acknowledged = once(webSocket, 'message');
  webSocket.send(connectPacket(device));
  expect((await acknowledged)[0]).toEqual(CONNACK_ACCEPTED);
  const closed = once(webSocket, 'close');
  webSocket.send(publishPacket(device.topic, '{"still":{"there":-1}}').toString('latin1'));
  await closed;
  await expectOthersUnharmed();
  const { body } = await server.call(operations.listReadings, { params: { variableId: variable } });
  expect(body.items.map(({ value }: { value: number }) => value)).not.toContain(-1);
});
