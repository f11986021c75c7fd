import { chance, drift, rounded, seedFor } from '../model/index.ts';

export interface LorawanSiteOptions {
  readonly seed: number;
  readonly sensors: number;
  /** Between two uplinks of a sensor. */
  readonly intervalMs: number;
}

export interface SimulatedGateway {
  /** Upper case. */
  readonly eui: string;
  readonly name: string;
}

export interface SimulatedSensor {
  /** Upper case. */
  readonly devEui: string;
  readonly name: string;
  /** The gateway that is nearest. */
  readonly gateway: string;
}

/** A message of the network server, as ChirpStack v4 publishes it. */
export interface LorawanMessage {
  readonly at: number;
  readonly kind: 'up' | 'status' | 'conn' | 'stats';
  readonly topic: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface LorawanSite {
  readonly gateways: readonly SimulatedGateway[];
  readonly sensors: readonly SimulatedSensor[];
  /** In the order of time; the same for the same times, whenever it is called. */
  messagesBetween(from: number, to: number): LorawanMessage[];
}

export const APPLICATION_ID = 'fieldwatch-simulator';
export const REGION = 'eu868';

const GATEWAYS = 3;
const LOST = 0.03;
const REPEATED = 0.03;
/** Every tenth uplink is followed by the status of the sensor. */
const UPLINKS_PER_STATUS = 10;
const HOUR_MS = 3_600_000;
/** The last gateway is away for a half of every second hour. */
const AWAY = { everyMs: 2 * HOUR_MS, fromMs: 1.5 * HOUR_MS };
const STATISTICS_MS = 30_000;
/** The battery of the first sensor is empty after so long, and then replaced. */
const BATTERY_MS = 72 * HOUR_MS;
const MAX_FRAME_COUNTER = 65_536;
const FIRST_SENSOR = 0x70b3d57ed0000000n;
const FIRST_GATEWAY = 0x0016c001ff000000n;

const euiOf = (first: bigint, index: number) =>
  (first + BigInt(index)).toString(16).toUpperCase().padStart(16, '0');

const isAwayAt = (gateway: number, at: number) =>
  gateway === GATEWAYS - 1 && at % AWAY.everyMs >= AWAY.fromMs;

/** A site with sensors of temperature and humidity, whose uplinks three gateways receive. */
export function createLorawanSite(options: LorawanSiteOptions): LorawanSite {
  const { sensors: count } = options;
  const gateways = Array.from({ length: GATEWAYS }, (_, index) => ({
    eui: euiOf(FIRST_GATEWAY, index),
    name: `LoRaWAN gateway ${index + 1}`,
  }));
  const sensors = Array.from({ length: count }, (_, index) => ({
    devEui: euiOf(FIRST_SENSOR, index),
    name: `LoRaWAN sensor ${String(index + 1).padStart(2, '0')}`,
    gateway: gateways[index % GATEWAYS]?.name ?? '',
  }));
  return {
    gateways,
    sensors,
    messagesBetween(from, to) {
      const messages = sensors.flatMap((sensor, index) =>
        uplinksBetween({ ...options, sensor, index, from, to }),
      );
      messages.push(...connectionsBetween(gateways, from, to));
      messages.push(...statisticsBetween(gateways, { ...options, from, to }));
      return messages.toSorted((a, b) => a.at - b.at);
    },
  };
}

interface SensorTime extends LorawanSiteOptions {
  readonly sensor: SimulatedSensor;
  readonly index: number;
  readonly from: number;
  readonly to: number;
}

function uplinksBetween(given: SensorTime): LorawanMessage[] {
  const { intervalMs, index, from, to } = given;
  const seed = seedFor(given.seed, `lorawan sensor ${index}`);
  const offset = Math.floor(chance(seed, -1) * intervalMs);
  const messages: LorawanMessage[] = [];
  const first = Math.ceil((from - offset) / intervalMs);
  for (let frame = first; frame * intervalMs + offset < to; frame += 1) {
    const at = frame * intervalMs + offset;
    const received = receivedBy(index, seed, at);
    const isLost = received.length === 0 || chance(seed, frame) < LOST;
    if (isLost) continue;
    const uplink = uplinkOf({ ...given, seed, frame, at, received });
    messages.push(uplink);
    // The network server may publish an event twice, after a failure of its own.
    if (chance(seedFor(seed, 'twice'), frame) < REPEATED) messages.push(uplink);
    if (frame % UPLINKS_PER_STATUS === 0) messages.push(statusOf(given, seed, at));
  }
  return messages;
}

/** The nearest gateway, and for every second sensor the next one; not those that are away. */
function receivedBy(index: number, seed: number, at: number) {
  const reached = index % 2 === 0 ? [index] : [index, index + 1];
  return reached
    .map((each) => each % GATEWAYS)
    .filter((gateway) => !isAwayAt(gateway, at))
    .map((gateway, distance) => ({
      gatewayId: euiOf(FIRST_GATEWAY, gateway).toLowerCase(),
      uplinkId: Math.floor(chance(seed, at) * 2 ** 32),
      rssi: Math.round(-70 - 20 * distance + 10 * drift(seed, at, HOUR_MS)),
      snr: rounded(8 - 6 * distance + 2 * drift(seed + 1, at, HOUR_MS), 1),
    }));
}

function deviceInfoOf({ devEui, name }: SimulatedSensor) {
  return { applicationId: APPLICATION_ID, deviceName: name, devEui: devEui.toLowerCase() };
}

const topicOf = ({ devEui }: SimulatedSensor, event: string) =>
  `application/${APPLICATION_ID}/device/${devEui.toLowerCase()}/event/${event}`;

/** Default values are left out, as ChirpStack leaves them out. */
function uplinkOf(given: {
  readonly sensor: SimulatedSensor;
  readonly seed: number;
  readonly frame: number;
  readonly at: number;
  readonly received: readonly object[];
}): LorawanMessage {
  const { sensor, seed, frame, at, received } = given;
  const fCnt = frame % MAX_FRAME_COUNTER;
  const temperature = 19 + 4 * drift(seed, at, 6 * HOUR_MS);
  const humidity = 50 + 15 * drift(seed + 2, at, 12 * HOUR_MS);
  const data = Buffer.alloc(3);
  data.writeInt16BE(Math.round(temperature * 10), 0);
  data.writeUInt8(Math.round(humidity), 2);
  const spreadingFactor = 7 + Math.floor(chance(seed, -2) * 4);
  return {
    ...{ at, kind: 'up', topic: topicOf(sensor, 'up') },
    body: {
      deduplicationId: idOf(seed, frame),
      time: new Date(at).toISOString(),
      deviceInfo: deviceInfoOf(sensor),
      ...{ devAddr: sensor.devEui.slice(-8).toLowerCase(), adr: true, dr: 5, fPort: 2 },
      ...(fCnt === 0 ? {} : { fCnt }),
      data: data.toString('base64'),
      rxInfo: received,
      txInfo: {
        frequency: 868_100_000,
        modulation: { lora: { bandwidth: 125_000, spreadingFactor } },
      },
    },
  };
}

/** The battery of the first sensor runs low; those of the others last. */
function statusOf({ sensor, index }: SensorTime, seed: number, at: number): LorawanMessage {
  const left = index === 0 ? 1 - (at % BATTERY_MS) / BATTERY_MS : 0.8 + 0.2 * chance(seed, -3);
  const batteryLevel = rounded(100 * left, 1);
  return {
    ...{ at, kind: 'status', topic: topicOf(sensor, 'status') },
    body: {
      deduplicationId: idOf(seedFor(seed, 'status'), at),
      time: new Date(at).toISOString(),
      deviceInfo: deviceInfoOf(sensor),
      margin: 7,
      ...(batteryLevel === 0 ? {} : { batteryLevel }),
    },
  };
}

const gatewayTopic = (gatewayId: string, leaf: string) => `${REGION}/gateway/${gatewayId}/${leaf}`;

/** The counts of each online gateway since its last statistics. */
function statisticsBetween(
  gateways: readonly SimulatedGateway[],
  { seed, sensors, intervalMs, from, to }: Omit<SensorTime, 'sensor' | 'index'>,
): LorawanMessage[] {
  const messages: LorawanMessage[] = [];
  const usual = (sensors / GATEWAYS) * (STATISTICS_MS / intervalMs);
  for (const [index, { eui }] of gateways.entries()) {
    const own = seedFor(seed, `lorawan gateway ${index}`);
    const gatewayId = eui.toLowerCase();
    const topic = gatewayTopic(gatewayId, 'event/stats');
    const first = Math.ceil(from / STATISTICS_MS) * STATISTICS_MS;
    for (let at = first; at < to; at += STATISTICS_MS) {
      if (isAwayAt(index, at)) continue;
      const rxPacketsReceivedOk = Math.round(usual);
      const rxPacketsReceived = rxPacketsReceivedOk + Math.floor(3 * chance(own, at));
      const time = new Date(at).toISOString();
      const body = { gatewayId, time, rxPacketsReceived, rxPacketsReceivedOk };
      messages.push({ at, kind: 'stats', topic, body });
    }
  }
  return messages;
}

/** Each change of the state of a gateway; for a moment, the states at it. */
function connectionsBetween(
  gateways: readonly SimulatedGateway[],
  from: number,
  to: number,
): LorawanMessage[] {
  const halfMs = AWAY.everyMs - AWAY.fromMs;
  const messages: LorawanMessage[] = [];
  for (const [index, { eui }] of gateways.entries()) {
    const gatewayId = eui.toLowerCase();
    const topic = gatewayTopic(gatewayId, 'state/conn');
    const report = (at: number) => {
      const state = isAwayAt(index, at) ? 'OFFLINE' : 'ONLINE';
      messages.push({ at, kind: 'conn', topic, body: { gatewayId, state } });
    };
    if (from === to) report(from);
    const first = Math.ceil(from / halfMs) * halfMs;
    for (let at = first; at < to; at += halfMs) {
      if (isAwayAt(index, at) !== isAwayAt(index, at - 1)) report(at);
    }
  }
  return messages;
}

/** A UUID that is the same for the same event. */
function idOf(seed: number, key: number): string {
  const hex = [0, 1, 2, 3]
    .map((part) =>
      Math.floor(chance(seed + part, key) * 2 ** 32)
        .toString(16)
        .padStart(8, '0'),
    )
    .join('');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}
