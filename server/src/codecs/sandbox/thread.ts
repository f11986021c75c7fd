import type { Worker } from 'node:worker_threads';
import { createDeferred, moduleBeside, startThread, withTimeout } from '../../runtime/index.ts';
import { type CodecAnswer, type CodecCall, READY } from './messages.ts';

/** How long a call may take. A native loop, of a regular expression or a sort, is ended by this alone. */
const CALL_LIMIT_MS = 1_000;
const START_LIMIT_MS = 60_000;

/** A thread gets no environment: it holds secrets, and a codec needs none of it. */
const OPTIONS = { env: {}, resourceLimits: { maxOldGenerationSizeMb: 128 } };

const STOPPED: CodecAnswer = {
  output: null,
  error: `The codec did not end within ${CALL_LIMIT_MS / 1_000} s and was stopped.`,
  console: [],
  durationMs: CALL_LIMIT_MS,
};

/** A worker thread that runs one codec at a time. */
export class Thread {
  isAlive = true;
  readonly #worker: Worker;
  readonly #ready = createDeferred<void>();
  #answer = createDeferred<CodecAnswer>();

  constructor() {
    this.#worker = startThread(moduleBeside(import.meta.url, 'worker'), OPTIONS);
    this.#worker.on('message', (message: CodecAnswer | typeof READY) => {
      if (message === READY) this.#ready.resolve();
      else this.#answer.resolve(message);
    });
    this.#worker.on('error', (error: Error) => this.#end(error));
    this.#worker.on('exit', () => this.#end(new Error('The thread of codecs ended.')));
    // Each call waits for one of them.
    this.#ready.promise.catch(() => undefined);
  }

  /** The limit counts from the moment at which the thread takes the call. */
  async run(call: CodecCall): Promise<CodecAnswer> {
    await withTimeout(START_LIMIT_MS, this.#ready.promise, () => {
      return new Error('The thread of codecs did not start.');
    });
    this.#answer = createDeferred<CodecAnswer>();
    const timer = setTimeout(() => {
      this.#answer.resolve(STOPPED);
      void this.stop();
    }, CALL_LIMIT_MS);
    this.#worker.postMessage(call);
    try {
      return await this.#answer.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  async stop(): Promise<void> {
    this.isAlive = false;
    await this.#worker.terminate();
  }

  #end(error: Error): void {
    this.isAlive = false;
    this.#ready.reject(error);
    this.#answer.promise.catch(() => undefined);
    this.#answer.reject(error);
  }
}
