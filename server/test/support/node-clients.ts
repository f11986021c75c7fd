import { connect, type IClientOptions, type MqttClient } from 'mqtt';
import { onTestFinished } from 'vitest';
import { ALARM_EVENTS, type Node, type Point } from './nodes.ts';

interface DeviceOptions extends IClientOptions {
  /** Where the Device connects to when its node does not answer. */
  readonly fallback?: Node;
}

/** Connects a Device to a node. Its client ends with the test. */
export async function connectDevice(
  node: Pick<Node, 'mqttUrl'>,
  { deviceId, password }: Pick<Point, 'deviceId' | 'password'>,
  { fallback, ...options }: DeviceOptions = {},
): Promise<MqttClient> {
  const client = open(node, { username: deviceId, password, ...options });
  if (fallback) client.on('close', () => Object.assign(client.options, addressOf(fallback)));
  return connected(client);
}

/** Connects a client with the API key of the organization to a node. It ends with the test. */
export function connectKey(node: Node): Promise<MqttClient> {
  const { id: username, secret: password } = ALARM_EVENTS.key;
  return connected(open(node, { username, password }));
}

function open({ mqttUrl }: Pick<Node, 'mqttUrl'>, options: IClientOptions): MqttClient {
  const client = connect(mqttUrl, { protocolVersion: 5, reconnectPeriod: 500, ...options });
  client.on('error', () => undefined);
  onTestFinished(async () => {
    await client.endAsync(true);
  });
  return client;
}

async function connected(client: MqttClient): Promise<MqttClient> {
  await new Promise<void>((resolve) => client.once('connect', () => resolve()));
  return client;
}

function addressOf({ mqttUrl }: Node) {
  const { hostname, port } = new URL(mqttUrl);
  return { host: hostname, hostname, port: Number(port), href: mqttUrl };
}
