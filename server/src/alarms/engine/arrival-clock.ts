import { type Clock, ClockSteps, MIN_STEP_MS } from '../../runtime/index.ts';
import type { BatchArrival } from './variable-watches.ts';

export interface ArrivalClockDeps {
  readonly clock: Clock;
  /** Called when the clock was set: also by a setting that a judgement finds before the ticker does. */
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

  /** When the clock was set since the arrival, that moves with it. */
  aligned(arrival: BatchArrival): BatchArrival {
    if (this.#steps.read().stepMs !== 0) this.#deps.onStep();
    const at = this.isAligned(arrival) ? arrival.at : this.#moved(arrival);
    return { ...arrival, at: Math.min(at, this.#deps.clock.now()) };
  }

  /** Whether it is stated by the clock as it is now, whoever else noticed that the clock was set. */
  isAligned(arrival: BatchArrival): boolean {
    return Math.abs(this.#moved(arrival) - arrival.at) < MIN_STEP_MS;
  }

  #moved({ elapsed }: BatchArrival): number {
    const { clock } = this.#deps;
    return clock.now() - Math.round(clock.elapsed() - elapsed);
  }
}
