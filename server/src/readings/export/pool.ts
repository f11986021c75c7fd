import { Worker } from 'node:worker_threads';
import { createConcurrencyLimit, Failure } from '../../runtime/index.ts';
import type { Made, Order } from './messages.ts';
import type { ExportPlan, Undecoded } from './table.ts';

const WORKERS = 2;
/** Each export holds one batch of readings and what was made of it. */
const MAX_CONCURRENT_EXPORTS = 8;
/** Less than all, so that one client that does not read keeps nobody else from theirs. */
const MAX_CONCURRENT_EXPORTS_PER_CREDENTIAL = 4;
const RETRY_AFTER_SECONDS = 10;
/** A batch takes a fraction of a second; others may be before it. */
const ANSWER_LIMIT_MS = 60_000;

/** Threads that decode and write exports, started when they are first needed. */
export class ExportPool {
  readonly #threads: Thread[] = [];
  /** Under way, by credential. */
  readonly #limit = createConcurrencyLimit({
    perKey: MAX_CONCURRENT_EXPORTS_PER_CREDENTIAL,
    inAll: MAX_CONCURRENT_EXPORTS,
  });
  #lastJob = 0;
  #isStopped = false;

  /** The file, a piece at a time. Who stops reading it stops the work. */
  export(plan: ExportPlan, readings: Undecoded, credential: string): AsyncGenerator<Uint8Array> {
    if (this.#isStopped) throw overloaded();
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
    { subjects, batches }: Undecoded,
    credential: string,
  ): AsyncGenerator<Uint8Array> {
    this.#requireRoom(credential);
    this.#lastJob += 1;
    const job = this.#lastJob;
    const thread = this.#leastBusy();
    thread.jobs += 1;
    try {
      yield await thread.ask({ job, kind: 'begin', plan, subjects });
      for await (const { stretches, chunks } of batches) {
        const bytes = await thread.ask({ job, kind: 'add', batch: { stretches, chunks } });
        if (bytes.length > 0) yield bytes;
      }
      yield await thread.ask({ job, kind: 'end' });
    } finally {
      thread.tell({ job, kind: 'drop' });
      thread.jobs -= 1;
      this.#limit.leave(credential);
      await batches.return(undefined);
    }
  }

  #leastBusy(): Thread {
    const alive = this.#threads.filter((thread) => thread.isAlive);
    this.#threads.splice(0, Infinity, ...alive);
    const idlest = alive.toSorted((a, b) => a.jobs - b.jobs)[0];
    if (idlest && (idlest.jobs === 0 || alive.length === WORKERS)) return idlest;
    const thread = new Thread();
    this.#threads.push(thread);
    return thread;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#threads.map((thread) => thread.stop()));
  }
}

function overloaded(): Failure {
  return new Failure('OVERLOADED', 'Too many exports are under way.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

interface Waiting {
  resolve(bytes: Uint8Array): void;
  reject(error: Error): void;
}

class Thread {
  jobs = 0;
  isAlive = true;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();

  constructor() {
    this.#worker = startWorker();
    this.#worker.unref();
    this.#worker.on('message', (made: Made) => this.#take(made));
    this.#worker.on('error', (error: Error) => this.#end(error));
    this.#worker.on('exit', () => this.#end(new Error('The thread of an export ended.')));
  }

  ask(order: Order): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      if (!this.isAlive) {
        reject(new Error('The thread of an export ended.'));
        return;
      }
      const timer = setTimeout(
        () => reject(new Error(`An export was not written within ${ANSWER_LIMIT_MS} ms.`)),
        ANSWER_LIMIT_MS,
      );
      this.#waiting.set(order.job, {
        resolve(bytes) {
          clearTimeout(timer);
          resolve(bytes);
        },
        reject(error) {
          clearTimeout(timer);
          reject(error);
        },
      });
      this.tell(order);
    });
  }

  tell(order: Order): void {
    this.#worker.postMessage(order);
  }

  #take(made: Made): void {
    const waiting = this.#waiting.get(made.job);
    this.#waiting.delete(made.job);
    if (made.failure === undefined) waiting?.resolve(made.bytes);
    else waiting?.reject(new Error(made.failure));
  }

  #end(error: Error): void {
    this.isAlive = false;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** Beside this file. Where that is source, as in tests, the thread reads it through `tsx`. */
function startWorker(): Worker {
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL('./worker.js', import.meta.url));
  const program = new URL('./worker.ts', import.meta.url).href;
  const load = `import('tsx/esm/api').then((tsx) => tsx.tsImport('${program}', '${program}'))`;
  return new Worker(load, { eval: true });
}
