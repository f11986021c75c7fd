import type { CodecResult } from '@fieldwatch/contract';
import type { GatewayEvent, SensorEvent, Uplink } from '../messages/index.ts';
import { bestGateway, lostBefore, type Radio } from '../radio/index.ts';

/** A message to the pipeline. */
export interface ReadingsMessage {
  readonly timestamp: number;
  readonly data: object;
}

/** Without the fields that are not known. */
function known(fields: Readonly<Record<string, number | boolean | null>>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** The values of the payload: of our codec, else of the network server's, else the bytes. */
function payloadOf({ bytes, decoded }: Uplink, result: CodecResult | null): object | null {
  if (result) return result.data;
  if (decoded) return decoded;
  if (bytes === null || bytes.length === 0) return null;
  return { hex: bytes.toString('hex').toUpperCase() };
}

function uplinkMessages(
  uplink: Uplink,
  radio: Radio,
  result: CodecResult | null,
): ReadingsMessage[] {
  const { at, fCnt, fPort, spreadingFactor, frequencyMhz, gateways, battery } = uplink;
  const best = bestGateway(gateways);
  const lorawan = known({
    ...{ rssi: best?.rssi ?? null, snr: best?.snr ?? null, gateways: gateways.length },
    ...{ fCnt, fPort, spreadingFactor, frequencyMhz, battery },
    lost: lostBefore(radio, uplink),
  });
  const payload = payloadOf(uplink, result);
  const samples = (result?.samples ?? []).map(({ time, data }) => ({
    timestamp: Date.parse(time),
    data: { payload: data },
  }));
  return [{ timestamp: at, data: payload ? { payload, lorawan } : { lorawan } }, ...samples];
}

/** The readings of an event of a sensor; none for one that only its radio shows. */
export function sensorMessages(
  event: SensorEvent,
  radio: Radio,
  result: CodecResult | null,
): ReadingsMessage[] {
  if (event.kind === 'up') return uplinkMessages(event, radio, result);
  if (event.kind === 'join') {
    return [{ timestamp: event.at, data: { lorawan: { joined: true } } }];
  }
  if (event.kind === 'log') return [];
  const { at, battery, margin } = event;
  return [{ timestamp: at, data: { lorawan: known({ battery, margin }) } }];
}

export function gatewayMessage(
  { at, isConnected, counts }: GatewayEvent,
  now: number,
): ReadingsMessage {
  return { timestamp: at ?? now, data: { lorawan: { isConnected, ...counts } } };
}
