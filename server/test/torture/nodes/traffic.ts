import { type AlarmStation, makeAlarmStation } from '../alarm-station.ts';
import { type AlarmScenario, runEpisodes, SCENARIOS } from '../episodes.ts';
import type { Series } from '../ledger.ts';
import { makeArrivalStation, makeTimedStation, type Station } from '../stations.ts';
import type { Subscriber } from '../subscribers.ts';
import { Timeline } from '../timeline.ts';
import type { Watched } from '../verdict.ts';
import { followAt } from './followers.ts';
import type { JudgedDevice, NodesHarness } from './harness.ts';
import type { NodesPlan } from './plan.ts';
import { type ConnectedDevices, connectDevices } from './presence.ts';
import { createSprayingSender } from './spraying-sender.ts';
import { makeProbe, makeSprayedStation, type Probe } from './stations.ts';
import type { Visibility } from './visibility.ts';

/** Everything that sends. */
export interface NodesTraffic {
  readonly probes: readonly Probe[];
  readonly devices: readonly JudgedDevice[];
  readonly series: readonly Series[];
  readonly episodes: () => number;
  readonly connected: ConnectedDevices;
  /** One at each node. */
  readonly followers: readonly Subscriber[];
  watched(): Watched[];
  /** Resolves when traffic was stopped, and all of it is acknowledged. */
  run(): Promise<void>;
  end(): Promise<void>;
}

/** Holds of up to four seconds, so that many begin and end within a run. */
const NODE_SCENARIOS: readonly AlarmScenario[] = SCENARIOS.filter(({ name }) =>
  [
    'immediate',
    'immediate string',
    'deadband',
    'hold ended by the clock',
    'hold broken',
    'hold confirmed',
  ].includes(name),
);

interface Staged {
  readonly scenario: AlarmScenario;
  readonly station: AlarmStation;
  readonly device: JudgedDevice;
}

/** A Device has its own timeline: only what happens to its own node interrupts it. */
async function stage(
  harness: NodesHarness,
  scenario: AlarmScenario,
  { name, hookUrl }: { readonly name: string; readonly hookUrl: string },
): Promise<Staged> {
  const timeline = new Timeline();
  let deviceId = '';
  const own = { ...harness, timeline };
  const station = await makeAlarmStation(
    own,
    { ...scenario, name, hookUrl, email: null },
    (credentials, countIn) => {
      deviceId = credentials.username;
      return createSprayingSender(own, harness.cluster.nodes, credentials, countIn);
    },
  );
  return { scenario, station, device: { deviceId, timeline } };
}

async function makeStations(
  harness: NodesHarness,
  { sprayed, messageEveryMs }: NodesPlan,
  visibility: Visibility,
): Promise<Station[]> {
  const pace = { window: 10, everyMs: messageEveryMs };
  return await Promise.all([
    ...Array.from({ length: sprayed }, () => makeSprayedStation(harness, pace, visibility)),
    makeArrivalStation(harness, { version: 5, qos: 1, transport: 'tcp' }, pace),
    makeTimedStation(harness, { version: 4, qos: 2, transport: 'websocket' }, pace),
  ]);
}

export async function makeNodesTraffic(
  harness: NodesHarness,
  plan: NodesPlan,
  { hookUrl, visibility }: { readonly hookUrl: string; readonly visibility: Visibility },
): Promise<NodesTraffic> {
  const rounds = Array.from({ length: plan.alarmStations }, (_, round) => round + 1);
  const followers = followAt(harness);
  const [connected, stations, probes, staged] = await Promise.all([
    connectDevices(harness, plan.steady),
    makeStations(harness, plan, visibility),
    Promise.all(Array.from({ length: plan.probes }, () => makeProbe(harness))),
    Promise.all(
      rounds.flatMap((round) =>
        NODE_SCENARIOS.map((scenario, index) =>
          stage(harness, scenario, {
            name: `${scenario.name} ${round}`,
            hookUrl: `${hookUrl}/${index}/${round}`,
          }),
        ),
      ),
    ),
  ]);
  const alarms = staged.map(({ station }) => station);
  return {
    ...{ probes, connected, followers },
    devices: staged.map(({ device }) => device),
    series: [
      ...stations.flatMap(({ series }) => series),
      ...probes.map(({ series }) => series),
      ...alarms.map(({ series }) => series),
    ],
    episodes: () => alarms.reduce((sum, { episodes }) => sum + episodes, 0),
    watched: () =>
      alarms.map(({ name, alarmId, oracle, email }) => ({
        ...{ name, alarmId, oracle, email, isNotified: true },
      })),
    async run() {
      await Promise.all([
        ...stations.map((station) => station.run()),
        ...staged.map(({ station, scenario }) => runEpisodes(station, scenario)),
      ]);
    },
    async end() {
      await Promise.all(
        [...stations, ...alarms, ...followers, connected].map((each) => each.end()),
      );
    },
  };
}
