import { setTimeout as sleep } from 'node:timers/promises';
import type { DeviceMessage } from '../../message.ts';
import { type Pipeline, submitAndWait } from '../../pipeline.ts';
import { type Outcome, STORED } from '../session/index.ts';

export interface OrderedPublishingDeps {
  readonly submit: Pipeline['submit'];
  readonly outcomeOf: (deviceId: string, error: unknown) => Outcome;
  readonly retryMs: number;
  /** Aborted when the server stops: messages that are not stored by then are not completed. */
  readonly stopping: AbortSignal;
}

interface QueuedMessage {
  readonly message: DeviceMessage;
  readonly complete: (outcome: Outcome) => void;
}

/**
 * Stores the messages of each Device in their order, and those of different Devices concurrently. A
 * message that cannot be stored for now is retried before later ones of its Device, without a time
 * limit. The caller bounds the number of messages.
 */
export class OrderedPublishing {
  readonly #deps: OrderedPublishingDeps;
  /** Messages by Device that are not submitted yet; a Device has an entry while it is processed. */
  readonly #queued = new Map<string, QueuedMessage[]>();
  readonly #running = new Set<Promise<void>>();

  constructor(deps: OrderedPublishingDeps) {
    this.#deps = deps;
  }

  add(message: DeviceMessage, complete: (outcome: Outcome) => void): void {
    const { deviceId } = message.device;
    const queued = this.#queued.get(deviceId);
    if (queued) {
      queued.push({ message, complete });
      return;
    }
    this.#queued.set(deviceId, [{ message, complete }]);
    const run: Promise<void> = this.#run(deviceId).finally(() => this.#running.delete(run));
    this.#running.add(run);
  }

  /** Resolves when all submitted messages are stored or failed. */
  async finished(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #run(deviceId: string): Promise<void> {
    const { stopping, retryMs } = this.#deps;
    let unstored: QueuedMessage[] = [];
    while (!stopping.aborted) {
      const next = [...unstored, ...(this.#queued.get(deviceId) ?? [])];
      if (next.length === 0) break;
      this.#queued.set(deviceId, []);
      // Submitted in one turn, they are stored in this order and mostly in one commit.
      const outcomes = await Promise.all(next.map(({ message }) => this.#attempt(message)));
      unstored = next.filter((_, index) => outcomes[index]?.kind === 'NOT_STORED');
      for (const [index, { complete }] of next.entries()) {
        const outcome = outcomes[index];
        if (outcome && outcome.kind !== 'NOT_STORED') complete(outcome);
      }
      if (unstored.length > 0) {
        await sleep(retryMs, undefined, { signal: stopping }).catch(() => undefined);
      }
    }
    this.#queued.delete(deviceId);
  }

  async #attempt(message: DeviceMessage): Promise<Outcome> {
    try {
      await submitAndWait(this.#deps.submit, message);
      return STORED;
    } catch (error) {
      return this.#deps.outcomeOf(message.device.deviceId, error);
    }
  }
}
