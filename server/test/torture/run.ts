import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDisk, type Disk } from './disk.ts';
import { FAULTS, type FaultDeps, STORAGE_FAULTS } from './faults.ts';
import { makeDevice, makeVariable } from './fleet.ts';
import { startGateway } from './gateway.ts';
import { complain, type Harness, type ServerHarness } from './harness.ts';
import { faultsOfMail, faultsOfWebhooks } from './notifications.ts';
import type { Plan, PlannedFault } from './plan.ts';
import { type Receivers, startReceivers } from './receivers.ts';
import { type FaultRecord, machine, type Report } from './report.ts';
import { createHttpSender, createMqttSender } from './senders.ts';
import { Service, within } from './service.ts';
import { beginHarness, complaintsOf, runTraffic, stopwatch, thenCleanUp } from './stage.ts';
import { createStorageControl } from './storage-control.ts';
import { faultsOfSessions } from './subscribers.ts';
import { makeTraffic, type Traffic } from './traffic.ts';
import { awaitDeliveries, judgeAlarms, judgeReadings, mailStates } from './verdict.ts';

/** Devices wait for storage that is away for less than this; their connections stay. */
const MAX_WAIT_MS = 12_000;
const RECOVERY_LIMIT_MS = 120_000;
/** More than any fault lasts: what goes on for longer waits for an answer that does not come. */
const FAULT_LIMIT_MS = 150_000;
const DRAIN_LIMIT_MS = 240_000;
const DELIVERY_LIMIT_MS = 180_000;

export interface RunOptions {
  readonly seed: number;
  readonly plan: Plan;
  readonly outputDir: string;
  readonly say: (text: string) => void;
}

/** Runs the server through the plan, and answers what became of it. */
export async function torture(options: RunOptions): Promise<Report> {
  mkdirSync(options.outputDir, { recursive: true });
  const disk = createDisk();
  const receivers = await startReceivers();
  const service = new Service({
    dataDir: disk.path,
    logFile: join(options.outputDir, 'server.log'),
    env: receivers.env,
    nodeFlags: options.plan.nodeFlags,
  });
  const mqtt = await startGateway({ target: () => service.mqttPort });
  const http = await startGateway({ target: () => service.httpPort });
  const { stop, parts } = beginHarness(options.seed);
  const harness: ServerHarness = {
    ...parts,
    ...{ service, mqtt, http },
    api: {
      get port() {
        return service.httpPort;
      },
    },
  };
  const cleanUp = async () => {
    stop.abort();
    await service.stop();
    await Promise.all([mqtt.stop(), http.stop(), receivers.stop()]);
    disk.remove();
  };
  return thenCleanUp(async () => {
    await service.start();
    return proceed(options, { harness, disk, receivers, stop });
  }, cleanUp);
}

interface Stage {
  readonly harness: ServerHarness;
  readonly disk: Disk;
  readonly receivers: Receivers;
  readonly stop: AbortController;
}

async function proceed({ seed, plan, say }: RunOptions, stage: Stage): Promise<Report> {
  const { harness, disk, receivers, stop } = stage;
  const { begun, elapsed } = stopwatch();
  const count = plan.steps.reduce((sum, { faults }) => sum + faults.length, 0);
  say(`Seed ${seed}: ${count} faults`);
  const traffic = await makeTraffic(harness, plan.scale, receivers.webhook.url);
  say(`${elapsed()} s: traffic begins`);
  const acknowledged = runTraffic(harness, traffic);
  const deps: FaultDeps = {
    ...{ harness, disk, receivers, burst: traffic.burst, overload: traffic.overload },
    storage: createStorageControl(disk.path),
  };
  const faults = await runFaults(plan, deps, { say, begun });
  stop.abort();
  say(`${elapsed()} s: traffic ends`);
  await acknowledged(DRAIN_LIMIT_MS);
  say(`${elapsed()} s: everything is acknowledged`);
  const pending = await awaitDeliveries(harness, DELIVERY_LIMIT_MS);
  say(`${elapsed()} s: looking at what is there`);
  const differences = await lookAt(stage, traffic, pending);
  const leftOpen = await deps.storage.leftOpenAlarms();
  const stored = await deps.storage.storedOf([...new Set([...differences.differing, ...leftOpen])]);
  await traffic.end();
  return {
    ...{ seed, seconds: elapsed(), faults, stored },
    differences: { ...differences.found, 'open events of alarms that are clear': leftOpen },
    machine: machine(),
    done: { ...differences.done, ...doneBy(harness, traffic) },
    notTried: disk.fixedBecause === null ? {} : { 'disk full': disk.fixedBecause },
  };
}

async function runFaults(
  { steps }: Plan,
  deps: FaultDeps,
  { say, begun }: { say: (text: string) => void; begun: number },
): Promise<FaultRecord[]> {
  const { harness, disk } = deps;
  const recovered = await createProbe(harness);
  const records: FaultRecord[] = [];
  for (const { afterMs, faults } of steps) {
    const possible = faults.filter(
      ({ kind }) => kind !== 'disk full' || disk.fixedBecause === null,
    );
    await sleep(afterMs);
    const [from, closes] = [Date.now(), harness.closes.count];
    await Promise.all(possible.map((planned) => runFault(planned, deps)));
    const durationMs = Date.now() - from;
    const recoveryMs = await recovered();
    const isQuick = durationMs + recoveryMs < MAX_WAIT_MS;
    const isOfStorage = possible.every(({ kind }) => STORAGE_FAULTS.includes(kind));
    const names = possible.map(({ kind }) => kind).join(' and ');
    if (isOfStorage && isQuick && harness.closes.count > closes) {
      complain(harness, `${names}: Devices lost their connections`);
    }
    const atMs = from - begun;
    for (const { kind } of possible) records.push({ kind, atMs, durationMs, recoveryMs });
    const [at, lasted] = [Math.round(atMs / 1_000), (durationMs / 1_000).toFixed(1)];
    say(`${at} s: ${names} for ${lasted} s, served after ${recoveryMs} ms`);
  }
  return records;
}

async function runFault(planned: PlannedFault, deps: FaultDeps): Promise<void> {
  const work = FAULTS[planned.kind](deps, planned);
  await within(work, FAULT_LIMIT_MS, planned.kind).catch((error: unknown) =>
    complain(deps.harness, String(error)),
  );
}

/** Measures how long it takes until a reading is acknowledged over HTTP and over MQTT. */
async function createProbe(harness: Harness): Promise<() => Promise<number>> {
  const credentials = await makeDevice(harness, 'probe');
  await makeVariable(harness, credentials.username, 'probe');
  const way = { version: 5, qos: 1, transport: 'tcp' } as const;
  const senders = [
    createHttpSender(harness, credentials),
    createMqttSender(harness, credentials, way),
  ];
  harness.stopping.addEventListener('abort', () => {
    for (const sender of senders) void sender.end();
  });
  return async () => {
    const from = Date.now();
    const payload = { timestamp: from, data: { probe: 1 } };
    const served = Promise.all(senders.map((sender) => sender.send(payload)));
    await within(served, RECOVERY_LIMIT_MS, 'a recovery').catch((error: unknown) =>
      complain(harness, String(error)),
    );
    return Date.now() - from;
  };
}

async function lookAt(
  { harness, receivers }: Stage,
  traffic: Traffic,
  pending: Awaited<ReturnType<typeof awaitDeliveries>>,
) {
  const readings = await judgeReadings(harness, traffic.series);
  const alarms = await judgeAlarms(harness, traffic.watched());
  const webhooks = faultsOfWebhooks(alarms.due, receivers.webhook.received);
  const waiting = new Set(pending.map(({ eventId }) => eventId));
  const { letters } = receivers.mail;
  const mail = faultsOfMail(alarms.due, letters, pending);
  const states = await mailStates(harness);
  const found = {
    'readings lost': readings.faults.lost,
    'readings with a wrong value or order': readings.faults.wrong,
    'readings doubled': readings.faults.doubled,
    'readings invented': readings.faults.invented,
    'records lost': await traffic.records.missing(),
    'alarm events other than the oracle says': alarms.differences,
    'alarm events not delivered to subscribers': traffic.subscribers.flatMap((subscriber) =>
      faultsOfSessions(subscriber, alarms.changes),
    ),
    'webhooks missing': webhooks.missing,
    'webhooks under two ids': webhooks.doubled,
    'webhooks of no event': webhooks.invented,
    'mails missing': mail.missing.map((name) => `${name}: ${states.get(name) ?? 'no delivery'}`),
    'mails sent twice': mail.doubled,
    'mails of no event': mail.invented,
    'complaints of clients': complaintsOf(harness),
  };
  const sessions = traffic.subscribers.flatMap((each) => each.sessions);
  const done = {
    'readings acknowledged': readings.acknowledged,
    'readings found': readings.found,
    'alarm events': alarms.events,
    'decisions by a race, either way right': alarms.races,
    'changes checked against subscriptions': alarms.changes.length,
    'subscriptions ended with 0x97': sessions.filter(({ reason }) => reason === 0x97).length,
    'webhook deliveries': receivers.webhook.received.length,
    mails: letters.length,
    'mails that wait to be tried again': waiting.size,
  };
  return { found, done, differing: alarms.differing };
}

function doneBy({ service, mqtt, http }: ServerHarness, traffic: Traffic) {
  const { acknowledged, maxMemory } = traffic.overload.counts;
  return {
    'records written': traffic.records.acknowledged.size,
    'starts of the server': service.starts,
    'connections cut': mqtt.cuts() + http.cuts(),
    'alarm bursts': traffic.burst.bursts,
    'alarm episodes': traffic.alarms.reduce((sum, { episodes }) => sum + episodes, 0),
    'messages under overload': acknowledged,
    'most memory under overload, MiB': Math.round(maxMemory / 1024 ** 2),
  };
}
