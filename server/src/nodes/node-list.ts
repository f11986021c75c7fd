import type { Node, NodeState, OverviewWarning } from '@fieldwatch/contract';
import { isoDateTime } from '../runtime/index.ts';
import type { Owners } from './assignment.ts';
import { type NodeReport, parseReport } from './report.ts';
import type { NodeRow } from './store.ts';

/** The node that looks at the others: what it knows of itself is newer than what it stored. */
export interface Observer {
  readonly id: string;
  readonly report: NodeReport;
  readonly now: number;
}

interface ReportedNode extends NodeRow {
  readonly reported: Partial<NodeReport>;
  readonly isAnswering: boolean;
}

/** A clock that differs by more is named. */
const MAX_CLOCK_DEVIATION_SECONDS = 1;
/** A node that was lost longer ago is not listed any more. */
const LOST_SHOWN_MS = 86_400_000;

/** The nodes as operators see them. */
export function describeNodes(
  rows: readonly NodeRow[],
  owners: Owners,
  { id: observerId, report, now }: Observer,
): Node[] {
  const shown = rows
    .filter(({ lostAt }) => lostAt === null || now - lostAt < LOST_SHOWN_MS)
    .map((row): ReportedNode => {
      const isAnswering = row.id === observerId;
      return { ...row, isAnswering, reported: isAnswering ? report : parseReport(row.report) };
    });
  const alive = shown.filter(({ lostAt }) => lostAt === null);
  const [newest] = alive.map(({ version }) => version).sort((a, b) => compareVersions(b, a));
  return shown.map((row) => {
    const { id, lostAt, reported } = row;
    const isLost = lostAt !== null;
    const unreachableFrom = alive
      .filter((other) => !isLost && other.reported.unreachable?.includes(id))
      .map((other) => other.id);
    return {
      id,
      isAnswering: row.isAnswering,
      state: stateOf(row, { isUnreachable: unreachableFrom.length > 0, newest }),
      address: row.address,
      version: row.version,
      migration: row.migration,
      startedDateTime: isoDateTime(row.startedAt),
      lostDateTime: isLost ? isoDateTime(lostAt) : null,
      partitionCount: owners.filter((owner) => owner === id).length,
      leaseSeconds: isLost ? 0 : Math.round(10 * row.leaseSeconds) / 10,
      clockDeviationSeconds: isLost ? null : (reported.clockDeviationSeconds ?? null),
      unreachableFrom,
      load: isLost ? null : (reported.load ?? null),
      lag: isLost ? null : (reported.lag ?? null),
    };
  });
}

/** The first state that applies. */
function stateOf(
  { lostAt, isGone, isAnswering, isStopping, isReady, version, reported }: ReportedNode,
  { isUnreachable, newest }: { isUnreachable: boolean; newest: string | undefined },
): NodeState {
  if (lostAt !== null) return 'LOST';
  // A node alone lets its lease end.
  if (isGone && !isAnswering) return 'SILENT';
  if (isStopping) return 'STOPPING';
  if (!isReady) return 'STARTING';
  if (isUnreachable) return 'UNREACHABLE';
  const deviation = Math.abs(reported.clockDeviationSeconds ?? 0);
  if (deviation > MAX_CLOCK_DEVIATION_SECONDS) return 'CLOCK_DIFFERS';
  return version === newest ? 'READY' : 'OTHER_VERSION';
}

function compareVersions(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

/** What administrators have to look after. */
export function nodeWarnings(nodes: readonly Node[]): OverviewWarning[] {
  const addressesIn = (state: NodeState) =>
    nodes.filter((node) => node.state === state).map(({ address }) => address);
  const lost = addressesIn('LOST');
  const unreachable = addressesIn('UNREACHABLE');
  return [
    ...(lost.length > 0
      ? [
          {
            code: 'NODE_LOST' as const,
            message: `${nodesText(lost)} ${lost.length === 1 ? 'was' : 'were'} lost within the last day. The other nodes have taken over; start the lost ones again.`,
          },
        ]
      : []),
    ...(unreachable.length > 0
      ? [
          {
            code: 'NODE_UNREACHABLE' as const,
            message: `${nodesText(unreachable)} cannot be reached by other nodes. Check FIELDWATCH_NODE_ADDRESS and the network between the nodes.`,
          },
        ]
      : []),
  ];
}

function nodesText(addresses: readonly string[]): string {
  return `${addresses.length === 1 ? 'The node' : 'The nodes'} at ${addresses.join(', ')}`;
}
