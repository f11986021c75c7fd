import type { ReceivingGateway, SensorEvent, Uplink } from './event.ts';
import {
  bytesOf,
  countOf,
  euiOf,
  fieldsOf,
  listOf,
  numberOf,
  requiredTime,
  textOf,
  timeOf,
} from './fields.ts';

type Fields = Readonly<Record<string, unknown>>;

/** How far the clock of a gateway may be from that of the server to be believed. */
const MAX_GATEWAY_DRIFT_MS = 10_000;
const UPLINK_ID = /^as:up:/;

/** The event of a message of The Things Stack v3; null for a kind that is not stored. */
export function theThingsStackEvent(message: Fields): SensorEvent | null {
  const ids = fieldsOf(message.end_device_ids);
  // Simulated uplinks are for trying integrations, and no readings.
  if (message.simulated === true) return null;
  if (message.uplink_message !== undefined) return uplinkOf(message, ids);
  if (message.join_accept === undefined) return null;
  return {
    kind: 'join',
    ...sensorOf(ids),
    at: requiredTime(message.received_at, 'received_at'),
    id: idOf(message),
    devAddr: textOf(ids.dev_addr),
  };
}

function sensorOf({ dev_eui, device_id }: Fields) {
  return { devEui: euiOf(dev_eui, 'end_device_ids.dev_eui'), name: textOf(device_id) };
}

function idOf({ correlation_ids }: Fields): string | null {
  const ids = Array.isArray(correlation_ids) ? correlation_ids : [];
  return textOf(ids.find((id) => typeof id === 'string' && UPLINK_ID.test(id)));
}

function uplinkOf(message: Fields, ids: Fields): Uplink {
  const uplink = fieldsOf(message.uplink_message);
  const { data_rate, frequency } = fieldsOf(uplink.settings);
  const { spreading_factor } = fieldsOf(fieldsOf(data_rate).lora);
  const hertz = countOf(frequency);
  const metadata = listOf(uplink.rx_metadata);
  return {
    kind: 'up',
    ...sensorOf(ids),
    at: uplinkTime(uplink, message, metadata),
    id: idOf(message),
    devAddr: textOf(ids.dev_addr),
    fCnt: countOf(uplink.f_cnt),
    fPort: countOf(uplink.f_port),
    bytes: bytesOf(uplink.frm_payload),
    decoded: typeof uplink.decoded_payload === 'object' ? uplink.decoded_payload : null,
    gateways: metadata.flatMap(gatewayOf),
    spreadingFactor: numberOf(spreading_factor),
    frequencyMhz: hertz === 0 ? null : hertz / 1e6,
    battery: numberOf(fieldsOf(uplink.last_battery_percentage).value),
  };
}

/** The time of a gateway that agrees with the server, else the server's. */
function uplinkTime(uplink: Fields, message: Fields, metadata: readonly Fields[]): number {
  const received = uplink.received_at ?? message.received_at;
  const receivedAt = requiredTime(received, 'uplink_message.received_at');
  const times = metadata.map(({ time }) => timeOf(time));
  const near = times.find((at) => at !== null && Math.abs(at - receivedAt) <= MAX_GATEWAY_DRIFT_MS);
  return near ?? receivedAt;
}

function gatewayOf({ gateway_ids, rssi, snr }: Fields): ReceivingGateway[] {
  const { eui, gateway_id } = fieldsOf(gateway_ids);
  const id = textOf(eui) ?? textOf(gateway_id);
  return id === null ? [] : [{ id, rssi: numberOf(rssi), snr: numberOf(snr) ?? 0 }];
}
