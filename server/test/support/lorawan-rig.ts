import { operations } from '@fieldwatch/contract';
import { connectAsync } from 'mqtt';
import { expect } from 'vitest';
import { chirpstackUplink, createSensor } from './lorawan.ts';
import { requireMosquitto, startMosquitto } from './mosquitto.ts';
import { startNeighbour, startServer } from './server.ts';

export type Fields = Record<string, unknown>;

export const WAIT = { timeout: 20_000, interval: 50 };

/** A server, and a network server of ChirpStack that publishes to a broker with these settings. */
export async function startLorawanRig(settings?: string) {
  requireMosquitto();
  const broker = await startMosquitto(settings);
  const server = await startServer({ env: { FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.1' } });
  const neighbour = await startNeighbour(server);
  const networkServer = await connectAsync(broker.url, {
    ...{ protocolVersion: 5, reconnectPeriod: 20 },
  });
  let euis = 0x70b3d50000000000n;

  const create = (body: Fields = {}, at = server) =>
    at.call(operations.createLorawanNetwork, {
      body: {
        ...{ name: 'Plant', kind: 'CHIRPSTACK_V4', ingest: 'MQTT', applicationId: 'app' },
        ...{ mqtt: { url: broker.url }, gatewayPrefixes: ['eu868'], ...body },
      },
    });
  const stateOf = async (networkId: string) =>
    (await server.call(operations.retrieveLorawanNetwork, { params: { networkId } })).body.state;
  return {
    ...{ broker, server, neighbour, networkServer, create, stateOf },
    newEui: () => (euis++).toString(16).padStart(16, '0'),
    remove: (networkId: string) =>
      server.call(operations.deleteLorawanNetwork, { params: { networkId } }),
    radioOf: async (deviceId: string) =>
      (await server.call(operations.retrieveLorawanDevice, { params: { deviceId } })).body,
    async connected(body: Fields = {}): Promise<string> {
      const { body: network } = await create(body);
      await expect.poll(async () => (await stateOf(network.id)).isConnected, WAIT).toBe(true);
      return network.id;
    },
    newSensor: (devEui: string, paths: readonly string[]) => createSensor(server, devEui, paths),
    uplinkOf: (devEui: string, changed: Fields = {}) =>
      chirpstackUplink({
        deviceInfo: { devEui, deviceName: 'Cellar' },
        deduplicationId: crypto.randomUUID(),
        time: new Date(server.clock.now()).toISOString(),
        ...changed,
      }),
    publish: (devEui: string, message: Fields, event = 'up') =>
      networkServer.publishAsync(
        `application/app/device/${devEui}/event/${event}`,
        JSON.stringify(message),
        { qos: 1 },
      ),
    async stop() {
      await networkServer.endAsync(true);
      await server.stop();
      await broker.stop();
    },
  };
}
