import { setTimeout as pause } from 'node:timers/promises';
import { connect, type MqttClient } from 'mqtt';
import { send } from '../support/call.ts';
import type { DeviceCredentials } from './mqtt-packets.ts';

/** A well-behaved organization on the server that is under attack. */
export interface Bystander {
  readonly url: string;
  readonly mqttPort: number;
  readonly organizationId: string;
  readonly authorization: string;
  readonly device: DeviceCredentials;
  readonly variableId: string;
}

export interface BystanderReport {
  readonly acknowledged: number;
  readonly found: number;
  readonly worstAcknowledgementMs: number;
  readonly worstAnswerMs: number;
  readonly failures: readonly string[];
}

const PUBLISH_INTERVAL_MS = 20;
const READ_INTERVAL_MS = 200;
const FIRST_TIME_MS = 1_700_000_000_000;

/** Publishes and reads all the while, until the returned function is called. */
export function standBy(bystander: Bystander): () => Promise<BystanderReport> {
  let isOver = false;
  let acknowledged = 0;
  let worstAcknowledgementMs = 0;
  let worstAnswerMs = 0;
  const failures: string[] = [];
  const fail = (what: string) => void (failures.length < 10 && failures.push(what));

  async function publish(client: MqttClient): Promise<void> {
    while (!isOver) {
      const before = performance.now();
      const payload = { timestamp: FIRST_TIME_MS + acknowledged, data: { count: acknowledged } };
      try {
        await client.publishAsync(bystander.device.topic, JSON.stringify(payload), { qos: 1 });
        acknowledged += 1;
      } catch (error) {
        fail(`publish: ${error}`);
      }
      worstAcknowledgementMs = Math.max(worstAcknowledgementMs, performance.now() - before);
      await pause(PUBLISH_INTERVAL_MS);
    }
  }

  async function read(): Promise<void> {
    while (!isOver) {
      const before = performance.now();
      const path = `/primary/v1/${bystander.organizationId}/devices`;
      const { status } = await send(bystander.url, 'GET', path, { auth: bystander.authorization });
      if (status !== 200) fail(`GET devices: ${status}`);
      worstAnswerMs = Math.max(worstAnswerMs, performance.now() - before);
      await pause(READ_INTERVAL_MS);
    }
  }

  const client = connect(`mqtt://127.0.0.1:${bystander.mqttPort}`, {
    ...bystander.device,
    protocolVersion: 5,
    reconnectPeriod: 0,
  });
  client.on('error', (error) => fail(`connection: ${error}`));
  client.on('close', () => !isOver && fail('the connection was closed'));
  const works = Promise.all([publish(client), read()]);
  return async () => {
    isOver = true;
    await works;
    await client.endAsync(true);
    const found = await countFound(bystander);
    return { acknowledged, found, worstAcknowledgementMs, worstAnswerMs, failures };
  };
}

async function countFound({ url, organizationId, authorization, variableId }: Bystander) {
  const path = `/primary/v1/${organizationId}/devices/variables/${variableId}/readings`;
  let found = 0;
  for (let startTime: number | null = FIRST_TIME_MS; startTime !== null; ) {
    const query = `startTime=${startTime}&endTime=${FIRST_TIME_MS + 1e9}&take=50000`;
    const { body } = await send(url, 'GET', path, { auth: authorization, query });
    found += body.items.length;
    startTime = body.nextStartTime;
  }
  return found;
}
