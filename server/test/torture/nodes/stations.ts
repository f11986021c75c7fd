import { makeDevice, makeVariable } from '../fleet.ts';
import { TimedSeries } from '../ledger.ts';
import { type Credentials, createHttpSender, type Sender } from '../senders.ts';
import { KEY, ORGANIZATION_ID } from '../service.ts';
import { createWindow, type Pace, type Station } from '../stations.ts';
import type { ClusterNode } from './cluster.ts';
import type { NodesHarness } from './harness.ts';
import { createSprayingSender } from './spraying-sender.ts';
import type { Visibility } from './visibility.ts';

const PATH = 'point.value';

interface Point {
  readonly credentials: Credentials;
  readonly series: TimedSeries;
}

async function makePoint(harness: NodesHarness, purpose: string): Promise<Point> {
  const credentials = await makeDevice(harness, purpose);
  const series = new TimedSeries(await makeVariable(harness, credentials.username, PATH));
  return { credentials, series };
}

/** A Device whose messages reach all nodes in turn, several on their way at once. */
export async function makeSprayedStation(
  harness: NodesHarness,
  pace: Pace,
  visibility: Visibility,
): Promise<Station> {
  const { credentials, series } = await makePoint(harness, 'sprayed');
  const sender = createSprayingSender(harness, harness.cluster.nodes, credentials);
  const window = createWindow(harness, pace);
  let [sequence, last] = [0, 0];
  async function send(): Promise<void> {
    sequence += 1;
    const value = sequence;
    last = Math.max(last + 1, Date.now());
    const timestamp = last;
    series.sent(timestamp, value);
    const { ackedAt } = await sender.send({ timestamp, data: { [PATH]: value } });
    series.acknowledged(timestamp, value);
    visibility.acknowledged({ variableId: series.variableId, timestamp, value, ackedAt });
  }
  return {
    name: 'sprayed',
    series: [series],
    run: () => window.run(send),
    end: sender.end,
  };
}

/** A Device that sends a message when it is asked to. */
export class Probe {
  readonly deviceId: string;
  readonly series: TimedSeries;
  readonly #sender: Sender;
  #sequence = 0;
  #last = 0;

  constructor({ credentials, series }: Point, sender: Sender) {
    this.deviceId = credentials.username;
    this.series = series;
    this.#sender = sender;
  }

  /** Resolves when a message is acknowledged, by whichever node. */
  async send(): Promise<void> {
    const { timestamp, value } = this.#next();
    await this.#sender.send({ timestamp, data: { [PATH]: value } });
    this.series.acknowledged(timestamp, value);
  }

  /** One attempt at one node, however long it takes. True when it was acknowledged. */
  async sendOnce(node: ClusterNode, limitMs: number): Promise<boolean> {
    const { timestamp, value } = this.#next();
    const path = `/data/v1/organizations/${ORGANIZATION_ID}/devices/${this.deviceId}`;
    const secret = `${KEY.apiKeyId}:${KEY.apiKeySecret}`;
    const authorization = `Basic ${Buffer.from(secret).toString('base64')}`;
    const status = await fetch(`http://127.0.0.1:${node.http.port}${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ timestamp, data: { [PATH]: value } }),
      signal: AbortSignal.timeout(limitMs),
    }).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) this.series.acknowledged(timestamp, value);
    return status === 200;
  }

  #next(): { timestamp: number; value: number } {
    this.#sequence += 1;
    this.#last = Math.max(this.#last + 1, Date.now());
    const timestamp = this.#last;
    this.series.sent(timestamp, this.#sequence);
    return { timestamp, value: this.#sequence };
  }
}

export async function makeProbe(harness: NodesHarness): Promise<Probe> {
  const point = await makePoint(harness, 'probe');
  // Halted nodes are left out: the time until the others serve the Device is measured.
  const http = harness.api;
  return new Probe(point, createHttpSender({ ...harness, http }, point.credentials));
}
