import { readFileSync } from 'node:fs';
import type { Config } from '../config.ts';
import {
  bindingOf,
  Membership,
  type MembershipHooks,
  type Peers,
  startPeers,
} from '../nodes/index.ts';
import type { Clock, Keyring, Lifecycle, Log, Metrics } from '../runtime/index.ts';
import type { Storage } from '../storage/index.ts';

const { version: VERSION } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { version: string };

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

/** Enters this server among the nodes on its database. */
export async function joinNodes(
  core: JoiningServices,
  { config, onFenced, lifecycle }: JoiningOptions,
  hooks: Pick<MembershipHooks, 'adoptJournals' | 'drain'>,
): Promise<{ readonly membership: Membership; readonly peers: Peers }> {
  const { storage, clock, log, metrics, nodeId } = core;
  const addressOf = (id: string) =>
    membership.nodes.find((node) => node.id === id && node.lostAt === null)?.address;
  const key = core.keyring.derive('peers');
  const peers = await startPeers({ nodeId, ...bindingOf(config.nodeAddress), key, addressOf, log });
  lifecycle.onStop('peers', peers.stop);
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
  });
  await membership.join();
  metrics.addGauge({
    name: 'fieldwatch_nodes',
    help: 'Servers on this database: those that are alive, and those lost within the last day',
    label: 'state',
    values: async () => {
      const { nodes } = membership;
      const lost = nodes.filter(({ lostAt }) => lostAt !== null).length;
      return { alive: nodes.length - lost, lost };
    },
  });
  lifecycle.onStop('node', membership.stop);
  return { membership, peers };
}
