import { setTimeout as sleep } from 'node:timers/promises';
import { type Arrival, type Pipeline, taken } from '../../pipeline.ts';
import { type Outcome, TAKEN } from '../session/index.ts';

export interface OrderedIntakeDeps {
  readonly take: Pipeline['take'];
  readonly outcomeOf: (deviceId: string, error: unknown) => Outcome;
  readonly retryMs: number;
  /** Set off when the server stops: what is not stored by then is not settled. */
  readonly stopping: AbortSignal;
}

interface Waiting {
  readonly arrival: Arrival;
  readonly settle: (outcome: Outcome) => void;
}

/**
 * Stores messages of each Device in the order in which they came, and those of different Devices
 * beside each other. A message that cannot be stored for now is tried again before any later one of
 * its Device, for as long as it takes. The caller bounds how many are on their way.
 */
export class OrderedIntake {
  readonly #deps: OrderedIntakeDeps;
  /** Messages by Device that have not been passed on yet; a Device is listed while it is at work. */
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #running = new Set<Promise<void>>();

  constructor(deps: OrderedIntakeDeps) {
    this.#deps = deps;
  }

  add(arrival: Arrival, settle: (outcome: Outcome) => void): void {
    const { deviceId } = arrival.device;
    const waiting = this.#waiting.get(deviceId);
    if (waiting) {
      waiting.push({ arrival, settle });
      return;
    }
    this.#waiting.set(deviceId, [{ arrival, settle }]);
    const run: Promise<void> = this.#run(deviceId).finally(() => this.#running.delete(run));
    this.#running.add(run);
  }

  /** Resolves when everything that was passed on is stored or not. */
  async finished(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #run(deviceId: string): Promise<void> {
    const { stopping, retryMs } = this.#deps;
    let untaken: Waiting[] = [];
    while (!stopping.aborted) {
      const next = [...untaken, ...(this.#waiting.get(deviceId) ?? [])];
      if (next.length === 0) break;
      this.#waiting.set(deviceId, []);
      // Passed on in one turn they are stored in this order, and mostly in one commit.
      const outcomes = await Promise.all(next.map(({ arrival }) => this.#attempt(arrival)));
      untaken = next.filter((_, index) => outcomes[index]?.kind === 'UNTAKEN');
      for (const [index, { settle }] of next.entries()) {
        const outcome = outcomes[index];
        if (outcome && outcome.kind !== 'UNTAKEN') settle(outcome);
      }
      if (untaken.length > 0) {
        await sleep(retryMs, undefined, { signal: stopping }).catch(() => undefined);
      }
    }
    this.#waiting.delete(deviceId);
  }

  async #attempt(arrival: Arrival): Promise<Outcome> {
    try {
      await taken(this.#deps.take, arrival);
      return TAKEN;
    } catch (error) {
      return this.#deps.outcomeOf(arrival.device.deviceId, error);
    }
  }
}
