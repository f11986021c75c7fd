import { setTimeout as sleep } from 'node:timers/promises';
import { makeDevice, makeVariable } from './fleet.ts';
import { type Harness, insist } from './harness.ts';
import { ArrivalSeries, type Series, TimedSeries, type Value } from './ledger.ts';
import {
  type Credentials,
  createHttpSender,
  type MqttWay,
  openDevice,
  publishUntilAcknowledged,
} from './senders.ts';

/** A source of readings that are stored and watched by nothing. */
export interface Station {
  readonly name: string;
  readonly series: readonly Series[];
  /** Resolves when traffic is to stop and everything that was sent is acknowledged. */
  run(): Promise<void>;
  end(): Promise<void>;
}

const PATHS = [
  { path: 'engine.rpm', type: 'NUMBER' },
  { path: 'engine.isOn', type: 'BOOLEAN' },
  { path: 'engine.state', type: 'STRING' },
] as const;

/** Normal readings have even times; late ones and ones ahead of the clock odd ones. */
const LATE_MS = 30 * 86_400_000;
const MAX_AHEAD_MS = 4 * 60_000;

function valuesOf(sequence: number): readonly Value[] {
  return [sequence, sequence % 3 === 0, `state ${sequence}`];
}

/** Times of messages: mostly now, some late, some ahead of the clock, and no time twice. */
function createTimes(harness: Harness): () => number {
  let last = 0;
  let late = Math.floor((Date.now() - LATE_MS) / 2) * 2 + 1;
  const ahead = new Set<number>();
  return () => {
    const now = Math.floor(Date.now() / 2) * 2;
    const kind = harness.random.below(20);
    if (kind === 0) {
      late += 2;
      return late;
    }
    if (kind === 1) {
      const at = now + 1 + 2 * harness.random.below(MAX_AHEAD_MS / 2);
      if (!ahead.has(at)) {
        ahead.add(at);
        return at;
      }
    }
    last = Math.max(last + 2, now);
    return last;
  };
}

async function makeSeries(harness: Harness, deviceId: string): Promise<TimedSeries[]> {
  const series: TimedSeries[] = [];
  for (const { path, type } of PATHS) {
    series.push(new TimedSeries(await makeVariable(harness, deviceId, path, type)));
  }
  return series;
}

export interface Pace {
  /** Most messages on their way. */
  readonly window: number;
  readonly everyMs: number;
}

/** Begins one piece of work after another until traffic stops, never more than the window at once. */
export function createWindow({ stopping }: Harness, { window, everyMs }: Pace) {
  const pending = new Set<Promise<void>>();
  return {
    async run(begin: () => Promise<void>): Promise<void> {
      while (!stopping.aborted) {
        const work = begin();
        pending.add(work);
        void work.finally(() => pending.delete(work));
        if (everyMs > 0) await sleep(everyMs);
        while (pending.size >= window) await Promise.race(pending);
      }
      await Promise.all(pending);
    },
  };
}

/** Messages with times over MQTT, many on their way at once. */
export async function makeTimedStation(
  harness: Harness,
  way: MqttWay,
  pace: Pace,
): Promise<Station> {
  const name = `MQTT ${way.version === 5 ? '5' : '3.1.1'} ${way.transport} QoS ${way.qos}`;
  const credentials = await makeDevice(harness, name);
  const series = await makeSeries(harness, credentials.username);
  // A NUMBER that gets text alone: nothing of it may ever be stored.
  const refused = await makeVariable(harness, credentials.username, 'engine.refused');
  const client = openDevice(harness, credentials, way);
  const window = createWindow(harness, pace);
  const nextTime = createTimes(harness);
  let sequence = 0;
  async function send(): Promise<void> {
    sequence += 1;
    const [timestamp, values] = [nextTime(), valuesOf(sequence)];
    const taken = PATHS.map(({ path }, index) => [path, values[index]]);
    const data = Object.fromEntries([...taken, ['engine.refused', 'a text']]);
    for (const [index, each] of series.entries()) each.sent(timestamp, values[index] ?? '');
    await publishUntilAcknowledged(
      harness,
      client,
      credentials.topic,
      { timestamp, data },
      way.qos,
    );
    for (const [index, each] of series.entries()) each.acknowledged(timestamp, values[index] ?? '');
  }
  return {
    name,
    series: [...series, new TimedSeries(refused)],
    run: () => window.run(send),
    end: () => client.endAsync(true).then(() => undefined),
  };
}

/** Messages without times: each is a reading of its own, in the order in which they were sent. */
export async function makeArrivalStation(
  harness: Harness,
  way: MqttWay,
  pace: Pace,
): Promise<Station> {
  const name = `no timestamp, MQTT ${way.version === 5 ? '5' : '3.1.1'} QoS ${way.qos}`;
  const credentials = await makeDevice(harness, name);
  const variableId = await makeVariable(harness, credentials.username, 'count');
  const series = new ArrivalSeries(variableId);
  const client = openDevice(harness, credentials, way);
  client.on('packetsend', (packet) => {
    if (packet.cmd === 'publish') series.sent(JSON.parse(packet.payload.toString()).count);
  });
  const window = createWindow(harness, pace);
  let sequence = 0;
  async function send(): Promise<void> {
    sequence += 1;
    const count = sequence;
    await publishUntilAcknowledged(harness, client, credentials.topic, { count }, way.qos);
    series.acknowledged(count);
  }
  return {
    name,
    series: [series],
    run: () => window.run(send),
    end: () => client.endAsync(true).then(() => undefined),
  };
}

const BATCH = 20;

/** Batches over HTTP, in the forms that the interface names. */
export async function makeHttpStation(harness: Harness, pace: Pace): Promise<Station> {
  const credentials: Credentials = await makeDevice(harness, 'HTTP');
  const series = await makeSeries(harness, credentials.username);
  const countIn = () => BATCH * PATHS.length;
  const sender = createHttpSender(harness, credentials, countIn);
  const window = createWindow(harness, pace);
  const nextTime = createTimes(harness);
  let sequence = 0;
  async function send(): Promise<void> {
    const items: { key: string; value: Value; timestamp: number; of: TimedSeries }[] = [];
    for (let index = 0; index < BATCH; index += 1) {
      sequence += 1;
      const [timestamp, values] = [nextTime(), valuesOf(sequence)];
      for (const [at, of] of series.entries()) {
        items.push({ key: PATHS[at]?.path ?? '', value: values[at] ?? '', timestamp, of });
      }
    }
    for (const { of, timestamp, value } of items) of.sent(timestamp, value);
    const dataArray = items.map(({ of: _, ...item }) => item);
    await sender.send(sequence % 2 === 0 ? { dataArray } : { data: dataArray });
    for (const { of, timestamp, value } of items) of.acknowledged(timestamp, value);
  }
  return {
    name: 'HTTP',
    series,
    run: () => window.run(send),
    end: sender.end,
  };
}

/** Records made over the REST interface; each that was answered must be there in the end. */
export function makeRecordWriter(harness: Harness, pace: Pace) {
  const window = createWindow(harness, pace);
  const acknowledged = new Set<string>();
  async function write(): Promise<void> {
    const body = { name: `Location ${acknowledged.size}` };
    try {
      const location = await insist(
        harness,
        (api, organizationId) => api.createLocation({ organizationId, body }),
        0,
      );
      acknowledged.add(location.id);
    } catch {
      await sleep(200);
    }
  }
  return {
    acknowledged,
    run: () => window.run(write),
    async missing(): Promise<string[]> {
      const found = new Set<string>();
      for (let skip = 0; ; skip += 1_000) {
        const query = { take: 1_000, skip };
        const { items } = await insist(harness, (api, organizationId) =>
          api.listLocations({ organizationId, query }),
        );
        for (const { id } of items) found.add(id);
        if (items.length < 1_000) break;
      }
      return [...acknowledged].filter((id) => !found.has(id));
    },
  };
}
