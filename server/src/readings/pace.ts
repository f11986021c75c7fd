import { setImmediate as nextTurn } from 'node:timers/promises';

/** Between two turns of the event loop: commits must not wait for other work. */
const READINGS_A_TURN = 16_384;
const VARIABLES_A_TURN = 1_024;

/** Lets other work go on now and then. */
export class Pace {
  #readings = 0;
  #variables = 0;

  /** After the work on a Variable, or a part of it, with so many readings. */
  async step(readings: number): Promise<void> {
    this.#readings += readings;
    this.#variables += 1;
    if (this.#readings < READINGS_A_TURN && this.#variables < VARIABLES_A_TURN) return;
    this.#readings = 0;
    this.#variables = 0;
    await nextTurn();
  }
}

/** Does work in steps, and lets other work go on between them. */
export async function inTurns<T>(steps: Generator<undefined, T>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await nextTurn();
  }
}
