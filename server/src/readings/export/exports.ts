import { createConcurrencyLimit, Failure, moduleBeside } from '../../runtime/index.ts';
import type { EncodedHistory } from '../query/index.ts';
import type { WorkerPool } from '../workers/index.ts';
import type { ExportPlan } from './table.ts';

/** Each export holds one batch of readings and its output in memory. */
const MAX_CONCURRENT_EXPORTS = 8;
/** Less than the total, so that a client that does not read does not block others. */
const MAX_CONCURRENT_EXPORTS_PER_CREDENTIAL = 4;
const RETRY_AFTER_SECONDS = 10;
const CONSUMER = moduleBeside(import.meta.url, 'consumer');

/** Writes files of history in worker threads, with a limit on concurrent exports. */
export class Exports {
  readonly #workers: WorkerPool;
  /** Exports in progress, by credential. */
  readonly #limit = createConcurrencyLimit({
    perKey: MAX_CONCURRENT_EXPORTS_PER_CREDENTIAL,
    inAll: MAX_CONCURRENT_EXPORTS,
  });

  constructor(workers: WorkerPool) {
    this.#workers = workers;
  }

  /** Streams the file. Returning the generator ends the work. */
  export(
    plan: ExportPlan,
    readings: EncodedHistory,
    credential: string,
  ): AsyncGenerator<Uint8Array> {
    this.#workers.requireRunning();
    // Counted from the first read on: a generator that is never read would never be released.
    this.#requireRoom(credential);
    this.#limit.leave(credential);
    return this.#bytes(plan, readings, credential);
  }

  #requireRoom(credential: string): void {
    const outcome = this.#limit.enter(credential);
    if (outcome === 'over total limit') throw overloaded();
    if (outcome === 'entered') return;
    const detail = `At most ${MAX_CONCURRENT_EXPORTS_PER_CREDENTIAL} exports at a time for one credential.`;
    throw new Failure('TOO_MANY_REQUESTS', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  async *#bytes(
    plan: ExportPlan,
    readings: EncodedHistory,
    credential: string,
  ): AsyncGenerator<Uint8Array> {
    this.#requireRoom(credential);
    try {
      const parts = this.#workers.run<Uint8Array>({ module: CONSUMER, plan }, readings);
      for await (const bytes of parts) if (bytes.length > 0) yield bytes;
    } finally {
      this.#limit.leave(credential);
    }
  }
}

function overloaded(): Failure {
  return new Failure('OVERLOADED', 'Too many exports are under way.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
