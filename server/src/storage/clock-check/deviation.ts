/** A clock that is further behind than this is wrong, or was. */
const MAX_BEHIND_MS = 60_000;
/** A clock further ahead than this is wrong, or no server ran for as long. */
const MAX_AHEAD_MS = 86_400_000;
/** How long a step is reported. */
const STEP_SHOWN_MS = 86_400_000;

export interface ClockStep {
  readonly steppedAt: number;
  readonly stepMs: number;
}

/** How far the clock is from a reference; null while that is within what may be. */
export function deviationOf(now: number, reference: number): number | null {
  const difference = now - reference;
  return difference < -MAX_BEHIND_MS || difference > MAX_AHEAD_MS ? difference : null;
}

/**
 * How far the clock is ahead of a reference that was read at some time between two: 0 when it may be
 * equal, so that a slow answer counts as no deviation.
 */
export function certainDeviation(reference: number, before: number, after: number): number {
  if (reference < before) return before - reference;
  return reference > after ? after - reference : 0;
}

/** The step that the clock made since its time was last recorded, or an earlier one. */
export function stepOf(now: number, recordedAt: number, earlier: ClockStep | null) {
  const stepMs = deviationOf(now, recordedAt);
  return stepMs === null ? earlier : { steppedAt: now, stepMs };
}

export function isShown({ steppedAt }: ClockStep, now: number): boolean {
  return Math.abs(now - steppedAt) < STEP_SHOWN_MS;
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** A duration in its largest unit, rounded. */
export function spanText(durationMs: number): string {
  for (const [unit, unitMs] of UNITS) {
    const count = Math.round(durationMs / unitMs);
    if (durationMs >= unitMs) return `${count} ${unit}${count === 1 ? '' : 's'}`;
  }
  return `${Math.round(durationMs / 1_000)} seconds`;
}
