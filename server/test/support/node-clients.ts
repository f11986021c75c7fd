import { connect, type IClientOptions, type MqttClient } from 'mqtt';
import { onTestFinished } from 'vitest';
import type { Node, Point } from './nodes.ts';

interface DeviceOptions extends IClientOptions {
  /** Where the Device connects to when its node does not answer. */
  readonly fallback?: Node;
}

/** Connects a Device to a node. Its client ends with the test. */
export async function connectDevice(
  node: Node,
  { deviceId, password }: Point,
  { fallback, ...options }: DeviceOptions = {},
): Promise<MqttClient> {
  const client = connect(node.mqttUrl, {
    username: deviceId,
    password,
    protocolVersion: 5,
    reconnectPeriod: 500,
    ...options,
  });
  client.on('error', () => undefined);
  if (fallback) client.on('close', () => Object.assign(client.options, addressOf(fallback)));
  onTestFinished(async () => {
    await client.endAsync(true);
  });
  await new Promise<void>((resolve) => client.once('connect', () => resolve()));
  return client;
}

function addressOf({ mqttUrl }: Node) {
  const { hostname, port } = new URL(mqttUrl);
  return { host: hostname, hostname, port: Number(port), href: mqttUrl };
}
