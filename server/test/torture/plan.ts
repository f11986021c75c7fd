import type { Random } from '../support/random.ts';

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
  /** Quiet before it. */
  readonly afterMs: number;
  readonly durationMs: number;
  /** How far the clock is set, where it is. */
  readonly stepMs: number;
}

/** How much of everything there is. */
export interface Scale {
  /** Of each scenario of alarms. */
  readonly alarmStations: number;
  readonly burstAlarms: number;
  readonly overloadMs: number;
  readonly messageEveryMs: number;
}

export interface Plan {
  readonly scale: Scale;
  readonly faults: readonly PlannedFault[];
}

const CUT_SCALE: Scale = {
  ...{ alarmStations: 1, burstAlarms: 60, overloadMs: 3_000, messageEveryMs: 50 },
};
const LONG_SCALE: Scale = {
  ...{ alarmStations: 3, burstAlarms: 250, overloadMs: 15_000, messageEveryMs: 20 },
};

/** What a fault with its quiet and its recovery takes, roughly. */
const MEAN_FAULT_MS = 22_000;

/**
 * One of every kind, quickly. Outages come first: what waits for half a minute after the last of
 * them does so while the others go on.
 */
export function cutPlan(): Plan {
  const quick = (kind: FaultKind, durationMs = 2_500, stepMs = 0) => ({
    ...{ kind, durationMs, stepMs, afterMs: 700 },
  });
  return {
    scale: CUT_SCALE,
    faults: [
      quick('slow receivers', 4_000),
      quick('kill server', 500),
      quick('halt storage'),
      quick('kill storage', 0),
      quick('storage unreachable'),
      quick('halt server'),
      quick('storage read-only'),
      quick('disk full', 3_500),
      quick('kill both', 500),
      quick('alarm burst', 0),
      quick('cut sockets'),
      quick('clock forward', 2_000, 60_000),
      quick('half-open clients'),
      quick('clock back', 2_000, -30_000),
      quick('slow clients'),
      quick('overload', CUT_SCALE.overloadMs),
      quick('silent network', 3_000),
      quick('alarm burst', 0),
    ],
  };
}

const FORWARD_MS = [15_000, 120_000, 3_600_000];
const BACK_MS = [-10_000, -60_000, -300_000];

function stepOf(kind: FaultKind, random: Random): number {
  if (kind === 'clock forward') return random.pick(FORWARD_MS);
  return kind === 'clock back' ? random.pick(BACK_MS) : 0;
}

/** Rounds of every kind in another order each, as many faults as fit into the time. */
export function longPlan(random: Random, minutes: number): Plan {
  const faults: PlannedFault[] = [];
  const count = Math.max(FAULT_KINDS.length, Math.floor((minutes * 60_000) / MEAN_FAULT_MS));
  while (faults.length < count) {
    const left = [...FAULT_KINDS];
    while (left.length > 0 && faults.length < count) {
      const [kind] = left.splice(random.below(left.length), 1);
      if (kind === undefined) break;
      const isOverload = kind === 'overload';
      faults.push({
        kind,
        afterMs: 1_000 + random.below(8_000),
        durationMs: isOverload ? LONG_SCALE.overloadMs : 5_000 + random.below(15_000),
        stepMs: stepOf(kind, random),
      });
    }
  }
  return { scale: LONG_SCALE, faults };
}
