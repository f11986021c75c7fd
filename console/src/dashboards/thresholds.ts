import {
  type AlarmOperator,
  SEVERITIES,
  type Severity,
  type WidgetThreshold,
} from '@fieldwatch/contract';

const HOLDS: Readonly<Record<AlarmOperator, (value: number, limit: number) => boolean>> = {
  LESS_THAN: (value, limit) => value < limit,
  LESS_THAN_OR_EQUAL: (value, limit) => value <= limit,
  GREATER_THAN: (value, limit) => value > limit,
  GREATER_THAN_OR_EQUAL: (value, limit) => value >= limit,
  EQUAL: (value, limit) => value === limit,
  NOT_EQUAL: (value, limit) => value !== limit,
};

/** The worst severity whose condition holds; null when none does. */
export function severityOf(value: number, thresholds: readonly WidgetThreshold[]): Severity | null {
  const held = thresholds
    .filter(({ operator, value: limit }) => HOLDS[operator](value, limit))
    .map(({ severity }) => SEVERITIES.indexOf(severity));
  return held.length === 0 ? null : (SEVERITIES[Math.max(...held)] ?? null);
}

/** A part of a scale in one severity, as shares of its length. */
export interface Band {
  readonly from: number;
  readonly to: number;
  readonly severity: Severity;
}

/** The parts of a scale in which a severity holds. */
export function bandsOf(
  thresholds: readonly WidgetThreshold[],
  min: number,
  max: number,
): readonly Band[] {
  if (max <= min) return [];
  const limits = thresholds.map(({ value }) => value).filter((value) => value > min && value < max);
  const edges = [...new Set([min, ...limits, max])].sort((a, b) => a - b);
  const share = (value: number) => (value - min) / (max - min);
  return edges.slice(1).flatMap((end, index) => {
    const start = edges[index] ?? min;
    // A condition does not change within a part.
    const severity = severityOf((start + end) / 2, thresholds);
    return severity === null ? [] : [{ from: share(start), to: share(end), severity }];
  });
}
