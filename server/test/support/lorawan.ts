import { operations } from '@fieldwatch/contract';
import type { Answered } from './call.ts';
import type { TestOrganization } from './server.ts';
import { variableCalls } from './variable-calls.ts';

type Fields = Record<string, unknown>;

const DEV_EUI = '0101010101010101';

/** An uplink as the documentation of ChirpStack has it, of the first frame: it has no `fCnt`. */
export const chirpstackUplink = (changed: Fields = {}): Fields => ({
  deduplicationId: '3ac7e3c4-4401-4b8d-9386-a5c902f9202d',
  time: '2022-07-18T09:34:15.775923242+00:00',
  deviceInfo: {
    tenantId: '52f14cd4-c6f1-4fbd-8f87-4025e1d49242',
    tenantName: 'ChirpStack',
    applicationId: '17c82e96-be03-4f38-aef3-f83d48582d97',
    applicationName: 'Test application',
    deviceProfileId: '14855bf7-d10d-4aee-b618-ebfcb64dc7ad',
    deviceProfileName: 'Test device-profile',
    deviceName: 'Test device',
    devEui: DEV_EUI,
    tags: { key: 'value' },
  },
  devAddr: '00189440',
  dr: 1,
  fPort: 1,
  data: 'qg==',
  rxInfo: [
    {
      gatewayId: '0016c001f153a14c',
      uplinkId: 4217106255,
      rssi: -36,
      snr: 10.5,
      context: 'E3OWOQ==',
      metadata: { region_name: 'eu868', region_common_name: 'EU868' },
    },
    { gatewayId: '0016c001f153a14d', uplinkId: 17, rssi: -30, snr: 2, metadata: {} },
  ],
  txInfo: {
    frequency: 867100000,
    modulation: { lora: { bandwidth: 125000, spreadingFactor: 11, codeRate: 'CR_4_5' } },
  },
  ...changed,
});

/** An uplink as the documentation of The Things Stack has it. */
export const theThingsStackUplink = (changed: Fields = {}, uplink: Fields = {}): Fields => ({
  end_device_ids: {
    device_id: 'dev1',
    application_ids: { application_id: 'app1' },
    dev_eui: '0004A30B001C0530',
    join_eui: '800000000000000C',
    dev_addr: '00BCB929',
  },
  correlation_ids: ['as:up:01E0WZGT6Y7657CPFPE5WEYDSQ', 'gs:conn:01E0WDEC6T7T05Q7XY9QW0XZ4T'],
  received_at: '2020-02-12T15:15:46.786185Z',
  uplink_message: {
    session_key_id: 'AXBSH1Pk6Z0G166...',
    f_port: 1,
    f_cnt: 6,
    frm_payload: 'AOE=',
    decoded_payload: { temperature: 1.0, luminosity: 0.64 },
    rx_metadata: [
      {
        gateway_ids: { gateway_id: 'gtw1', eui: '9C5C8E00001A05C4' },
        time: '2020-02-12T15:15:45.787Z',
        timestamp: 2463457000,
        rssi: -35,
        channel_rssi: -35,
        snr: 5.2,
      },
    ],
    settings: {
      data_rate: { lora: { bandwidth: 125000, spreading_factor: 7 } },
      coding_rate: '4/6',
      frequency: '868300000',
    },
    received_at: '2020-02-12T15:15:45.799Z',
    ...uplink,
  },
  ...changed,
});

/** A sensor with Variables of these paths, by path. */
export async function createSensor(
  server: TestOrganization,
  devEui: string,
  paths: readonly string[],
) {
  const configuration = { devEui, appEui: '0'.repeat(16), appKey: 'A'.repeat(32) };
  const body = { type: 'LORAWAN_DEVICE', name: `Sensor ${devEui}`, configuration };
  const { body: device } = await server.call(operations.createDevice, { body });
  const { made } = variableCalls(server);
  const ids = new Map<string, string>();
  for (const topicPropertyPath of paths) {
    const type = topicPropertyPath === 'payload.hex' ? 'STRING' : 'NUMBER';
    ids.set(topicPropertyPath, (await made(device.id, { topicPropertyPath, type })).id);
  }
  const latest = async () => {
    const query = [...ids.values()].map((id) => `ids[]=${id}`).join('&');
    const { body: found } = await server.call(operations.listLatestValues, { query });
    const byId = new Map(
      (found.items as { variableId: string; value: unknown; timestamp: number }[]).map((each) => [
        each.variableId,
        each,
      ]),
    );
    return Object.fromEntries([...ids].map(([path, id]) => [path, byId.get(id)?.value]));
  };
  const readings = async (path: string) => {
    const params = { variableId: ids.get(path) ?? '' };
    const query = `startTime=0&endTime=${server.clock.now()}`;
    return (await server.call(operations.listReadings, { params, query })).body.items;
  };
  return { id: device.id as string, latest, readings };
}

export const errorsOf = ({ body }: Pick<Answered, 'body'>): string[] =>
  (body.errors ?? []).map((each: { path: string; message: string }) => {
    return `${each.path} ${each.message}`;
  });
