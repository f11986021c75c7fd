import type { Outage } from '../cycles.ts';
import type { LoadCurve } from '../load-curve.ts';
import type { Site } from '../site.ts';
import type { AlarmSpec, AssetSpec, Value, VariableSpec } from '../spec.ts';
import type { Timeline } from '../timeline.ts';

export type Values = Record<string, Value>;

/** A site with its timeline. */
export interface Plant {
  readonly site: Site;
  readonly timeline: Timeline;
  /** One for each feeder. */
  readonly curves: readonly LoadCurve[];
  /** Charger failures besides the random ones. */
  readonly chargerFailures: readonly Outage[];
}

/** A piece of equipment that reports. */
export interface Equipment {
  readonly label: string;
  readonly variables: readonly VariableSpec[];
  /** The number of intervals of the fleet between two reports. */
  readonly everyIntervals: number;
  /** Whether it also reports at once when something switches. */
  readonly reportsChanges: boolean;
  readonly assets: readonly AssetSpec[];
  readonly alarms: readonly AlarmSpec[];
  /** Null while it is out of order. */
  readonly valuesAt: (at: number) => Values | null;
}

export function deviceName(site: Site, label: string): string {
  return `${site.name}: ${label}`;
}
