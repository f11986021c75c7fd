import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '@fieldwatch/contract';
import { MqttClient } from 'mqtt';
import { expect } from 'vitest';
import { call } from './call.ts';
import type { Credentials, ProtocolVersion } from './mqtt.ts';
import { storedReadings, type Target } from './reporter.ts';

interface Options extends Target {
  /** Where the server listens now: another port after each start. */
  readonly mqttPort: () => number;
}

interface Way {
  readonly version: ProtocolVersion;
  readonly qos: 1 | 2;
}

interface Source extends Way {
  readonly credentials: Credentials;
  readonly variables: readonly string[];
  readonly client: MqttClient;
  /** The times of messages that were acknowledged, and of those on their way. */
  readonly acknowledged: number[];
  readonly underWay: Set<Promise<void>>;
}

const WAYS: readonly Way[] = [
  { version: 4, qos: 1 },
  { version: 4, qos: 2 },
  { version: 5, qos: 1 },
  { version: 5, qos: 2 },
];
const PATHS = ['engine.rpm', 'engine.volts'];
const IN_FLIGHT = 10;
/** One message in so many goes to a topic of another Device, and is refused. */
const STRAY_ONE_IN = 10;
const RECONNECT_MS = 50;
/** Messages that are taken have even times, those that are refused odd ones. */
const START = Date.UTC(2026, 0, 1);

const valueAt = (path: number, time: number) => (time % 1_000) + path * 1_000;

/** Devices that publish without a pause, by real clients that connect again by themselves. */
export function createMqttReporter({ auth, organizationId, mqttPort }: Options) {
  const sources: Source[] = [];
  let time = START;
  let strays = 0;
  let closes = 0;
  let isDone = false;

  async function makeSource(url: string, way: Way): Promise<Source> {
    const made = await call(url, operations.createDevice, {
      auth,
      params: { organizationId },
      body: { type: 'CUSTOM_DEVICE', name: `Version ${way.version}, QoS ${way.qos}` },
    });
    const credentials: Credentials = made.body.credentials;
    const variables: string[] = [];
    for (const topicPropertyPath of PATHS) {
      const body = { topicPropertyPath, type: 'NUMBER', name: 'Value', isLoggingEnabled: true };
      const params = { organizationId, deviceId: credentials.username };
      variables.push((await call(url, operations.createVariable, { auth, params, body })).body.id);
    }
    const { username, password } = credentials;
    const client = new MqttClient(() => connect(mqttPort(), '127.0.0.1'), {
      username,
      password,
      clientId: 'reporter',
      protocolVersion: way.version,
      reconnectPeriod: RECONNECT_MS,
      reconnectOnConnackError: true,
    });
    client.on('error', () => undefined);
    client.on('close', () => {
      closes += 1;
    });
    return { ...way, credentials, variables, client, acknowledged: [], underWay: new Set() };
  }

  function payloadAt(at: number): string {
    const data = Object.fromEntries(PATHS.map((path, index) => [path, valueAt(index, at)]));
    return JSON.stringify({ timestamp: at, data });
  }

  async function send({ client, credentials, qos, acknowledged }: Source): Promise<void> {
    time += 2;
    const at = time;
    await client.publishAsync(credentials.topic, payloadAt(at), { qos });
    acknowledged.push(at);
  }

  /** Refused by a code in version 5; in 3.1.1 an acknowledgement is the only answer there is. */
  async function sendAstray({ client, qos, version }: Source, to: Source): Promise<void> {
    time += 2;
    strays += 1;
    const sent = client.publishAsync(to.credentials.topic, payloadAt(time + 1), { qos });
    const outcome = await sent.then(
      () => 'acknowledged',
      () => 'refused',
    );
    expect(outcome).toBe(version === 5 ? 'refused' : 'acknowledged');
  }

  async function publishOn(source: Source, neighbour: Source): Promise<void> {
    for (let turn = 1; !isDone; turn += 1) {
      const sending = turn % STRAY_ONE_IN === 0 ? sendAstray(source, neighbour) : send(source);
      source.underWay.add(sending);
      void sending.finally(() => source.underWay.delete(sending));
      while (source.underWay.size >= IN_FLIGHT) await Promise.race(source.underWay);
    }
    await Promise.all(source.underWay);
  }

  let publishing: Promise<unknown> = Promise.resolve();

  return {
    /** Makes the Devices, and begins. */
    async start(url: string): Promise<void> {
      for (const way of WAYS) sources.push(await makeSource(url, way));
      publishing = Promise.all(
        sources.map((source, index) =>
          publishOn(source, sources[(index + 1) % sources.length] ?? source),
        ),
      );
      publishing.catch(() => undefined);
    },
    /** Of the Device that has the fewest. */
    acknowledged: () => Math.min(...sources.map(({ acknowledged }) => acknowledged.length)),
    strays: () => strays,
    /** How often a connection was lost. */
    closes: () => closes,
    /** Sends no more, and resolves when all that was sent is answered. */
    async finish(limitMs: number): Promise<void> {
      isDone = true;
      const late = sleep(limitMs, 'late', { ref: false });
      expect(await Promise.race([publishing, late])).not.toBe('late');
    },
    /** What was acknowledged and is not there as it was, what is there twice, what was refused and is there. */
    async faults(url: string) {
      let [lost, doubled, refused] = [0, 0, 0];
      for (const { variables, acknowledged } of sources) {
        const expected = [...acknowledged];
        for (const [path, variableId] of variables.entries()) {
          const stored = await storedReadings(url, { auth, organizationId }, variableId, time + 1);
          const found = new Map(stored.map(({ timestamp, value }) => [timestamp, value]));
          lost += expected.filter((at) => found.get(at) !== valueAt(path, at)).length;
          doubled += stored.length - found.size;
          refused += stored.filter(({ timestamp }) => timestamp % 2 === 1).length;
        }
      }
      return { lost, doubled, refused };
    },
    async end(): Promise<void> {
      await Promise.all(sources.map(({ client }) => client.endAsync(true)));
    },
  };
}
