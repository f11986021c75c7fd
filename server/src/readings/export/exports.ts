import { createConcurrencyLimit, Failure, moduleBeside } from '../../runtime/index.ts';
import type { Undecoded } from '../query/index.ts';
import type { WorkerPool } from '../workers/index.ts';
import type { ExportPlan } from './table.ts';

/** Each export holds one batch of readings and what was made of it. */
const MAX_CONCURRENT_EXPORTS = 8;
/** Less than all, so that one client that does not read keeps nobody else from theirs. */
const MAX_CONCURRENT_EXPORTS_PER_CREDENTIAL = 4;
const RETRY_AFTER_SECONDS = 10;
const CONSUMER = moduleBeside(import.meta.url, 'consumer');

/** Files of history, written in worker threads; not too many at once. */
export class Exports {
  readonly #workers: WorkerPool;
  /** Under way, by credential. */
  readonly #limit = createConcurrencyLimit({
    perKey: MAX_CONCURRENT_EXPORTS_PER_CREDENTIAL,
    inAll: MAX_CONCURRENT_EXPORTS,
  });

  constructor(workers: WorkerPool) {
    this.#workers = workers;
  }

  /** The file, a piece at a time. Who stops reading it stops the work. */
  export(plan: ExportPlan, readings: Undecoded, credential: string): AsyncGenerator<Uint8Array> {
    this.#workers.requireRunning();
    // Counted when the first piece is wanted: of an export that nobody reads, nothing is given back.
    this.#requireRoom(credential);
    this.#limit.leave(credential);
    return this.#pieces(plan, readings, credential);
  }

  #requireRoom(credential: string): void {
    const outcome = this.#limit.enter(credential);
    if (outcome === 'over total limit') throw overloaded();
    if (outcome === 'entered') return;
    const detail = `At most ${MAX_CONCURRENT_EXPORTS_PER_CREDENTIAL} exports at a time for one credential.`;
    throw new Failure('TOO_MANY_REQUESTS', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  async *#pieces(
    plan: ExportPlan,
    readings: Undecoded,
    credential: string,
  ): AsyncGenerator<Uint8Array> {
    this.#requireRoom(credential);
    try {
      const pieces = this.#workers.run<Uint8Array>({ module: CONSUMER, plan }, readings);
      for await (const bytes of pieces) if (bytes.length > 0) yield bytes;
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
