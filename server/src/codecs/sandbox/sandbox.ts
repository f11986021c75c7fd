import type { CodecResult } from '@fieldwatch/contract';
import { createDeferred, type Deferred, Failure, shuttingDown } from '../../runtime/index.ts';
import type { CodecAnswer, CodecCall, CodecInput } from './messages.ts';
import { resultOf } from './output.ts';
import { Thread } from './thread.ts';

const MAX_THREADS = 2;
const MAX_WAITING_PER_KEY = 500;

interface Job {
  readonly call: CodecCall;
  readonly answer: Deferred<CodecAnswer>;
}

/**
 * Runs codecs in worker threads.
 *
 * Invariant: calls of one key run one after the other, and keys take turns, so that a codec that uses
 * all of its time delays other codecs by one call at most.
 */
export class Sandbox {
  readonly #threads: Thread[] = [];
  readonly #busy = new Set<Thread>();
  readonly #running = new Set<string>();
  /** By key, in the order of their turns. */
  readonly #waiting = new Map<string, Job[]>();
  #isStopped = false;

  /** Decodes one uplink. What a codec does wrong is in the result. */
  async decode(key: string, script: string, input: CodecInput): Promise<CodecResult> {
    return resultOf(await this.#ask(key, { script, input }));
  }

  /** Why a script cannot be a codec; null for one that can. */
  async check(key: string, script: string): Promise<string | null> {
    return (await this.#ask(key, { script, input: null })).error;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const jobs of this.#waiting.values()) {
      for (const { answer } of jobs) answer.reject(shuttingDown());
    }
    this.#waiting.clear();
    await Promise.all(this.#threads.map((thread) => thread.stop()));
  }

  async #ask(key: string, call: CodecCall): Promise<CodecAnswer> {
    if (this.#isStopped) throw shuttingDown();
    const jobs = this.#waiting.get(key) ?? [];
    if (jobs.length >= MAX_WAITING_PER_KEY) {
      throw new Failure('OVERLOADED', 'Too many payloads wait for this codec.');
    }
    const answer = createDeferred<CodecAnswer>();
    jobs.push({ call, answer });
    this.#waiting.set(key, jobs);
    this.#next();
    return await answer.promise;
  }

  #next(): void {
    for (const [key, jobs] of this.#waiting) {
      if (this.#running.has(key)) continue;
      const thread = this.#idleThread();
      if (!thread) return;
      const job = jobs.shift();
      // Its next call is behind those of all other keys.
      this.#waiting.delete(key);
      if (jobs.length > 0) this.#waiting.set(key, jobs);
      if (job) void this.#run(key, thread, job);
    }
  }

  async #run(key: string, thread: Thread, { call, answer }: Job): Promise<void> {
    this.#running.add(key);
    this.#busy.add(thread);
    try {
      answer.resolve(await thread.run(call));
    } catch (error) {
      answer.reject(this.#isStopped ? shuttingDown() : error);
    } finally {
      this.#running.delete(key);
      this.#busy.delete(thread);
      this.#next();
    }
  }

  #idleThread(): Thread | undefined {
    const alive = this.#threads.filter(({ isAlive }) => isAlive);
    this.#threads.splice(0, Infinity, ...alive);
    const idle = alive.find((thread) => !this.#busy.has(thread));
    if (idle || alive.length >= MAX_THREADS || this.#isStopped) return idle;
    const thread = new Thread();
    this.#threads.push(thread);
    return thread;
  }
}
