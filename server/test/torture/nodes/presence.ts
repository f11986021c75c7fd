import { setTimeout as sleep } from 'node:timers/promises';
import type { RawReadings } from '@fieldwatch/contract';
import type { MqttClient } from 'mqtt';
import { makeDevice } from '../fleet.ts';
import { complain, insist } from '../harness.ts';
import { openMqtt } from '../senders.ts';
import type { ClusterNode } from './cluster.ts';
import { measured, type NodesHarness } from './harness.ts';

/** How long the Devices of a node that is gone have to connect to another one. */
const GRACE_MS = 30_000;
const TOLERANCE_MS = 5_000;
const POLL_MS = 250;
const ONLINE_LIMIT_MS = 20_000;
const END_OF_TIME = 8_640_000_000_000_000;

interface Connected {
  readonly deviceId: string;
  readonly onlineVariableId: string;
  readonly client: MqttClient;
}

async function connectDevice(harness: NodesHarness, purpose: string): Promise<Connected> {
  const credentials = await makeDevice(harness, purpose);
  const deviceId = credentials.username;
  const { onlineVariableId } = await insist(harness, (api, organizationId) =>
    api.retrieveDevice({ organizationId, deviceId }),
  );
  const client = openMqtt(harness, credentials, { version: 4, transport: 'tcp' });
  return { deviceId, onlineVariableId, client };
}

async function isOnline(harness: NodesHarness, deviceId: string): Promise<boolean> {
  const device = await insist(harness, (api, organizationId) =>
    api.retrieveDevice({ organizationId, deviceId }),
  );
  return device.isOnline;
}

/** Devices that have a session and send nothing: those that come back, and those that die. */
export class ConnectedDevices {
  readonly #harness: NodesHarness;
  readonly #steady: readonly Connected[];
  readonly #deaths: Promise<void>[] = [];

  constructor(harness: NodesHarness, steady: readonly Connected[]) {
    this.#harness = harness;
    this.#steady = steady;
  }

  /** A Device that is connected to this node, and never connects again once the node is gone. */
  async mortalAt(node: ClusterNode): Promise<{ died(): void }> {
    const harness = this.#harness;
    const mortal = await connectDevice({ ...harness, mqtt: node.mqtt }, 'mortal');
    const end = Date.now() + ONLINE_LIMIT_MS;
    while ((await this.#history(mortal)).at(-1) !== true) {
      if (Date.now() > end) complain(harness, 'a connected Device is not reported online');
      if (Date.now() > end) break;
      await sleep(POLL_MS);
    }
    return {
      died: () => {
        const at = Date.now();
        mortal.client.end(true);
        this.#deaths.push(this.#followDeath(mortal, at));
      },
    };
  }

  /** The grace begins again when another fault takes the Device to another node meanwhile. */
  async #followDeath(mortal: Connected, diedAt: number): Promise<void> {
    const harness = this.#harness;
    const latestMs = harness.limits.ownedMs + GRACE_MS + TOLERANCE_MS;
    while ((await this.#history(mortal)).at(-1) !== false) {
      const later = harness.faults.filter(({ from }) => from > diedAt).map(({ to }) => to);
      if (Date.now() - Math.max(diedAt, ...later) > 2 * latestMs) {
        complain(harness, 'a Device that died with its node is never reported offline');
        return;
      }
      await sleep(POLL_MS);
    }
    const ms = Date.now() - diedAt;
    const isAlone = !harness.faults.some(({ from }) => from > diedAt);
    const name = 'death of a Device and its node to offline';
    measured(
      harness,
      isAlone ? name : `${name}, with more faults`,
      ms,
      isAlone ? latestMs : undefined,
    );
    if (ms < GRACE_MS - TOLERANCE_MS) complain(harness, 'a Device is reported offline too soon');
  }

  /** Devices that were reported offline though they were connected, or came back. */
  async faults(): Promise<string[]> {
    await Promise.all(this.#deaths);
    const faults: string[] = [];
    for (const device of this.#steady) {
      const { deviceId } = device;
      const values = await this.#history(device);
      const flips = values.filter((value) => value === false).length;
      if (flips > 0) faults.push(`${deviceId} was reported offline ${flips} times`);
      if (values[0] !== true) faults.push(`${deviceId} was never reported online`);
      if (!(await isOnline(this.#harness, deviceId))) faults.push(`${deviceId} is offline`);
    }
    return faults;
  }

  async #history({ onlineVariableId: variableId }: Connected): Promise<unknown[]> {
    const query = { startTime: 0, endTime: END_OF_TIME, take: 1_000 };
    const page: object = await insist(this.#harness, (api, organizationId) =>
      api.listReadings({ organizationId, variableId, query }),
    );
    return (page as RawReadings).items.map(({ value }) => value);
  }

  async end(): Promise<void> {
    await Promise.all(this.#steady.map(({ client }) => client.endAsync(true)));
  }
}

export async function connectDevices(
  harness: NodesHarness,
  count: number,
): Promise<ConnectedDevices> {
  const steady = Array.from({ length: count }, () => connectDevice(harness, 'steady'));
  return new ConnectedDevices(harness, await Promise.all(steady));
}
