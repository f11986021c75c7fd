import { SHORT_LIVED } from '../support/process.ts';
import type { Random } from '../support/random.ts';
import { NODE_FLAGS } from './service.ts';

export const FAULT_KINDS = [
  'kill server',
  'kill storage',
  'kill both',
  'halt server',
  'halt storage',
  'storage unreachable',
  'storage read-only',
  'disk full',
  'clock forward',
  'clock back',
  'cut sockets',
  'silent network',
  'overload',
  'half-open clients',
  'slow clients',
  'slow receivers',
  'alarm burst',
] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

export interface PlannedFault {
  readonly kind: FaultKind;
  readonly durationMs: number;
  /** How far the clock is set, where it is. */
  readonly stepMs: number;
}

/** Faults that happen at the same time. */
export interface Step {
  /** Quiet before it. */
  readonly afterMs: number;
  readonly faults: readonly PlannedFault[];
}

/** How much of everything there is. */
export interface Scale {
  /** Of each scenario of alarms. */
  readonly alarmStations: number;
  readonly burstAlarms: number;
  readonly overloadMs: number;
  readonly overloadDevices: number;
  /** In each of their messages. */
  readonly overloadKeys: number;
  /** Most messages of one Device on their way. */
  readonly overloadWindow: number;
  readonly messageEveryMs: number;
}

export interface Plan {
  readonly scale: Scale;
  readonly nodeFlags: readonly string[];
  readonly steps: readonly Step[];
}

/** What happens to clients and receivers, and may happen beside anything else. */
const OUTSIDE: readonly FaultKind[] = [
  'cut sockets',
  'silent network',
  'half-open clients',
  'slow clients',
  'slow receivers',
];

const CUT_SCALE: Scale = {
  ...{
    alarmStations: 1,
    burstAlarms: 60,
    overloadMs: 1_000,
    overloadDevices: 4,
    overloadKeys: 5,
    overloadWindow: 100,
    messageEveryMs: 300,
  },
};
const LONG_SCALE: Scale = {
  ...{
    alarmStations: 3,
    burstAlarms: 250,
    overloadMs: 15_000,
    overloadDevices: 8,
    overloadKeys: 20,
    overloadWindow: 400,
    messageEveryMs: 20,
  },
};

/** What a step with its quiet and its recovery takes, roughly. */
const MEAN_STEP_MS = 24_000;
const CUT_QUIET_MS = 250;

/**
 * One of every kind, quickly. Outages come first: what waits for half a minute after the last of
 * them does so while the others go on.
 */
export function cutPlan(): Plan {
  const quick = (kind: FaultKind, durationMs = 1_000, stepMs = 0) => ({ kind, durationMs, stepMs });
  const step = (...faults: PlannedFault[]): Step => ({ afterMs: CUT_QUIET_MS, faults });
  return {
    scale: CUT_SCALE,
    nodeFlags: SHORT_LIVED,
    steps: [
      step(quick('kill server', 500), quick('slow receivers', 2_500)),
      step(quick('halt storage')),
      step(quick('kill storage', 0)),
      step(quick('storage unreachable')),
      step(quick('halt server')),
      step(quick('storage read-only')),
      step(quick('disk full', 2_000)),
      step(quick('kill both', 500)),
      step(quick('alarm burst', 0), quick('half-open clients')),
      step(quick('clock forward', 1_000, 10_000), quick('cut sockets')),
      step(quick('clock back', 1_000, -10_000), quick('slow clients')),
      step(quick('overload', CUT_SCALE.overloadMs)),
      step(quick('silent network')),
      step(quick('alarm burst', 0)),
    ],
  };
}

/** The first is no outage, the others count as one. */
const FORWARD_MS = [4_000, 15_000, 45_000];
const BACK_MS = [-10_000, -60_000, -300_000];

function stepOf(kind: FaultKind, random: Random): number {
  if (kind === 'clock forward') return random.pick(FORWARD_MS);
  return kind === 'clock back' ? random.pick(BACK_MS) : 0;
}

/** Every kind once, in another order each time, and then again, as often as time allows. */
export function longPlan(random: Random, minutes: number): Plan {
  const steps: Step[] = [];
  const count = Math.max(FAULT_KINDS.length, Math.floor((minutes * 60_000) / MEAN_STEP_MS));
  const plan = (kind: FaultKind): PlannedFault => ({
    kind,
    durationMs: kind === 'overload' ? LONG_SCALE.overloadMs : 5_000 + random.below(15_000),
    stepMs: stepOf(kind, random),
  });
  let left: FaultKind[] = [];
  while (steps.length < count) {
    if (left.length === 0) left = [...FAULT_KINDS];
    const [kind] = left.splice(random.below(left.length), 1);
    if (kind === undefined) break;
    const beside = random.below(3) === 0 ? random.pick(OUTSIDE) : kind;
    const faults = [...new Set([kind, beside])].map(plan);
    steps.push({ afterMs: 1_000 + random.below(8_000), faults });
  }
  return { scale: LONG_SCALE, nodeFlags: NODE_FLAGS, steps };
}
