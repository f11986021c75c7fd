import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { complain, type Endpoint } from '../harness.ts';
import { type Due, faultsOfWebhooks } from '../notifications.ts';
import { type Receivers, startReceivers } from '../receivers.ts';
import { type FaultRecord, machine, type Report } from '../report.ts';
import { beginHarness, complaintsOf, runTraffic, stopwatch, thenCleanUp } from '../stage.ts';
import { judgeAlarms, judgeReadings } from '../verdict.ts';
import { Cluster } from './cluster.ts';
import { startDatabase } from './database.ts';
import { NODE_FAULTS } from './faults.ts';
import { faultsOfFollowers } from './followers.ts';
import type { NodesHarness } from './harness.ts';
import type { NodesPlan } from './plan.ts';
import { makeNodesTraffic, type NodesTraffic } from './traffic.ts';
import { Visibility } from './visibility.ts';

const DRAIN_LIMIT_MS = 120_000;
const DELIVERY_LIMIT_MS = 120_000;
const BALANCE_LIMIT_MS = 60_000;

export interface NodesRunOptions {
  readonly seed: number;
  readonly plan: NodesPlan;
  readonly outputDir: string;
  readonly say: (text: string) => void;
}

/** Runs several nodes through the plan, and answers what became of them. */
export async function tortureNodes(options: NodesRunOptions): Promise<Report> {
  const { plan, outputDir } = options;
  mkdirSync(outputDir, { recursive: true });
  const database = await startDatabase(plan.standbyBin);
  const receivers = await startReceivers();
  const cluster = new Cluster({
    ...{ database, outputDir, env: receivers.env, nodeFlags: plan.nodeFlags },
  });
  const { stop, parts } = beginHarness(options.seed);
  const { random } = parts;
  const harness: NodesHarness = {
    ...parts,
    ...{ cluster, limits: plan.limits, times: new Map(), faults: [] },
    mqtt: cluster.endpoint('mqtt', random, () => cluster.running),
    http: cluster.endpoint('http', random, () => cluster.running),
    api: cluster.endpoint('http', random, () => cluster.responsive),
  };
  const cleanUp = async () => {
    stop.abort();
    await cluster.stop().catch((error: unknown) => options.say(String(error)));
    await Promise.all([receivers.stop(), database.stop()]);
  };
  return thenCleanUp(async () => {
    for (let count = 0; count < plan.nodes; count += 1) {
      const node = await cluster.add();
      await node.service.start();
    }
    if (!(await cluster.balanced(cluster.nodes, BALANCE_LIMIT_MS))) {
      complain(harness, 'partitions are not divided evenly after the start');
    }
    return proceed(options, { harness, receivers, stop });
  }, cleanUp);
}

interface Stage {
  readonly harness: NodesHarness;
  readonly receivers: Receivers;
  readonly stop: AbortController;
}

async function proceed({ seed, plan, say }: NodesRunOptions, stage: Stage): Promise<Report> {
  const { harness, receivers, stop } = stage;
  const { begun, elapsed } = stopwatch();
  say(`Seed ${seed}: ${plan.nodes} nodes, ${plan.faults.length} faults`);
  const visibility = new Visibility(harness, plan.sampleEveryMs);
  const traffic = await makeNodesTraffic(harness, plan, {
    ...{ hookUrl: receivers.webhook.url, visibility },
  });
  say(`${elapsed()} s: traffic begins`);
  const acknowledged = runTraffic(harness, traffic);
  const faults: FaultRecord[] = [];
  for (const planned of plan.faults) {
    await sleep(planned.afterMs);
    const from = Date.now();
    const span = { from, to: Number.POSITIVE_INFINITY };
    harness.faults.push(span);
    await NODE_FAULTS[planned.kind]({ harness, ...traffic }, planned);
    span.to = Date.now();
    const durationMs = span.to - from;
    faults.push({ kind: planned.kind, atMs: from - begun, durationMs, recoveryMs: 0 });
    say(`${elapsed()} s: ${planned.kind}, over after ${(durationMs / 1_000).toFixed(1)} s`);
  }
  stop.abort();
  await acknowledged(DRAIN_LIMIT_MS);
  await visibility.settled();
  say(`${elapsed()} s: everything is acknowledged`);
  const { found, done } = await lookAt(stage, traffic);
  await traffic.end();
  return {
    ...{ seed, seconds: elapsed(), faults, differences: found, machine: machine(), done },
    notTried: {},
  };
}

/** A target that a killed node was serving is served again when its lease has ended. */
async function webhookFaults(due: readonly Due[], { webhook }: Receivers) {
  const end = Date.now() + DELIVERY_LIMIT_MS;
  for (;;) {
    const faults = faultsOfWebhooks(due, webhook.received);
    if (faults.missing.length === 0 || Date.now() > end) return faults;
    await sleep(500);
  }
}

async function lookAt({ harness, receivers }: Stage, traffic: NodesTraffic) {
  const alarms = await judgeAlarms(harness, traffic.watched());
  const { followers, connected } = traffic;
  const webhooks = await webhookFaults(alarms.due, receivers);
  const found: Record<string, readonly string[]> = {
    'alarm events other than the oracle says': alarms.differences,
    'alarm events not in a live stream': faultsOfFollowers(harness, followers, alarms),
    'Devices reported offline by mistake': await connected.faults(),
    'webhooks missing': webhooks.missing,
    'webhooks under two ids': webhooks.doubled,
    'webhooks of no event': webhooks.invented,
  };
  const { cluster } = harness;
  let acknowledged = 0;
  const judge = async (where: string, api: Endpoint) => {
    const readings = await judgeReadings({ ...harness, api }, traffic.series);
    acknowledged = readings.acknowledged;
    const { lost, wrong, doubled, invented } = readings.faults;
    found[`readings not at ${where}`] = lost;
    found[`readings with a wrong value or order at ${where}`] = wrong;
    found[`readings doubled or invented at ${where}`] = [...doubled, ...invented];
  };
  for (const { name, http } of cluster.responsive) await judge(name, http);
  // What the others had in memory, they hand over when they stop.
  const [last, ...others] = cluster.responsive;
  for (const node of others) await node.service.terminate();
  if (last) await judge('the last node', last.http);
  found['complaints of clients'] = complaintsOf(harness);
  const done: Record<string, number> = {
    'readings acknowledged': acknowledged,
    'alarm events': alarms.events,
    'alarm episodes': traffic.episodes(),
    'decisions by a race, either way right': alarms.races,
    'webhook deliveries': receivers.webhook.received.length,
  };
  for (const [name, times] of [...harness.times].toSorted()) {
    const sorted = times.toSorted((one, other) => one - other);
    done[`${name}, count`] = sorted.length;
    done[`${name}, median ms`] = sorted[Math.floor(sorted.length / 2)] ?? 0;
    done[`${name}, longest ms`] = sorted.at(-1) ?? 0;
  }
  return { found, done };
}
