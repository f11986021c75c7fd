import { readFileSync } from 'node:fs';
import { Membership } from '../nodes/index.ts';
import type { Readings } from '../readings/index.ts';
import type { Clock, Lifecycle, Log, Metrics } from '../runtime/index.ts';
import type { Storage } from '../storage/index.ts';

const { version: VERSION } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { version: string };

interface JoiningServices {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly nodeId: string;
}

/** Enters this server among the nodes on its database. */
export async function joinNodes(
  { storage, clock, log, metrics, nodeId }: JoiningServices,
  { onFenced, lifecycle }: { readonly onFenced: () => void; readonly lifecycle: Lifecycle },
  readings: () => Readings,
): Promise<Membership> {
  const membership = new Membership({
    storage,
    clock,
    log,
    node: { id: nodeId, version: VERSION, address: '' },
    hooks: {
      adoptJournals: () => readings().adopt(),
      drain: async () => undefined,
      changed: () => undefined,
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
      const { nodes } = membership.view;
      const lost = nodes.filter(({ lostAt }) => lostAt !== null).length;
      return { alive: nodes.length - lost, lost };
    },
  });
  lifecycle.onStop('node', membership.stop);
  return membership;
}
