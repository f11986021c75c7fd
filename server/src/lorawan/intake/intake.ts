import type { CodecResult } from '@fieldwatch/contract';
import type { Sandbox } from '../../codecs/index.ts';
import { type Clock, Failure, isoDateTime, type Log } from '../../runtime/index.ts';
import type { Storage, Transaction } from '../../storage/index.ts';
import type { GatewayEvent, LorawanEvent, SensorEvent, Uplink } from '../messages/index.ts';
import type { Provisioning } from '../provisioning/index.ts';
import {
  learnedGatewayMinutes,
  learnedOnlineMinutes,
  logged,
  NO_RADIO,
  type Radio,
  radioAfter,
  radioAfterStatistics,
} from '../radio/index.ts';
import { gatewayMessage, type ReadingsMessage, sensorMessages } from './message.ts';
import * as store from './store.ts';

export interface IntakeDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly sandbox: Sandbox;
  readonly provisioning: Pick<Provisioning, 'radioSaved'>;
  /** The payload of an uplink of a Device could not be decoded. */
  readonly onUndecoded: (deviceId: string) => void;
  /** Passes a message of a Device to the pipeline; resolves when its readings are durable. */
  readonly submit: (
    deviceId: string,
    message: ReadingsMessage,
    options: { readonly showsPresence: boolean },
  ) => Promise<unknown>;
}

/** The network that an event comes from. */
export interface EventSource {
  readonly organizationId: string;
  readonly id: string;
}

const MAX_UNKNOWN_DEVICES = 500;
const MAX_NAME_LENGTH = 100;

/**
 * Turns events of network servers into readings.
 *
 * Invariant: readings are durable before the radio of the sensor says so, and both before the event is
 * acknowledged. An event that is sent again stores the same readings and is counted once.
 */
export class Intake {
  readonly #deps: IntakeDeps;
  #lastUnknown: Promise<unknown> = Promise.resolve();
  readonly #counts = { up: 0, join: 0, status: 0, log: 0, gateway: 0 };

  constructor(deps: IntakeDeps) {
    this.#deps = deps;
  }

  /** Events since the start, by kind. */
  totals(): Readonly<Record<LorawanEvent['kind'], number>> {
    return this.#counts;
  }

  /** False for an event of no Device. Fails where the event may be stored later. */
  async receive(network: EventSource, event: LorawanEvent): Promise<boolean> {
    this.#counts[event.kind] += 1;
    if (event.kind === 'gateway') return await this.#receiveGateway(network, event);
    const { storage } = this.#deps;
    const sensor = await store.findSensor(storage.ingest, network.organizationId, event.devEui);
    const isOurs = sensor && (sensor.networkId === null || sensor.networkId === network.id);
    if (!isOurs) {
      await this.#noteUnknown(network, event);
      return false;
    }
    await this.#receiveSensor(network, sensor, event);
    return true;
  }

  async #receiveGateway(network: EventSource, event: GatewayEvent): Promise<boolean> {
    const { storage, clock } = this.#deps;
    const { organizationId } = network;
    const gateway = await store.findGateway(storage.ingest, organizationId, event.gatewayEui);
    if (!gateway) return false;
    const { deviceId } = gateway;
    const now = clock.now();
    const { isConnected } = event;
    if (!isConnected) await store.saveDisconnected(storage.ingest, organizationId, deviceId, now);
    const refusal = await this.#submit(deviceId, gatewayMessage(event, now), isConnected);
    const isNew = gateway.networkId === null;
    // Several networks may have the region of the gateway: one of them counts its intervals.
    if (isNew || (event.counts !== null && gateway.networkId === network.id)) {
      await this.#saveGateway(network, gateway, event, now);
    }
    return refusal === null;
  }

  async #saveGateway(
    network: EventSource,
    gateway: store.RadioDeviceRow,
    { gatewayEui, at, counts }: GatewayEvent,
    now: number,
  ): Promise<void> {
    const { organizationId } = network;
    await this.#deps.storage.ingest.transaction(async (tx) => {
      const before = (await store.lockRadio(tx, organizationId, gateway.deviceId)) ?? NO_RADIO;
      const radio = counts === null ? before : radioAfterStatistics(before, at ?? now);
      const learned = { radio, onlineMinutes: learnedGatewayMinutes(radio) };
      await this.#saveRadio(tx, network, { ...gateway, eui: gatewayEui }, learned);
    });
  }

  async #receiveSensor(
    network: EventSource,
    sensor: store.SensorRow,
    event: SensorEvent,
  ): Promise<void> {
    const result = event.kind === 'up' ? await this.#decode(network, sensor, event) : null;
    const problems = problemsOf(event, result);
    for (const message of sensorMessages(event, sensor.radio ?? NO_RADIO, result)) {
      const refusal = await this.#submit(sensor.deviceId, message);
      if (refusal !== null) problems.push({ code: 'REFUSED', text: refusal });
    }
    await this.#saveSensor(network, sensor, event, problems);
  }

  async #decode(
    { organizationId }: EventSource,
    sensor: store.SensorRow,
    uplink: Uplink,
  ): Promise<CodecResult | null> {
    const { codecId, script } = sensor;
    const { bytes, fPort, at } = uplink;
    if (codecId === null || script === null || bytes === null) return null;
    const recvTime = isoDateTime(at);
    const input = { bytes: [...bytes], fPort, recvTime, variables: {} };
    return await this.#deps.sandbox.decode({ organizationId, key: codecId }, script, input);
  }

  /** Why the message is refused for good, such as for an inactive Device; null when it is stored. */
  async #submit(
    deviceId: string,
    message: ReadingsMessage,
    showsPresence = true,
  ): Promise<string | null> {
    try {
      await this.#deps.submit(deviceId, message, { showsPresence });
      return null;
    } catch (error) {
      if (error instanceof Failure && error.status < 500) return error.message;
      throw error;
    }
  }

  async #saveSensor(
    network: EventSource,
    sensor: store.SensorRow,
    event: SensorEvent,
    problems: readonly Problem[],
  ): Promise<void> {
    const { storage, clock, onUndecoded } = this.#deps;
    const { organizationId } = network;
    const at = clock.now();
    const { devEui: eui } = event;
    const { deviceId } = sensor;
    await storage.ingest.transaction(async (tx) => {
      let radio: Radio = (await store.lockRadio(tx, organizationId, deviceId)) ?? NO_RADIO;
      const isRepeated = event.id !== null && radio.recentIds.includes(event.id);
      radio = radioAfter(radio, event);
      if (!isRepeated) {
        for (const each of problems) radio = logged(radio, { at, level: 'ERROR', ...each });
        if (problems.some(isUndecoded)) tx.afterCommit(() => onUndecoded(deviceId));
      }
      const learned = { radio, onlineMinutes: learnedOnlineMinutes(radio) };
      await this.#saveRadio(tx, network, { ...sensor, eui }, learned);
      if (!sensor.radio?.lastUplink) await store.deleteUnknown(tx, organizationId, eui);
    });
  }

  /** A sensor or gateway without a network becomes one of the network that the event comes from. */
  async #saveRadio(
    tx: Transaction,
    { organizationId, id: networkId }: EventSource,
    device: store.RadioDeviceRow & { readonly eui: string },
    { radio, onlineMinutes }: { readonly radio: Radio; readonly onlineMinutes: number | null },
  ): Promise<void> {
    const { deviceId, eui } = device;
    await store.saveRadio(tx, organizationId, { deviceId, networkId, radio });
    if (onlineMinutes !== null && onlineMinutes !== device.learnedOnlineMinutes) {
      await store.saveLearnedOnlineMinutes(tx, organizationId, deviceId, onlineMinutes);
    }
    if (device.networkId !== null) return;
    const { provisioning } = this.#deps;
    const registered = { networkId, eui, hasNewFields: false };
    await provisioning.radioSaved(tx, organizationId, deviceId, registered);
  }

  async #noteUnknown(network: EventSource, event: SensorEvent): Promise<void> {
    const { organizationId, id: networkId } = network;
    const { devEui, at } = event;
    const name = event.name?.slice(0, MAX_NAME_LENGTH) ?? null;
    const payload = event.kind === 'up' ? event.bytes : null;
    const unknown = { networkId, devEui, name, payload, at };
    // One after the other: each may delete rows that another writes.
    const noted = this.#lastUnknown.then(() =>
      this.#deps.storage.ingest.transaction((tx) =>
        store.noteUnknown(tx, organizationId, unknown, MAX_UNKNOWN_DEVICES),
      ),
    );
    this.#lastUnknown = noted.catch(() => undefined);
    await noted;
  }
}

interface Problem {
  readonly code: string;
  readonly text: string;
}

const isUndecoded = ({ code }: Problem) => code === 'CODEC' || code === 'ENCRYPTED';

function problemsOf(event: SensorEvent, result: CodecResult | null): Problem[] {
  if (event.kind === 'up' && event.bytes === null) {
    const text = 'The payload is encrypted: the network server has no key to decrypt it.';
    return [{ code: 'ENCRYPTED', text }];
  }
  return (result?.errors ?? []).map((text) => ({ code: 'CODEC', text }));
}
