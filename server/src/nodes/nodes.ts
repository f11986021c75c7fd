import type { NodeState, Operations, OverviewWarning } from '@fieldwatch/contract';
import type { Handler } from '../http/index.ts';
import type { Clock } from '../runtime/index.ts';
import type { Queries } from '../storage/index.ts';
import type { Membership } from './membership.ts';
import { describeNodes, nodeWarnings } from './node-list.ts';
import type { NodeReport } from './report.ts';
import { listNodes, listOwners } from './store.ts';

/** The nodes for operators. */
export interface Nodes {
  readonly list: Handler<Operations['listNodes']>;
  /** What is wrong with them, as of the last renewal. */
  warnings(): readonly OverviewWarning[];
  /** How many are in each state that occurs, as of the last renewal. */
  countByState(): Readonly<Partial<Record<NodeState, number>>>;
}

export interface NodesDeps {
  readonly storage: Queries;
  readonly clock: Clock;
  readonly membership: Pick<Membership, 'incarnation' | 'nodes' | 'owners'>;
  readonly report: () => NodeReport;
}

export function createNodes({ storage, clock, membership, report }: NodesDeps): Nodes {
  const observer = () => ({ id: membership.incarnation.id, report: report(), now: clock.now() });
  const known = () => describeNodes(membership.nodes, membership.owners, observer());
  return {
    async list() {
      const [rows, owners] = await Promise.all([listNodes(storage), listOwners(storage)]);
      const items = describeNodes(rows, owners, observer());
      return { body: { count: items.length, items } };
    },
    warnings: () => nodeWarnings(known()),
    countByState() {
      const counts: Partial<Record<NodeState, number>> = {};
      for (const { state } of known()) counts[state] = (counts[state] ?? 0) + 1;
      return counts;
    },
  };
}
