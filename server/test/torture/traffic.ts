import type { AlarmStation } from './alarm-station.ts';
import { makeAlarmStation, type OpenSender } from './alarm-station.ts';
import { type BurstStation, makeBurstStation } from './burst.ts';
import { type AlarmScenario, runEpisodes, SCENARIOS } from './episodes.ts';
import type { Harness, ServerHarness } from './harness.ts';
import type { Series } from './ledger.ts';
import { makeOverload, type Overload } from './overload.ts';
import type { Scale } from './plan.ts';
import { makeRedeliveryStation } from './redelivery.ts';
import { createHttpSender, createMqttSender, type MqttWay } from './senders.ts';
import {
  makeArrivalStation,
  makeHttpStation,
  makeRecordWriter,
  makeTimedStation,
  type Station,
} from './stations.ts';
import { SUBSCRIBERS, Subscriber } from './subscribers.ts';
import type { Watched } from './verdict.ts';

const WAYS: readonly MqttWay[] = [
  { version: 4, qos: 1, transport: 'tcp' },
  { version: 4, qos: 2, transport: 'websocket' },
  { version: 5, qos: 1, transport: 'websocket' },
  { version: 5, qos: 2, transport: 'tcp' },
];

const MIN_REDELIVERY_MS = 50;

/** Everything that sends, and everything that listens. */
export interface Traffic {
  readonly stations: readonly Station[];
  readonly alarms: readonly AlarmStation[];
  readonly burst: BurstStation;
  readonly overload: Overload;
  readonly records: ReturnType<typeof makeRecordWriter>;
  readonly subscribers: readonly Subscriber[];
  readonly series: readonly Series[];
  watched(): Watched[];
  /** Resolves when traffic was stopped, and all of it is acknowledged. */
  run(): Promise<void>;
  end(): Promise<void>;
}

async function makeStations(harness: Harness, { messageEveryMs }: Scale): Promise<Station[]> {
  const pace = { window: 20, everyMs: messageEveryMs };
  const [first, , , last] = WAYS;
  return await Promise.all([
    ...WAYS.map((way) => makeTimedStation(harness, way, pace)),
    ...(first ? [makeArrivalStation(harness, first, pace)] : []),
    ...(last ? [makeArrivalStation(harness, { ...last, qos: 1 }, pace)] : []),
    makeHttpStation(harness, { window: 4, everyMs: 10 * messageEveryMs }),
    makeRedeliveryStation(harness, Math.max(MIN_REDELIVERY_MS, messageEveryMs)),
  ]);
}

interface Staged {
  readonly scenario: AlarmScenario;
  readonly station: AlarmStation;
}

async function makeAlarmStations(
  harness: Harness,
  { alarmStations }: Scale,
  hookUrl: string,
): Promise<Staged[]> {
  const wanted = Array.from({ length: alarmStations }, (_, round) =>
    SCENARIOS.map((scenario, index) => ({ scenario, round, index })),
  ).flat();
  return await Promise.all(
    wanted.map(async ({ scenario, round, index }) => {
      const options = {
        ...scenario,
        name: `${scenario.name} ${round + 1}`,
        hookUrl: `${hookUrl}/${index}/${round}`,
        email: index < 3 ? `operator-${index}-${round}@example.com` : null,
      };
      const version = harness.random.below(2) ? 4 : 5;
      const openSender: OpenSender = (credentials, countIn) =>
        (round + index) % 2 === 0
          ? createMqttSender(harness, credentials, { version, qos: 1, transport: 'tcp' })
          : createHttpSender(harness, credentials, countIn);
      const station = await makeAlarmStation(harness, options, openSender);
      return { scenario, station };
    }),
  );
}

export async function makeTraffic(
  harness: ServerHarness,
  scale: Scale,
  hookUrl: string,
): Promise<Traffic> {
  const [stations, staged, burst, overload] = await Promise.all([
    makeStations(harness, scale),
    makeAlarmStations(harness, scale, hookUrl),
    makeBurstStation(harness, scale.burstAlarms),
    makeOverload(harness, scale),
  ]);
  const alarms = staged.map(({ station }) => station);
  const records = makeRecordWriter(harness, { window: 2, everyMs: 5 * scale.messageEveryMs });
  const subscribers = SUBSCRIBERS.map((kind) => new Subscriber(harness, kind));
  const ending = [...stations, ...alarms, burst, overload, ...subscribers];
  return {
    ...{ stations, alarms, burst, overload, records, subscribers },
    series: [
      ...stations.flatMap(({ series }) => series),
      ...alarms.map(({ series }) => series),
      ...burst.points.map(({ series }) => series),
      ...overload.series,
    ],
    watched: () => [
      ...alarms.map(({ name, alarmId, oracle, email }) => ({
        ...{ name, alarmId, oracle, email, isNotified: true },
      })),
      ...burst.points.map(({ path, alarmId, oracle }) => ({
        ...{ name: path, alarmId, oracle, email: null, isNotified: false },
      })),
    ],
    async run() {
      await Promise.all([
        ...stations.map((station) => station.run()),
        ...staged.map(({ station, scenario }) => runEpisodes(station, scenario)),
        records.run(),
      ]);
    },
    async end() {
      await Promise.all(ending.map((each) => each.end()));
    },
  };
}
