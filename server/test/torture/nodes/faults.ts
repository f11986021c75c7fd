import { setTimeout as sleep } from 'node:timers/promises';
import { complain } from '../harness.ts';
import { within } from '../service.ts';
import { type ClusterNode, partitionOf } from './cluster.ts';
import { type JudgedDevice, measured, type NodesHarness } from './harness.ts';
import type { NodeFaultKind, PlannedNodeFault } from './plan.ts';
import type { ConnectedDevices } from './presence.ts';
import type { Probe } from './stations.ts';

export interface NodeFaultDeps {
  readonly harness: NodesHarness;
  readonly devices: readonly JudgedDevice[];
  readonly probes: readonly Probe[];
  readonly connected: ConnectedDevices;
}

type NodeFault = (deps: NodeFaultDeps, planned: PlannedNodeFault) => Promise<void>;

const TAKEOVER_LIMIT_MS = 60_000;
const BALANCE_LIMIT_MS = 60_000;
const RECOVERY_LIMIT_MS = 60_000;
/** Storage is probed at most every two seconds, and a probe may have to time out. */
const REFUSAL_LIMIT_MS = 8_000;
const POLL_MS = 100;
/** A batch of readings that waits for longer than this counts as an outage. */
const STALL_MS = 5_500;

/** The Devices that a node acts for were interrupted until the answer is called. */
function beginOutage(
  { devices }: NodeFaultDeps,
  isAffected: (deviceId: string) => boolean,
): () => void {
  const ends = devices
    .filter(({ deviceId }) => isAffected(deviceId))
    .map(({ timeline }) => timeline.beginOutage());
  return () => {
    for (const end of ends) end();
  };
}

/** A node stops acting, and the others take over: measures how long partitions and Devices wait. */
async function takenOver(
  deps: NodeFaultDeps,
  victim: ClusterNode,
  { name, stop }: { readonly name: string; readonly stop: () => void | Promise<void> },
): Promise<void> {
  const { harness, probes } = deps;
  const { cluster, limits } = harness;
  const [owners, epoch] = [await cluster.owners(), await cluster.epochOf(victim)];
  const isAffected = (deviceId: string) => owners.get(partitionOf(deviceId)) === victim.id;
  const endOutage = beginOutage(deps, isAffected);
  const from = Date.now();
  await stop();
  const affected = probes.filter(({ deviceId }) => isAffected(deviceId));
  const served = affected.map(async (probe) => {
    await probe.send();
    measured(harness, `${name} to the next message`, Date.now() - from, limits.servedMs);
  });
  await within(
    cluster.owned({ id: victim.id, epoch }),
    TAKEOVER_LIMIT_MS,
    `${name}: owners of all partitions`,
  ).catch((error: unknown) => complain(harness, String(error)));
  endOutage();
  measured(harness, `${name} to owned partitions`, Date.now() - from, limits.ownedMs);
  await within(Promise.all(served), TAKEOVER_LIMIT_MS, `${name}: the next messages`).catch(
    (error: unknown) => complain(harness, String(error)),
  );
}

async function balanced({ harness }: NodeFaultDeps, name: string): Promise<void> {
  const { cluster } = harness;
  const isBalanced = await cluster.balanced(cluster.running, BALANCE_LIMIT_MS);
  if (!isBalanced) complain(harness, `${name}: partitions are not divided evenly`);
}

/** Messages that reach a halted node, and what it says of them when it wakes. */
function sendToHalted({ probes }: NodeFaultDeps, node: ClusterNode, limitMs: number) {
  return Promise.all(probes.map((probe) => probe.sendOnce(node, limitMs)));
}

/** Resolves with false when a node does not answer so in time. */
async function allAnswer(
  nodes: readonly ClusterNode[],
  isExpected: (status: number) => boolean,
  limitMs: number,
): Promise<boolean> {
  const end = Date.now() + limitMs;
  const answers = await Promise.all(
    nodes.map(async (node) => {
      while (Date.now() < end) {
        if (isExpected(await node.readiness())) return true;
        await sleep(POLL_MS);
      }
      return false;
    }),
  );
  return answers.every(Boolean);
}

/** While it lasts, no node can commit. It counts as an outage once the nodes can have noticed it. */
function storageFault(fault: NodeFault, noticedAfterMs = 0): NodeFault {
  return async (deps, planned) => {
    const { harness } = deps;
    const ends: (() => void)[] = [];
    const notice = () => void ends.push(beginOutage(deps, () => true));
    const timer = setTimeout(notice, noticedAfterMs);
    await fault(deps, planned).finally(() => clearTimeout(timer));
    const from = Date.now();
    const { responsive } = harness.cluster;
    if (await allAnswer(responsive, (status) => status === 200, RECOVERY_LIMIT_MS)) {
      measured(harness, `${planned.kind} to ready nodes`, Date.now() - from);
    } else complain(harness, `${planned.kind}: a node is not ready afterwards`);
    for (const end of ends) end();
  };
}

async function refusesReadiness({ harness }: NodeFaultDeps, kind: string): Promise<void> {
  const { responsive } = harness.cluster;
  const from = Date.now();
  if (await allAnswer(responsive, (status) => status === 503, REFUSAL_LIMIT_MS)) {
    measured(harness, `${kind} to 503 of /readyz`, Date.now() - from);
  } else complain(harness, `${kind}: /readyz of a node is not 503`);
}

export const NODE_FAULTS: Readonly<Record<NodeFaultKind, NodeFault>> = {
  async 'kill node'(deps, { durationMs }) {
    const victim = deps.harness.random.pick(deps.harness.cluster.responsive);
    const mortal = await deps.connected.mortalAt(victim);
    const stop = async () => {
      await victim.service.kill();
      mortal.died();
    };
    await takenOver(deps, victim, { name: 'kill', stop });
    await sleep(durationMs);
    await victim.service.start();
    await balanced(deps, 'kill node');
  },
  async 'halt node'(deps, { durationMs }) {
    const victim = deps.harness.random.pick(deps.harness.cluster.responsive);
    const end = Date.now() + durationMs;
    await takenOver(deps, victim, { name: 'halt', stop: () => victim.halt() });
    const late = sendToHalted(deps, victim, 3 * durationMs);
    await sleep(Math.max(1_000, end - Date.now()));
    victim.wake();
    await late;
    await balanced(deps, 'halt node');
  },
  async 'rolling restart'(deps) {
    for (const node of deps.harness.cluster.running) {
      await node.service.terminate();
      await node.service.start();
      await balanced(deps, 'rolling restart');
    }
  },
  async 'add node'(deps, { durationMs }) {
    const { cluster } = deps.harness;
    const added = cluster.nodes.find(({ isRunning }) => !isRunning) ?? (await cluster.add());
    await added.service.start();
    await balanced(deps, 'add node');
    await sleep(durationMs);
    await added.service.terminate();
    await balanced(deps, 'remove node');
  },
  'storage read-only': storageFault(async (deps, { durationMs }) => {
    const { database } = deps.harness.cluster;
    const end = Date.now() + durationMs;
    await database.refuseWrites();
    await refusesReadiness(deps, 'storage read-only');
    await sleep(Math.max(0, end - Date.now()));
    await database.allowWrites();
  }),
  'statement timeouts': storageFault(async ({ harness }, { durationMs }) => {
    const end = Date.now() + durationMs;
    while (Date.now() < end) {
      await harness.cluster.database.cancelStatements();
      await sleep(50);
    }
  }),
  'locked journal': storageFault(async (deps, { durationMs }) => {
    const unlock = await deps.harness.cluster.database.lockJournal();
    await sleep(durationMs);
    await unlock();
  }, STALL_MS),
  'kill storage': storageFault(async ({ harness }) => {
    harness.cluster.database.kill();
    await sleep(500);
  }),
  'promote standby': storageFault(async ({ harness }) => {
    const { promote } = harness.cluster.database;
    if (promote === null) throw new Error('there is no standby');
    await promote();
  }),
};
