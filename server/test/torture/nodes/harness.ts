import { complain, type Harness } from '../harness.ts';
import type { Timeline } from '../timeline.ts';
import type { Cluster } from './cluster.ts';
import type { Limits } from './plan.ts';

/** A run with several nodes. */
export interface NodesHarness extends Harness {
  readonly cluster: Cluster;
  readonly limits: Limits;
  /** The faults so far; the last one may be under way. */
  readonly faults: { readonly from: number; to: number }[];
  /** How long things took, in milliseconds, by their name. */
  readonly times: Map<string, number[]>;
}

/** A Device whose alarms are judged, and what was done to the node that acts for it. */
export interface JudgedDevice {
  readonly deviceId: string;
  readonly timeline: Timeline;
}

/** Records how long something took; a limit that is exceeded is a complaint. */
export function measured(
  harness: NodesHarness,
  name: string,
  ms: number,
  limitMs = Number.POSITIVE_INFINITY,
): void {
  const times = harness.times.get(name) ?? [];
  times.push(ms);
  harness.times.set(name, times);
  if (ms > limitMs) complain(harness, `${name}: took more than ${limitMs / 1_000} s`);
}
