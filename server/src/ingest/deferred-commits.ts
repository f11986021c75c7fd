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
 * Parts wait for nothing but storage: they are judged, and no two have the same Device. A part whose
 * Device has new readings comes first, because the batch of these waits for it. A part that
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
    const waiting = { part, arrived, complete: resolve };
    this.#waiting.push(waiting);
    void part.awaited.then(() => this.#advance(waiting));
    if (!this.#isRunning) void this.#run();
    return promise;
  }

  #advance(waiting: WaitingPart): void {
    const at = this.#waiting.indexOf(waiting);
    if (at > 0) this.#waiting.unshift(...this.#waiting.splice(at, 1));
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
