import type { MqttClient } from 'mqtt';
import { makeDevice, makeVariable } from './fleet.ts';
import type { Harness, ServerHarness } from './harness.ts';
import { TimedSeries } from './ledger.ts';
import type { Scale } from './plan.ts';
import { type Credentials, openDevice, publishUntilAcknowledged } from './senders.ts';

interface Source {
  readonly credentials: Credentials;
  readonly client: MqttClient;
  readonly series: readonly TimedSeries[];
  time: number;
}

/** Devices that together send more than the server takes, as fast as it lets them. */
export interface Overload {
  readonly series: readonly TimedSeries[];
  /** Messages acknowledged, and the most memory that the server's process had, in bytes. */
  readonly counts: { acknowledged: number; maxMemory: number };
  run(durationMs: number): Promise<void>;
  end(): Promise<void>;
}

async function makeSource(harness: Harness, keys: number, index: number): Promise<Source> {
  const credentials = await makeDevice(harness, 'overload');
  const series: TimedSeries[] = [];
  for (let key = 0; key < keys; key += 1) {
    series.push(new TimedSeries(await makeVariable(harness, credentials.username, `key.${key}`)));
  }
  const client = openDevice(harness, credentials, {
    version: index % 2 === 0 ? 5 : 4,
    transport: 'tcp',
  });
  return { credentials, client, series, time: Date.now() - 86_400_000 };
}

export async function makeOverload(
  harness: ServerHarness,
  { overloadDevices, overloadKeys, overloadWindow }: Scale,
): Promise<Overload> {
  const indices = Array.from({ length: overloadDevices }, (_, index) => index);
  const sources = await Promise.all(
    indices.map((index) => makeSource(harness, overloadKeys, index)),
  );
  const counts = { acknowledged: 0, maxMemory: 0 };

  async function send(source: Source): Promise<void> {
    source.time += 1;
    const { time: timestamp, series, client, credentials } = source;
    const value = timestamp % 100_000;
    const data = Object.fromEntries(series.map((_, key) => [`key.${key}`, value + key]));
    for (const [key, each] of series.entries()) each.sent(timestamp, value + key);
    await publishUntilAcknowledged(harness, client, credentials.topic, { timestamp, data }, 1);
    for (const [key, each] of series.entries()) each.acknowledged(timestamp, value + key);
    counts.acknowledged += 1;
  }

  async function flood(source: Source, end: number): Promise<void> {
    const pending = new Set<Promise<void>>();
    while (Date.now() < end) {
      const work = send(source);
      pending.add(work);
      void work.finally(() => pending.delete(work));
      if (pending.size >= overloadWindow) await Promise.race(pending);
    }
    await Promise.all(pending);
  }

  return {
    series: sources.flatMap(({ series }) => series),
    counts,
    async run(durationMs) {
      const end = Date.now() + durationMs;
      const measuring = setInterval(() => {
        void harness.service.memory().then((bytes) => {
          counts.maxMemory = Math.max(counts.maxMemory, bytes);
        });
      }, 500);
      try {
        await Promise.all(sources.map((source) => flood(source, end)));
      } finally {
        clearInterval(measuring);
      }
    },
    async end() {
      await Promise.all(sources.map(({ client }) => client.endAsync(true)));
    },
  };
}
