import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../../runtime/index.ts';
import type { DeviceMessage, Submit } from '../../message.ts';
import { submitAndWait } from '../../pipeline.ts';
import { NOT_STORED, type Outcome, refused, STORED } from '../session/index.ts';

export interface OrderedPublishingDeps {
  readonly submit: Submit;
  readonly outcomeOf: (deviceId: string, error: unknown) => Outcome;
  /** Keeps a message that can never be stored. Resolves when it is durable. */
  readonly keepDeadLetter: (message: QueuedMessage, reason: string) => Promise<void>;
  /** Rejects while storage takes no writes: then no message is to blame for its failure. */
  readonly checkWrites: () => Promise<void>;
  readonly retryMs: number;
  /** Aborted when the server stops: messages that are not stored by then are not completed. */
  readonly stopping: AbortSignal;
}

export interface QueuedMessage {
  readonly message: DeviceMessage;
  readonly topic: string;
  readonly payload: Uint8Array;
  readonly complete: (outcome: Outcome) => void;
}

interface Attempt {
  readonly outcome: Outcome;
  /** It failed for a reason of its own, while others can be stored. */
  readonly isAtFault?: boolean;
}

/** The time between attempts of whatever the broker or storage does not do at once. */
export const RETRY_MS = 1_000;
/** How often a message fails for a reason of its own before it is a dead letter. */
const MAX_ATTEMPTS = 6;
const MAX_RETRY_MS = 60_000;
/** The log has the cause, which is internal. */
const UNSTORABLE =
  'The message could not be stored, though others could. The log of the server has the cause.';

/**
 * Stores the messages of each Device in their order, and those of different Devices concurrently.
 *
 * A message that cannot be stored for now is retried before later ones of its Device, without a time
 * limit while storage is unavailable. One that fails for a reason of its own is retried alone, with
 * backoff, and becomes a dead letter after some attempts. Later messages that were submitted with it
 * are submitted again after it: the same reading twice is one, and so the last value stays the last.
 * The caller bounds the number of messages.
 */
export class OrderedPublishing {
  readonly #deps: OrderedPublishingDeps;
  /** Messages by Device that are not submitted yet; a Device has an entry while it is processed. */
  readonly #queued = new Map<string, QueuedMessage[]>();
  readonly #running = new Set<Promise<void>>();

  constructor(deps: OrderedPublishingDeps) {
    this.#deps = deps;
  }

  add(added: QueuedMessage): void {
    const { deviceId } = added.message.device;
    const queued = this.#queued.get(deviceId);
    if (queued) {
      queued.push(added);
      return;
    }
    this.#queued.set(deviceId, [added]);
    const run: Promise<void> = this.#run(deviceId).finally(() => this.#running.delete(run));
    this.#running.add(run);
  }

  /** Resolves when all submitted messages are stored or failed. */
  async finished(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #run(deviceId: string): Promise<void> {
    const { stopping } = this.#deps;
    let unstored: QueuedMessage[] = [];
    let failures = 0;
    while (!stopping.aborted) {
      const next = [...unstored, ...(this.#queued.get(deviceId) ?? [])];
      if (next.length === 0) break;
      this.#queued.set(deviceId, []);
      // Submitted in one turn, they are stored in this order and mostly in one commit.
      const submitted = failures === 0 ? next : next.slice(0, 1);
      const attempts = await Promise.all(submitted.map((each) => this.#attempt(each)));
      const failed = attempts.findIndex(({ outcome }) => outcome.kind === 'NOT_STORED');
      const done = failed < 0 ? submitted.length : failed;
      for (const [index, { complete }] of next.slice(0, done).entries()) {
        complete(attempts[index]?.outcome ?? NOT_STORED);
      }
      if (done > 0) failures = 0;
      unstored = next.slice(done);
      const [first] = unstored;
      if (failed < 0 || !first) continue;
      const isAtFault = attempts[failed]?.isAtFault ?? false;
      if (isAtFault) failures += 1;
      if (
        isAtFault &&
        failures >= MAX_ATTEMPTS &&
        (await this.#storeDeadLetter(first, UNSTORABLE))
      ) {
        first.complete(refused(UNSTORABLE));
        unstored.shift();
        failures = 0;
      } else await this.#wait(failures);
    }
    this.#queued.delete(deviceId);
  }

  async #wait(failures: number): Promise<void> {
    const { retryMs, stopping } = this.#deps;
    const delayMs = Math.min(retryMs * 2 ** Math.max(0, failures - 1), MAX_RETRY_MS);
    await sleep(delayMs, undefined, { signal: stopping }).catch(() => undefined);
  }

  async #attempt(queued: QueuedMessage): Promise<Attempt> {
    const { submit, outcomeOf } = this.#deps;
    try {
      await submitAndWait(submit, queued.message);
      return { outcome: STORED };
    } catch (error) {
      const outcome = outcomeOf(queued.message.device.deviceId, error);
      if (outcome.kind === 'NOT_STORED') {
        return { outcome, isAtFault: !(error instanceof Failure) };
      }
      const isMalformed = error instanceof Failure && error.code === 'INVALID_REQUEST';
      if (!isMalformed || (await this.#storeDeadLetter(queued, error.message))) return { outcome };
      return { outcome: NOT_STORED };
    }
  }

  /** Stores the message as a dead letter. False while storage is unavailable. */
  async #storeDeadLetter(queued: QueuedMessage, reason: string): Promise<boolean> {
    try {
      await this.#deps.checkWrites();
      await this.#deps.keepDeadLetter(queued, reason);
      return true;
    } catch {
      return false;
    }
  }
}
