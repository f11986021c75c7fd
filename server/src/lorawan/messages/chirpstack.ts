import type { GatewayEvent, ReceivingGateway, SensorEvent, Uplink } from './event.ts';
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
import { connStateOf, gatewayStatsOf } from './gateway-protobuf.ts';

type Fields = Readonly<Record<string, unknown>>;

/*
 * Events of ChirpStack v4. They are Protobuf as JSON, in which a field with its default value is left
 * out: the first frame has no `fCnt`, and an empty battery has no `batteryLevel`.
 */

/** The event of a sensor; null for a kind that is not stored. */
export function chirpstackEvent(kind: string, message: Fields): SensorEvent | null {
  if (kind === 'up') return uplinkOf(message);
  if (kind === 'join') {
    return { kind, ...sensorOf(message), devAddr: textOf(message.devAddr) };
  }
  if (kind === 'status') return statusOf(message);
  if (kind !== 'log') return null;
  const { level, code, description } = message;
  return {
    ...{ kind: 'log', ...sensorOf(message) },
    level: textOf(level) ?? 'INFO',
    code: textOf(code) ?? 'UNKNOWN',
    text: textOf(description) ?? '',
  };
}

function sensorOf(message: Fields) {
  const { devEui, deviceName } = fieldsOf(message.deviceInfo);
  return {
    devEui: euiOf(devEui, 'deviceInfo.devEui'),
    name: textOf(deviceName),
    at: requiredTime(message.time, 'time'),
    id: textOf(message.deduplicationId),
  };
}

function uplinkOf(message: Fields): Uplink {
  const { frequency, modulation } = fieldsOf(message.txInfo);
  const { spreadingFactor } = fieldsOf(fieldsOf(modulation).lora);
  const hertz = numberOf(frequency);
  const isEncrypted = textOf(fieldsOf(message.joinServerContext).sessionKeyId) !== null;
  return {
    kind: 'up',
    ...sensorOf(message),
    devAddr: textOf(message.devAddr),
    fCnt: countOf(message.fCnt),
    fPort: countOf(message.fPort),
    bytes: isEncrypted ? null : bytesOf(message.data),
    decoded: typeof message.object === 'object' ? message.object : null,
    gateways: listOf(message.rxInfo).flatMap(gatewayOf),
    spreadingFactor: numberOf(spreadingFactor),
    frequencyMhz: hertz === null ? null : hertz / 1e6,
    battery: null,
  };
}

/** A level of 0 dB is left out too. */
function gatewayOf({ gatewayId, rssi, snr }: Fields): ReceivingGateway[] {
  const id = textOf(gatewayId);
  if (id === null) return [];
  return [{ id: id.toUpperCase(), rssi: numberOf(rssi) ?? 0, snr: numberOf(snr) ?? 0 }];
}

function statusOf(message: Fields): SensorEvent {
  const isUnknown =
    message.externalPowerSource === true || message.batteryLevelUnavailable === true;
  return {
    kind: 'status',
    ...sensorOf(message),
    battery: isUnknown ? null : (numberOf(message.batteryLevel) ?? 0),
    margin: numberOf(message.margin) ?? 0,
  };
}

/** What a gateway reports: Protobuf, or JSON by a setting of the gateway's bridge. */
export function chirpstackGatewayEvent(
  leaf: string,
  gatewayId: string,
  payload: Buffer,
): GatewayEvent | null {
  // A retained message that was cleared.
  if (payload.length === 0) return null;
  const gatewayEui = euiOf(gatewayId, 'the gateway of the topic');
  const isJson = payload[0] === 0x7b;
  if (leaf === 'state/conn') {
    const isConnected = isJson ? parsed(payload).state === 'ONLINE' : connStateOf(payload);
    return { kind: 'gateway', gatewayEui, at: null, isConnected, counts: null };
  }
  if (leaf !== 'event/stats') return null;
  const { at, ...counts } = isJson ? jsonStats(parsed(payload)) : gatewayStatsOf(payload);
  return { kind: 'gateway', gatewayEui, at, isConnected: true, counts };
}

function parsed(payload: Buffer): Fields {
  return fieldsOf(JSON.parse(payload.toString()));
}

function jsonStats(message: Fields) {
  return {
    at: timeOf(message.time),
    rxReceived: countOf(message.rxPacketsReceived),
    rxOk: countOf(message.rxPacketsReceivedOk),
    txReceived: countOf(message.txPacketsReceived),
    txEmitted: countOf(message.txPacketsEmitted),
  };
}
