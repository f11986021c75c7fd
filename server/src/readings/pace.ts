import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

/** In one turn of the event loop: commits must not wait for other work. */
const READINGS_A_TURN = 4_096;
const VARIABLES_A_TURN = 512;
/** For each millisecond of work while nothing presses: most of the time belongs to commits. */
const REST_MS = 5;
/** A turn may have waited for storage, which is no work. */
const MOST_REST_MS = 25;
/** A rest that ends so late was needed by others, who are not done yet: it is taken again. */
const LATE_MS = 8;
const MOST_RESTS = 3;

/** How much of a hurry there is: from 0, for none, to 1 when somebody waits. */
export type Hurry = () => number;

/** Lets other work go on now and then, and leaves it most of the time unless there is a hurry. */
export class Pace {
  readonly #hurry: Hurry;
  #readings = 0;
  #variables = 0;
  #since = performance.now();

  constructor(hurry: Hurry = () => 0) {
    this.#hurry = hurry;
  }

  /** After the work on a Variable, or a part of it, with so many readings. */
  async step(readings: number): Promise<void> {
    this.#readings += readings;
    this.#variables += 1;
    if (this.#readings < READINGS_A_TURN && this.#variables < VARIABLES_A_TURN) return;
    this.#readings = 0;
    this.#variables = 0;
    await this.turn();
  }

  /** Does work in the steps that it comes in. */
  async through<T>(steps: Generator<undefined, T>): Promise<T> {
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      await this.turn();
    }
  }

  /** After work of any length. */
  async turn(): Promise<void> {
    const wantedMs = Math.min(REST_MS * (performance.now() - this.#since), MOST_REST_MS);
    for (let rests = 1; rests <= MOST_RESTS; rests += 1) {
      const hurry = this.#hurry();
      if (hurry >= 1) await nextTurn();
      if (hurry >= 1 || (await lateness(wantedMs * (1 - hurry))) < LATE_MS) break;
    }
    this.#since = performance.now();
  }
}

/** Pauses, and answers how much longer that took. */
async function lateness(restMs: number): Promise<number> {
  const began = performance.now();
  await pause(restMs);
  return performance.now() - began - restMs;
}
