import type { CodecResult } from '@fieldwatch/contract';
import { createDeferred, type Deferred, Failure, shuttingDown } from '../../runtime/index.ts';
import type { CodecAnswer, CodecCall, CodecInput } from './messages.ts';
import { resultOf } from './output.ts';
import { Thread } from './thread.ts';

const MAX_THREADS = 2;
const MAX_WAITING_PER_CODEC = 500;

/** Whose call it is. */
export interface CodecOwner {
  readonly organizationId: string;
  /** Of the codec, or of trials of scripts. */
  readonly key: string;
}

interface Job {
  readonly call: CodecCall;
  readonly answer: Deferred<CodecAnswer>;
}

/**
 * Runs codecs in worker threads.
 *
 * Invariant: calls of one organization run one after the other, and organizations take turns, so that one
 * whose codecs use all of their time keeps no more than one thread from others, however many codecs it
 * has. Within an organization, codecs take turns.
 */
export class Sandbox {
  readonly #threads: Thread[] = [];
  readonly #busy = new Set<Thread>();
  readonly #running = new Set<string>();
  /** By organization and codec, each in the order of their turns. */
  readonly #waiting = new Map<string, Map<string, Job[]>>();
  #isStopped = false;

  /** Decodes one uplink. What a codec does wrong is in the result. */
  async decode(owner: CodecOwner, script: string, input: CodecInput): Promise<CodecResult> {
    return resultOf(await this.#ask(owner, { script, input }));
  }

  /** Why a script cannot be a codec; null for one that can. */
  async check(owner: CodecOwner, script: string): Promise<string | null> {
    return (await this.#ask(owner, { script, input: null })).error;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const codecs of this.#waiting.values()) {
      for (const { answer } of [...codecs.values()].flat()) answer.reject(shuttingDown());
    }
    this.#waiting.clear();
    await Promise.all(this.#threads.map((thread) => thread.stop()));
  }

  async #ask({ organizationId, key }: CodecOwner, call: CodecCall): Promise<CodecAnswer> {
    if (this.#isStopped) throw shuttingDown();
    const codecs = this.#waiting.get(organizationId) ?? new Map<string, Job[]>();
    const jobs = codecs.get(key) ?? [];
    if (jobs.length >= MAX_WAITING_PER_CODEC) {
      throw new Failure('OVERLOADED', 'Too many payloads wait for this codec.');
    }
    const answer = createDeferred<CodecAnswer>();
    jobs.push({ call, answer });
    codecs.set(key, jobs);
    this.#waiting.set(organizationId, codecs);
    this.#next();
    return await answer.promise;
  }

  #next(): void {
    for (const [organizationId, codecs] of this.#waiting) {
      if (this.#running.has(organizationId)) continue;
      const thread = this.#idleThread();
      if (!thread) return;
      const job = nextOf(codecs);
      // Its next call is behind those of all other organizations.
      this.#waiting.delete(organizationId);
      if (codecs.size > 0) this.#waiting.set(organizationId, codecs);
      if (job) void this.#run(organizationId, thread, job);
    }
  }

  async #run(organizationId: string, thread: Thread, { call, answer }: Job): Promise<void> {
    this.#running.add(organizationId);
    this.#busy.add(thread);
    try {
      answer.resolve(await thread.run(call));
    } catch (error) {
      answer.reject(this.#isStopped ? shuttingDown() : error);
    } finally {
      this.#running.delete(organizationId);
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

/** Takes a call of the codec whose turn it is; its next one is behind those of all others. */
function nextOf(codecs: Map<string, Job[]>): Job | undefined {
  const [first] = codecs;
  if (!first) return undefined;
  const [key, jobs] = first;
  const job = jobs.shift();
  codecs.delete(key);
  if (jobs.length > 0) codecs.set(key, jobs);
  return job;
}
