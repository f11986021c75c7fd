import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

/** In one turn of the event loop: commits must not wait for other work. */
const READINGS_A_TURN = 4_096;
const VARIABLES_A_TURN = 512;
/** For each millisecond of work while nothing presses: most of the time belongs to commits. */
const REST_MS = 5;
/** A turn may have waited for storage, which is no work. */
const MOST_REST_MS = 25;

/** Lets other work go on now and then, and leaves it most of the time unless there is a hurry. */
export class Pace {
  readonly #isHurried: () => boolean;
  #readings = 0;
  #variables = 0;
  #since = performance.now();

  constructor(isHurried: () => boolean = () => false) {
    this.#isHurried = isHurried;
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
    const workedMs = performance.now() - this.#since;
    if (this.#isHurried()) await nextTurn();
    else await pause(Math.min(REST_MS * workedMs, MOST_REST_MS));
    this.#since = performance.now();
  }
}
