import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** Limits of the work done in one turn of the event loop, so that requests do not wait for it. */
const MAX_ITEMS_PER_TURN = 4_096;
const MAX_STEPS_PER_TURN = 512;
/** Milliseconds of sleep for each millisecond of work at urgency 0: most of the CPU stays free. */
const SLEEP_PER_WORK = 5;
/** Bounds one sleep, since a turn may have waited for storage, which is no work. */
const MAX_SLEEP_MS = 25;
/** A sleep that ends this late shows that other work needs the CPU, so the sleep is repeated. */
const LATE_MS = 8;
const MAX_SLEEPS = 3;

/** The urgency of the work: from 0, when nothing waits for it, to 1, when something does. */
export type Urgency = () => number;

/** Shares the event loop: interrupts long work, and sleeps in between unless the work is urgent. */
export class Yielder {
  readonly #urgency: Urgency;
  #items = 0;
  #steps = 0;
  #workingSince = performance.now();

  constructor(urgency: Urgency = () => 0) {
    this.#urgency = urgency;
  }

  /** Is called after each step of work on a number of items; pauses once a turn is used up. */
  async step(items: number): Promise<void> {
    this.#items += items;
    this.#steps += 1;
    if (this.#items < MAX_ITEMS_PER_TURN && this.#steps < MAX_STEPS_PER_TURN) return;
    this.#items = 0;
    this.#steps = 0;
    await this.pause();
  }

  /** Runs a generator to its end with a pause at each of its yields. */
  async run<T>(work: Generator<undefined, T>): Promise<T> {
    for (;;) {
      const { done, value } = work.next();
      if (done) return value;
      await this.pause();
    }
  }

  /** Lets other work run, for a time that follows from the length of the work before. */
  async pause(): Promise<void> {
    const workedMs = performance.now() - this.#workingSince;
    const sleepMs = Math.min(SLEEP_PER_WORK * workedMs, MAX_SLEEP_MS);
    for (let sleeps = 1; sleeps <= MAX_SLEEPS; sleeps += 1) {
      const urgency = this.#urgency();
      if (urgency >= 1) await nextTurn();
      if (urgency >= 1 || (await sleepAndMeasure(sleepMs * (1 - urgency))) < LATE_MS) break;
    }
    this.#workingSince = performance.now();
  }
}

/** Sleeps, and returns by how many milliseconds the sleep was exceeded. */
async function sleepAndMeasure(sleepMs: number): Promise<number> {
  const startedAt = performance.now();
  await sleep(sleepMs);
  return performance.now() - startedAt - sleepMs;
}
