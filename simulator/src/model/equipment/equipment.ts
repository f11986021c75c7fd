import type { Outage } from '../cycles.ts';
import type { LoadCurve } from '../load-curve.ts';
import type { Site } from '../site.ts';
import type { AlarmSpec, AssetSpec, Value, VariableSpec } from '../spec.ts';
import type { Timeline } from '../timeline.ts';

export type Values = Record<string, Value>;

/** A site with what happens there. */
export interface Plant {
  readonly site: Site;
  readonly timeline: Timeline;
  /** One for each feeder. */
  readonly curves: readonly LoadCurve[];
  /** On top of those that happen by chance. */
  readonly chargerFailures: readonly Outage[];
}

/** A piece of equipment that reports. */
export interface Equipment {
  readonly label: string;
  readonly variables: readonly VariableSpec[];
  /** How many intervals of the fleet lie between two reports. */
  readonly everyIntervals: number;
  /** Reports at once when something switches, and not only when it is its turn. */
  readonly tellsChanges: boolean;
  readonly assets: readonly AssetSpec[];
  readonly alarms: readonly AlarmSpec[];
  /** Null while it is out of order. */
  readonly valuesAt: (at: number) => Values | null;
}

export function deviceName(site: Site, label: string): string {
  return `${site.name}: ${label}`;
}
