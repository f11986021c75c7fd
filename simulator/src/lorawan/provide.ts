import { MARK, ownByName, type Target } from '../provision/index.ts';
import { APPLICATION_ID, type LorawanSite, REGION } from './site.ts';

const NETWORK_NAME = 'Simulated LoRaWAN site';
const CODEC_NAME = 'Simulated LoRaWAN sensor';
const APP_KEY = '0'.repeat(32);
const APP_EUI = '0'.repeat(16);

const SCRIPT = `function decodeUplink({ bytes, fPort }) {
  if (fPort !== 2) return { errors: ['unknown port'] };
  const raw = (bytes[0] << 8) | bytes[1];
  return { data: { temperature: (raw > 32767 ? raw - 65536 : raw) / 10, humidity: bytes[2] } };
}
`;

const SENSOR_VARIABLES = [
  { topicPropertyPath: 'payload.temperature', name: 'Temperature', unit: '°C' },
  { topicPropertyPath: 'payload.humidity', name: 'Humidity', unit: '%' },
  { topicPropertyPath: 'lorawan.battery', name: 'Battery', unit: '%' },
  { topicPropertyPath: 'lorawan.rssi', name: 'Signal', unit: 'dBm' },
  { topicPropertyPath: 'lorawan.snr', name: 'Signal-to-noise ratio', unit: 'dB' },
  { topicPropertyPath: 'lorawan.spreadingFactor', name: 'Spreading factor' },
];

interface Broker {
  readonly url: string;
  readonly username: null;
  readonly topicTemplate: null;
  readonly caCertificate: null;
}

/** How the events of the site reach the server. */
export type Way =
  | { readonly ingest: 'MQTT'; readonly mqtt: Broker }
  | { readonly ingest: 'WEBHOOK' };

/** Creates what is missing of the network, the codec, the gateways and the sensors. Returns the network's id. */
export async function provideLorawanSite(
  target: Target,
  site: LorawanSite,
  way: Way,
): Promise<string> {
  const networkId = await provideNetwork(target, way);
  const codecId = await provideCodec(target);
  const names = new Set([...site.gateways, ...site.sensors].map(({ name }) => name));
  const { client, organizationId } = target;
  const found = await ownByName('Device', names, (query) =>
    client.listDevices({ organizationId, query }),
  );
  const gatewayIds = new Map<string, string>();
  for (const { eui, name } of site.gateways) {
    const id = found.get(name)?.id ?? (await createGateway(target, eui, name));
    gatewayIds.set(name, id);
  }
  for (const sensor of site.sensors) {
    if (found.has(sensor.name)) continue;
    const parentDeviceId = gatewayIds.get(sensor.gateway) ?? null;
    const { id: deviceId } = await client.createDevice({
      organizationId,
      body: {
        ...{ type: 'LORAWAN_DEVICE', name: sensor.name, description: MARK, parentDeviceId },
        configuration: { devEui: sensor.devEui, appEui: APP_EUI, appKey: APP_KEY },
      },
    });
    const body = { networkId, codecId };
    await client.updateLorawanDevice({ organizationId, deviceId, body });
    for (const variable of SENSOR_VARIABLES) {
      const fields = { ...variable, type: 'NUMBER' as const, isLoggingEnabled: true };
      await client.createVariable({ organizationId, deviceId, body: fields });
    }
  }
  return networkId;
}

async function createGateway(
  { client, organizationId }: Target,
  gatewayEui: string,
  name: string,
): Promise<string> {
  const { id: deviceId } = await client.createDevice({
    organizationId,
    body: {
      ...{ type: 'LORAWAN_GATEWAY_EDGE', name, description: MARK },
      configuration: { gatewayEui, rfRegion: 'EU868' },
    },
  });
  const topicPropertyPath = 'lorawan.isConnected';
  const body = {
    topicPropertyPath,
    type: 'BOOLEAN',
    name: 'Connected',
    isLoggingEnabled: true,
  } as const;
  await client.createVariable({ organizationId, deviceId, body });
  return deviceId;
}

async function provideNetwork({ client, organizationId }: Target, way: Way): Promise<string> {
  const query = { search: NETWORK_NAME };
  const { items } = await client.listLorawanNetworks({ organizationId, query });
  const known = items.find(({ applicationId }) => applicationId === APPLICATION_ID);
  if (known) {
    await client.updateLorawanNetwork({ organizationId, networkId: known.id, body: way });
    return known.id;
  }
  const { id } = await client.createLorawanNetwork({
    organizationId,
    body: {
      ...{ name: NETWORK_NAME, kind: 'CHIRPSTACK_V4', applicationId: APPLICATION_ID },
      ...{ gatewayPrefixes: [REGION], ...way },
    },
  });
  return id;
}

async function provideCodec({ client, organizationId }: Target): Promise<string> {
  const query = { search: CODEC_NAME };
  const { items } = await client.listCodecs({ organizationId, query });
  const known = items.find(({ name }) => name === CODEC_NAME);
  if (known) return known.id;
  const tests = [{ fPort: 2, bytesHex: 'FFF632', expected: { temperature: -1, humidity: 50 } }];
  const body = { name: CODEC_NAME, script: SCRIPT, tests };
  return (await client.createCodec({ organizationId, body })).id;
}
