import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Fields, startLorawanRig } from '../support/lorawan-rig.ts';
import { createRandom } from '../support/random.ts';
import { cases } from '../support/soak.ts';

/** In soak 10 000. */
const SENSORS = cases(10_000, 0.01);
const UPLINKS = 4;
const SEED = 21;
const BATCH_SIZE = 200;
const MINUTE = 60_000;
const SOAK_WAIT = { timeout: 25 * MINUTE, interval: 500 };
const STORED_WAIT = { timeout: 3 * MINUTE, interval: 50 };

type Rig = Awaited<ReturnType<typeof startLorawanRig>>;

interface Sent {
  readonly devEui: string;
  readonly message: Fields;
}

let rig: Rig;

beforeAll(async () => {
  rig = await startLorawanRig('persistence true\nmax_queued_messages 0\nmax_inflight_messages 100');
});

afterAll(() => rig.stop());

async function inBatches<T>(
  items: readonly T[],
  size: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < items.length; from += size) {
    await Promise.all(items.slice(from, from + size).map(work));
  }
}

/** How many uplinks the server has received. */
async function receivedCount(): Promise<number> {
  const { text } = await rig.server.call(operations.readMetrics, {});
  return Number(/fieldwatch_lorawan_events_total\{kind="up"\} (\d+)/.exec(text)?.[1]);
}

/** Every uplink of every sensor, a third of them twice, in any order. */
function shuffledUplinks(devEuis: readonly string[], from: number): Sent[] {
  const random = createRandom(SEED);
  const all = devEuis.flatMap((devEui) =>
    Array.from({ length: UPLINKS }, (_, index): Sent => {
      const time = new Date(from + index * MINUTE).toISOString();
      const changed = { fCnt: index + 1, object: { number: index }, time };
      return { devEui, message: rig.uplinkOf(devEui, changed) };
    }),
  );
  const sent = [...all, ...all.filter(() => random.below(3) === 0)];
  for (let index = sent.length - 1; index > 0; index -= 1) {
    const other = random.below(index + 1);
    const [one, two] = [sent[index], sent[other]];
    if (one && two) [sent[index], sent[other]] = [two, one];
  }
  return sent;
}

it('uplinks of many sensors, doubled and out of order, are stored once each while the broker restarts', async () => {
  const { server, broker, publish } = rig;
  await rig.connected();
  const devEuis = Array.from({ length: SENSORS }, () => rig.newEui());
  const sensors = new Map<string, Awaited<ReturnType<Rig['newSensor']>>>();
  await inBatches(devEuis, 50, async (devEui) => {
    sensors.set(devEui, await rig.newSensor(devEui, ['payload.number']));
  });
  const from = server.clock.now() - 60 * MINUTE;
  const uplinks = shuffledUplinks(devEuis, from);
  const third = Math.ceil(uplinks.length / 3);
  for (let part = 0; part < 3; part += 1) {
    const own = uplinks.slice(part * third, (part + 1) * third);
    const published = inBatches(own, BATCH_SIZE, ({ devEui, message }) => publish(devEui, message));
    if (part > 0) await broker.restart();
    await published;
  }
  await expect.poll(receivedCount, SOAK_WAIT).toBeGreaterThanOrEqual(uplinks.length);
  const expected = Array.from({ length: UPLINKS }, (_, index) => ({
    ...{ timestamp: from + index * MINUTE, value: index },
  }));
  // Those that are delivered again after a restart are counted again: as many may still be under way.
  await inBatches([...sensors.values()], 10, (sensor) =>
    expect.poll(() => sensor.readings('payload.number'), STORED_WAIT).toEqual(expected),
  );
}, 1_800_000);
