import { makeAlarm, makeDevice, makeVariable } from './fleet.ts';
import type { Harness } from './harness.ts';
import { TimedSeries } from './ledger.ts';
import { AlarmOracle, type Terms } from './oracle.ts';
import { createHttpSender, type Sender } from './senders.ts';

const TERMS: Terms = {
  ...{ operator: 'EQUAL', threshold: true, holdMs: 0, clearDelayMs: 0, deadband: 0 },
};

interface Point {
  readonly path: string;
  readonly series: TimedSeries;
  readonly alarmId: string;
  readonly oracle: AlarmOracle;
}

/** A Device whose message raises or clears very many Alarms at once. */
export class BurstStation {
  readonly name = 'burst';
  readonly points: readonly Point[];
  readonly #sender: Sender;
  bursts = 0;

  constructor(points: readonly Point[], sender: Sender) {
    this.points = points;
    this.#sender = sender;
  }

  /** Raises all, or clears all. */
  async send(value: boolean): Promise<void> {
    const at = Date.now();
    const data = Object.fromEntries(this.points.map(({ path }) => [path, value]));
    for (const { series } of this.points) series.sent(at, value);
    const { sentAt, ackedAt } = await this.#sender.send({ timestamp: at, data });
    for (const { series, oracle } of this.points) {
      series.acknowledged(at, value);
      oracle.reading({
        ...{ stated: at, arrivals: [[at, at]] },
        ...{ value, within: [sentAt, ackedAt] },
        clock: () => 'waited',
      });
    }
    this.bursts += 1;
  }

  async end(): Promise<void> {
    await this.#sender.end();
  }
}

export async function makeBurstStation(harness: Harness, count: number): Promise<BurstStation> {
  const credentials = await makeDevice(harness, 'burst');
  const deviceId = credentials.username;
  const points = await inParallel(count, async (index) => {
    const path = `breaker.${index}`;
    const deviceVariableId = await makeVariable(harness, deviceId, path, 'BOOLEAN');
    const watched = { deviceId, deviceVariableId, name: `Breaker ${index}` };
    const alarmId = await makeAlarm(harness, watched, TERMS, null);
    const series = new TimedSeries(deviceVariableId);
    return { path, series, alarmId, oracle: new AlarmOracle(TERMS) };
  });
  return new BurstStation(
    points,
    createHttpSender(harness, credentials, () => count),
  );
}

const WORKERS = 8;

async function inParallel<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  let next = 0;
  const work = async () => {
    for (let index = next++; index < count; index = next++) made.push(await make(index));
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  return made;
}
