import { type Clock, ClockSteps, MIN_STEP_MS } from '../../runtime/index.ts';
import type { BatchArrival } from './variable-watches.ts';

export interface ArrivalClockDeps {
  readonly clock: Clock;
  /** Called when the clock was set: also by one that is set right before the ticker notices. */
  readonly onStep: () => void;
}

/** States when batches arrived by the clock as it is now. */
export class ArrivalClock {
  readonly #deps: ArrivalClockDeps;
  readonly #steps: ClockSteps;

  constructor(deps: ArrivalClockDeps) {
    this.#deps = deps;
    this.#steps = new ClockSteps(deps.clock);
  }

  /** Whether the clock was set since the last call of this or of `aligned`. */
  wasSet(): boolean {
    const wasSet = this.#steps.read().stepMs !== 0;
    if (wasSet) this.#deps.onStep();
    return wasSet;
  }

  /** When the clock was set since the arrival, that moves with it. */
  aligned(arrival: BatchArrival): BatchArrival {
    this.wasSet();
    const { clock } = this.#deps;
    const now = clock.now();
    const moved = now - Math.round(clock.elapsed() - arrival.elapsed);
    const isSet = Math.abs(moved - arrival.at) >= MIN_STEP_MS;
    return { ...arrival, at: Math.min(isSet ? moved : arrival.at, now) };
  }
}
