import { setTimeout as sleep } from 'node:timers/promises';
import { connectAsync } from 'mqtt';
import type { Target } from '../provision/index.ts';
import { provideLorawanSite } from './provide.ts';
import { createLorawanSite, type LorawanMessage } from './site.ts';

export interface LorawanSimulation {
  readonly target: Target;
  /** The broker that ChirpStack would publish to; the server reads from it. */
  readonly broker: string;
  readonly seed: number;
  readonly intervalMs: number;
  readonly now: () => number;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

const SENSORS = 50;
const TICK_MS = 1_000;

/** Publishes a site of LoRaWAN to a broker, as ChirpStack would, until it is stopped. */
export async function simulateLorawan(simulation: LorawanSimulation): Promise<void> {
  const { target, broker, seed, intervalMs, now, say, signal } = simulation;
  const site = createLorawanSite({ seed, sensors: SENSORS, intervalMs });
  const mqtt = { url: broker, username: null, topicTemplate: null, caCertificate: null };
  const way = { ingest: 'MQTT', mqtt } as const;
  await provideLorawanSite(target, site, way);
  const client = await connectAsync(broker, { protocolVersion: 5 });
  let sent = 0;
  const publish = async ({ topic, body, kind }: LorawanMessage) => {
    await client.publishAsync(topic, JSON.stringify(body), { qos: 1, retain: kind === 'conn' });
    sent += 1;
  };
  say(`Publishing ${SENSORS} sensors and ${site.gateways.length} gateways to ${broker}.`);
  try {
    let from = now();
    for (const message of site.messagesBetween(from, from)) await publish(message);
    while (!signal.aborted) {
      await sleep(TICK_MS, undefined, { signal }).catch(() => undefined);
      const to = now();
      for (const message of site.messagesBetween(from, to)) await publish(message);
      from = to;
    }
  } finally {
    await client.endAsync();
    say(`${sent} events published in all.`);
  }
}
