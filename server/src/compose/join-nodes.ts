import { NODE_STATES, type NodeState } from '@fieldwatch/contract';
import type { Config } from '../config.ts';
import type { Ingest } from '../ingest/index.ts';
import {
  bindingOf,
  createNodes,
  LoadMeter,
  Membership,
  type MembershipHooks,
  type NodeReport,
  type Nodes,
  PeerChecks,
  type Peers,
  startPeers,
} from '../nodes/index.ts';
import type { Readings } from '../readings/index.ts';
import type { Clock, Keyring, Lifecycle, Log, Metrics } from '../runtime/index.ts';
import type { Storage } from '../storage/index.ts';
import { VERSION } from './version.ts';

interface JoiningServices {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly keyring: Keyring;
  readonly nodeId: string;
}

interface JoiningOptions {
  readonly config: Pick<Config, 'nodeAddress'>;
  readonly onFenced: () => void;
  readonly lifecycle: Lifecycle;
}

/** This server among the nodes on its database. */
export interface JoinedNode {
  readonly membership: Membership;
  readonly peers: Peers;
  readonly nodes: Nodes;
  readonly load: LoadMeter;
}

/** Enters this server among the nodes on its database. */
export async function joinNodes(
  core: JoiningServices,
  { config, onFenced, lifecycle }: JoiningOptions,
  hooks: Pick<MembershipHooks, 'adoptJournals' | 'drain'>,
): Promise<JoinedNode> {
  const { storage, clock, log, nodeId } = core;
  const addressOf = (id: string) =>
    membership.nodes.find((node) => node.id === id && node.lostAt === null)?.address;
  const key = core.keyring.derive('peers');
  const peers = await startPeers({ nodeId, ...bindingOf(config.nodeAddress), key, addressOf, log });
  lifecycle.onStop('peers', peers.stop);
  const load = new LoadMeter(clock);
  const checks = new PeerChecks({ nodeId, nodes: () => membership.nodes, peers, log });
  const report = (): NodeReport => ({
    load: load.load(),
    lag: load.lag(),
    clockDeviationSeconds: load.clockDeviationSeconds(),
    unreachable: checks.unreachable,
  });
  const membership = new Membership({
    storage,
    clock,
    log,
    node: { id: nodeId, version: VERSION, address: peers.address },
    hooks: {
      ...hooks,
      fenced() {
        log.error('another node has taken over from this one');
        onFenced();
      },
    },
    report,
  });
  membership.ownership.onChange(() => {
    for (const { id, lostAt } of membership.nodes) if (lostAt !== null) peers.disconnect(id);
  });
  await membership.join();
  lifecycle.onStop('node', async () => {
    await Promise.all([load.stop(), checks.stop()]);
    await membership.stop();
  });
  load.start();
  checks.start();
  const nodes = createNodes({ storage, clock, membership, report });
  const joined = { membership, peers, nodes, load };
  meterNodes(core.metrics, joined);
  return joined;
}

function meterNodes(metrics: Metrics, { membership, peers, nodes }: JoinedNode): void {
  const { id } = membership.incarnation;
  metrics.addGauge({
    name: 'fieldwatch_nodes',
    help: 'Nodes on this database by state; those that were lost for a day',
    label: 'state',
    values: async () => countsByLowerCase(nodes.countByState()),
  });
  metrics.addGauge({
    name: 'fieldwatch_partitions',
    help: 'Partitions by their owner: this node, another one or none',
    label: 'owner',
    values: async () => {
      const { owners } = membership;
      const free = owners.filter((owner) => owner === null).length;
      const own = owners.filter((owner) => owner === id).length;
      return { self: own, other: owners.length - own - free, none: free };
    },
  });
  metrics.addGauge({
    name: 'fieldwatch_lease_seconds',
    help: 'Time until the lease of this node ends; a node alone renews it when a commit needs it',
    label: 'node',
    values: async () => ({ [id]: membership.lease.leftMs / 1_000 }),
  });
  metrics.addCounter({
    name: 'fieldwatch_peer_calls_total',
    help: 'Calls to other nodes, by outcome',
    label: 'outcome',
    totals: peers.totals,
  });
}

/** All states, so that an alert finds a 0. */
function countsByLowerCase(counts: Readonly<Partial<Record<NodeState, number>>>) {
  return Object.fromEntries(NODE_STATES.map((state) => [state.toLowerCase(), counts[state] ?? 0]));
}

/** Measures what this node does. */
export function meterLoad(
  { metrics }: Pick<JoiningServices, 'metrics'>,
  load: LoadMeter,
  {
    ingest,
    readings,
    clockDeviationSeconds,
  }: { ingest: Ingest; readings: Readings; clockDeviationSeconds: () => number },
): void {
  metrics.addCounter({
    name: 'fieldwatch_forwarded_messages_total',
    help: 'Messages sent to the nodes that act for their Devices, and received from others',
    label: 'direction',
    totals: ingest.forwardedMessages,
  });
  load.register({
    readings: () => ingest.rejections.totals().accepted,
    forwarded: () => ingest.forwardedMessages().sent,
    received: () => ingest.forwardedMessages().received,
    oldestMessageMs: ingest.oldestMessageMs,
    flushBacklogBytes: () => readings.flushBacklogBytes,
    clockDeviationSeconds,
  });
}
