import type { Worker } from 'node:worker_threads';
import {
  createDeferred,
  type Deferred,
  moduleBeside,
  shuttingDown,
  startThread,
  withTimeout,
} from '../../runtime/index.ts';
import type { EncodedHistory } from '../query/index.ts';
import type { ConsumerRef } from './consumer.ts';
import type { Answer, Order } from './messages.ts';

const MAX_THREADS = 2;
/** A batch takes a fraction of a second; batches of other jobs may be queued before it. */
const ANSWER_LIMIT_MS = 60_000;

/**
 * Worker threads that decode history and pass it to a consumer, started when they are first needed.
 * Each job has one batch in flight, so that its memory is bounded whatever the length of the history.
 */
export class WorkerPool {
  readonly #threads: Thread[] = [];
  #lastJob = 0;
  #isStopped = false;

  /** Refuses a job that would begin after the stop. */
  requireRunning(): void {
    if (this.#isStopped) throw shuttingDown();
  }

  /** What the consumer returns for each step. The job ends when the caller returns the generator. */
  async *run<Result>(
    consumer: ConsumerRef,
    { series, batches }: EncodedHistory,
  ): AsyncGenerator<Result> {
    this.requireRunning();
    this.#lastJob += 1;
    const job = this.#lastJob;
    const thread = this.#leastBusy();
    const ask = async (order: Order) => (await thread.ask(order)) as Result;
    thread.jobs += 1;
    try {
      yield await ask({ job, kind: 'begin', consumer, series });
      for await (const { slices, chunks } of batches) {
        yield await ask({ job, kind: 'add', batch: { slices, chunks } });
      }
      yield await ask({ job, kind: 'end' });
    } finally {
      thread.send({ job, kind: 'drop' });
      thread.jobs -= 1;
      await batches.return(undefined);
    }
  }

  #leastBusy(): Thread {
    const alive = this.#threads.filter((thread) => thread.isAlive);
    this.#threads.splice(0, Infinity, ...alive);
    const idlest = alive.toSorted((a, b) => a.jobs - b.jobs)[0];
    if (idlest && (idlest.jobs === 0 || alive.length === MAX_THREADS)) return idlest;
    const thread = new Thread();
    this.#threads.push(thread);
    return thread;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#threads.map((thread) => thread.stop()));
  }
}

class Thread {
  jobs = 0;
  isAlive = true;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Deferred<unknown>>();

  constructor() {
    this.#worker = startThread(moduleBeside(import.meta.url, 'worker'));
    this.#worker.on('message', (answer: Answer) => this.#take(answer));
    this.#worker.on('error', (error: Error) => this.#end(error));
    this.#worker.on('exit', () => this.#end(new Error('The worker thread ended.')));
  }

  async ask(order: Order): Promise<unknown> {
    if (!this.isAlive) throw new Error('The worker thread ended.');
    const answer = createDeferred<unknown>();
    this.#waiting.set(order.job, answer);
    this.send(order);
    return await withTimeout(ANSWER_LIMIT_MS, answer.promise, (limitMs) => {
      return new Error(`The worker thread did not answer within ${limitMs} ms.`);
    });
  }

  send(order: Order): void {
    this.#worker.postMessage(order);
  }

  #take(answer: Answer): void {
    const waiting = this.#waiting.get(answer.job);
    this.#waiting.delete(answer.job);
    if (answer.failure === undefined) waiting?.resolve(answer.result);
    else waiting?.reject(new Error(answer.failure));
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
