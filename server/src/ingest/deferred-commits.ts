import { createDeferred, type Moment } from '../runtime/index.ts';
import { type BatchPart, type BatchSteps, commitPart, commitWhole } from './commit-batch.ts';

/** A part that waits for its turn. */
interface WaitingPart {
  readonly part: BatchPart;
  readonly arrived: Moment;
  readonly complete: () => void;
}

/**
 * Commits parts of batches in which many alarms change, one after the other, beside the batches of
 * all other Devices.
 *
 * Parts wait for nothing but storage: they are judged, and no two have the same Device. A part that
 * fails is judged and committed again outside of this queue, because judging may wait for a Device
 * whose part is in the queue.
 */
export class DeferredCommits {
  readonly #steps: BatchSteps;
  readonly #waiting: WaitingPart[] = [];
  #isRunning = false;

  constructor(steps: BatchSteps) {
    this.#steps = steps;
  }

  /** Resolves when the messages of the part are completed. */
  add(part: BatchPart, arrived: Moment): Promise<void> {
    const { promise, resolve } = createDeferred<void>();
    this.#waiting.push({ part, arrived, complete: resolve });
    if (!this.#isRunning) void this.#run();
    return promise;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      const { part, arrived, complete } = next;
      try {
        await commitPart(this.#steps, part);
        complete();
      } catch {
        void commitWhole(this.#steps, part.items, arrived).then(complete);
      }
    }
    this.#isRunning = false;
  }
}
