import { SHORT_LIVED } from '../../support/process.ts';
import type { Random } from '../../support/random.ts';
import { NODE_FLAGS } from '../service.ts';

const NODE_FAULT_KINDS = [
  'kill node',
  'halt node',
  'rolling restart',
  'add node',
  'storage read-only',
  'statement timeouts',
  'locked journal',
  'kill storage',
  'promote standby',
] as const;

export type NodeFaultKind = (typeof NODE_FAULT_KINDS)[number];

export interface PlannedNodeFault {
  readonly kind: NodeFaultKind;
  /** Quiet before it. */
  readonly afterMs: number;
  readonly durationMs: number;
}

/** How long things may take, in milliseconds. */
export interface Limits {
  /** From a kill until every partition has a living owner. */
  readonly ownedMs: number;
  /** From a kill until a message of an affected Device is acknowledged. */
  readonly servedMs: number;
  /** From an acknowledgement until every node answers with the reading. */
  readonly visibleMs: number;
  /** From an acknowledgement until the event that it caused is in the live stream of every node. */
  readonly liveMs: number;
}

export interface NodesPlan {
  readonly nodes: number;
  /** The programs of a PostgreSQL that gets a standby; null for the project's own without one. */
  readonly standbyBin: string | null;
  readonly nodeFlags: readonly string[];
  readonly limits: Limits;
  /** Devices that report to all nodes in turn. */
  readonly sprayed: number;
  /** Of each scenario of alarms. */
  readonly alarmStations: number;
  /** Devices that send when their node was killed. */
  readonly probes: number;
  /** Devices that have a session, send nothing, and always come back. */
  readonly steady: number;
  readonly messageEveryMs: number;
  /** At least so long from one acknowledged reading that every node is asked for to the next. */
  readonly sampleEveryMs: number;
  readonly faults: readonly PlannedNodeFault[];
}

/** The cut judges what nodes do and not how fast: it shares its machine with other tests. */
const CUT_LIMITS: Limits = { ownedMs: 60_000, servedMs: 60_000, visibleMs: 60_000, liveMs: 60_000 };
const LONG_LIMITS: Limits = { ownedMs: 8_000, servedMs: 10_000, visibleMs: 10_000, liveMs: 1_000 };

/** The kill comes last: a Device that dies with its node is reported offline half a minute later. */
export function nodesCutPlan(nodes: number): NodesPlan {
  return {
    ...{ nodes, standbyBin: null, nodeFlags: SHORT_LIVED },
    limits: CUT_LIMITS,
    ...{ sprayed: 3, alarmStations: 1, probes: 6, steady: 3 },
    ...{ messageEveryMs: 600, sampleEveryMs: 3_000 },
    faults: [
      { kind: 'storage read-only', afterMs: 2_000, durationMs: 4_000 },
      { kind: 'halt node', afterMs: 1_000, durationMs: 10_000 },
      { kind: 'kill node', afterMs: 1_000, durationMs: 500 },
    ],
  };
}

const DURATIONS_MS: Readonly<Record<NodeFaultKind, number>> = {
  'kill node': 3_000,
  'halt node': 20_000,
  'rolling restart': 0,
  'add node': 2_000,
  'storage read-only': 10_000,
  'statement timeouts': 5_000,
  'locked journal': 10_000,
  'kill storage': 0,
  'promote standby': 0,
};

/** How often a kind comes in each round; the others come once. A standby is promoted in the end. */
const PER_ROUND: Readonly<Partial<Record<NodeFaultKind, number>>> = {
  'kill node': 7,
  'halt node': 4,
  'promote standby': 0,
};
const ROUND: readonly NodeFaultKind[] = NODE_FAULT_KINDS.flatMap((kind) =>
  Array.from({ length: PER_ROUND[kind] ?? 1 }, () => kind),
);
/** What a fault with its quiet and its recovery takes, roughly: three rounds are a quarter of an hour. */
const MEAN_FAULT_MS = 17_600;

export interface NodesLongOptions extends Pick<NodesPlan, 'nodes' | 'standbyBin'> {
  readonly minutes: number;
}

export function nodesLongPlan(
  random: Random,
  { nodes, standbyBin, minutes }: NodesLongOptions,
): NodesPlan {
  const faults: PlannedNodeFault[] = [];
  const count = Math.max(1, Math.floor((minutes * 60_000) / MEAN_FAULT_MS));
  let left: NodeFaultKind[] = [];
  while (faults.length < count) {
    if (left.length === 0) left = [...ROUND];
    const [kind] = left.splice(random.below(left.length), 1);
    if (kind === undefined) break;
    const jitterMs = random.below(3_000);
    faults.push({ kind, afterMs: 1_000 + jitterMs, durationMs: DURATIONS_MS[kind] });
  }
  if (standbyBin !== null) faults.push({ kind: 'promote standby', afterMs: 2_000, durationMs: 0 });
  return {
    ...{ nodes, standbyBin, nodeFlags: NODE_FLAGS },
    limits: LONG_LIMITS,
    ...{ sprayed: 8, alarmStations: 3, probes: 24, steady: 6, faults },
    ...{ messageEveryMs: 50, sampleEveryMs: 1_000 },
  };
}
