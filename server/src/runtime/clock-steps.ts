import type { Clock } from './clock.ts';

/** A smaller difference is no step: clocks are adjusted by slewing all the time. */
export const MIN_STEP_MS = 1_000;

/** A moment by the clock and by the monotonic one. */
export interface Moment {
  readonly now: number;
  readonly elapsed: number;
}

export function momentOf(clock: Clock): Moment {
  return { now: clock.now(), elapsed: clock.elapsed() };
}

export interface ClockMoment extends Moment {
  /** By how many milliseconds the clock was set; nearly always 0. */
  readonly stepMs: number;
}

/** Detects steps of the clock: somebody set it, or the machine was suspended. */
export class ClockSteps {
  readonly #clock: Clock;
  #now: number;
  #elapsed: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#now = clock.now();
    this.#elapsed = clock.elapsed();
  }

  /** One moment by both clocks, and whether the clock was set since the last call. */
  read(): ClockMoment {
    const now = this.#clock.now();
    const elapsed = this.#clock.elapsed();
    const stepMs = Math.round(now - this.#now - (elapsed - this.#elapsed));
    this.#now = now;
    this.#elapsed = elapsed;
    return { now, elapsed, stepMs: Math.abs(stepMs) < MIN_STEP_MS ? 0 : stepMs };
  }
}
