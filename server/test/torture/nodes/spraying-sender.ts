import { setTimeout as sleep } from 'node:timers/promises';
import type { MqttClient } from 'mqtt';
import type { Harness } from '../harness.ts';
import {
  type Credentials,
  createHttpSender,
  noteRefusal,
  openDevice,
  type Sender,
} from '../senders.ts';
import type { ClusterNode } from './cluster.ts';

const ACKNOWLEDGEMENT_LIMIT_MS = 8_000;

/**
 * Sends each message to a node of its choice: over HTTP, or over MQTT by one of its connections, one
 * to each node. What one node does not acknowledge in time it sends to others.
 */
export function createSprayingSender(
  harness: Harness,
  nodes: readonly ClusterNode[],
  credentials: Credentials,
  countIn?: (payload: object) => number,
): Sender {
  const http = createHttpSender(harness, credentials, countIn);
  const clients = nodes.map(({ mqtt }, index) =>
    openDevice({ ...harness, mqtt }, credentials, {
      version: index % 2 === 0 ? 5 : 4,
      transport: 'tcp',
    }),
  );

  async function publish(client: MqttClient, payload: object): Promise<boolean> {
    const acknowledged = client
      .publishAsync(credentials.topic, JSON.stringify(payload), { qos: 1 })
      .then(
        () => true,
        (error: unknown) => {
          noteRefusal(harness, error);
          return false;
        },
      );
    return await Promise.race([
      acknowledged,
      sleep(ACKNOWLEDGEMENT_LIMIT_MS, false, { ref: false }),
    ]);
  }

  return {
    async send(payload) {
      const sentAt = Date.now();
      const connected = clients.filter((client) => client.connected);
      if (connected.length === 0 || harness.random.below(2) === 0) return await http.send(payload);
      if (await publish(harness.random.pick(connected), payload)) {
        return { sentAt, ackedAt: Date.now(), isClean: true };
      }
      return { ...(await http.send(payload)), sentAt, isClean: false };
    },
    async end() {
      await Promise.all(clients.map((client) => client.endAsync(true)));
    },
  };
}
