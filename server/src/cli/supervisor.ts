import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { claimDataDir, mayCreateCluster, type Service } from '../compose/index.ts';
import type { Config } from '../config.ts';
import { createDeferred, createLog, endsWithin, type Log, StartFailure } from '../runtime/index.ts';
import { type EmbeddedPostgres, startEmbedded } from '../storage/index.ts';
import { MetricsGathering } from './metrics-gathering.ts';
import type { FromProcess, ToProcess } from './process-messages.ts';
import { NotStarted, print, type Started } from './start.ts';

/*
 * Several processes on one machine, as nodes on one database. This one starts the embedded
 * PostgreSQL and the others, starts again whichever ends, and passes their connections on: they
 * listen on the same ports, and Node distributes connections among them in turn.
 */

const MIN_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;
/** A process that ran for so long did not fail at its start. */
const STEADY_MS = 60_000;
const STOP_LIMIT_MS = 60_000;

/** Starts `count` processes of the program `exec`. Resolves when all are ready. */
export async function startProcesses(
  given: Config,
  { count, exec }: { readonly count: number; readonly exec: string },
): Promise<Started> {
  const log = createLog(given.logLevel);
  const config = claimDataDir(given);
  const embedded = config.databaseUrl === null ? await startPostgres(config, count, log) : null;
  cluster.setupPrimary({
    exec,
    args: process.argv.slice(2),
    execArgv: [...process.execArgv, '--enable-source-maps'],
  });
  const supervisor = new Supervisor(embedded, log);
  try {
    // The first one alone: it migrates the database and creates what a first start creates.
    const service = await supervisor.start(1);
    const others = Array.from({ length: count - 1 }, (_, index) => supervisor.start(index + 2));
    await Promise.all(others);
    return { config, service: { ...service, stop: () => supervisor.stop() } };
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
}

async function startPostgres(config: Config, processes: number, log: Log) {
  try {
    return await startEmbedded({
      ...config,
      processes,
      mayCreateCluster: mayCreateCluster(config),
      log,
      onProgress: print,
    });
  } catch (error) {
    throw error instanceof StartFailure ? new NotStarted([error.message]) : error;
  }
}

class Supervisor {
  readonly #embedded: EmbeddedPostgres | null;
  readonly #log: Log;
  /** By their numbers. */
  readonly #workers = new Map<number, Worker>();
  readonly #metrics = new MetricsGathering(() => this.#workers);
  #isStopping = false;

  constructor(embedded: EmbeddedPostgres | null, log: Log) {
    this.#embedded = embedded;
    this.#log = log;
    embedded?.onMoved((target) => {
      for (const worker of this.#workers.values()) say(worker, { kind: 'STORAGE', target });
    });
  }

  /** Resolves when the process is ready. From then on it is started again whenever it ends. */
  async start(number: number): Promise<Omit<Service, 'stop'>> {
    const { promise, resolve, reject } = createDeferred<Omit<Service, 'stop'>>();
    const worker = this.#fork(number, (message) => {
      if (message.kind === 'READY') resolve(message.service);
      if (message.kind === 'NOT_STARTED') reject(new NotStarted(message.reasons));
    });
    worker.once('exit', () =>
      reject(new NotStarted([`Process ${number} ended during its start.`])),
    );
    const service = await promise;
    this.#keepRunning(number, worker);
    return service;
  }

  #fork(number: number, onMessage: (message: FromProcess) => void): Worker {
    const worker = cluster.fork();
    this.#workers.set(number, worker);
    worker.on('message', (message: FromProcess) => {
      this.#metrics.handle(worker, message);
      if (message.kind === 'LISTENING')
        say(worker, { kind: 'START', number, target: this.#embedded?.target() ?? null });
      onMessage(message);
    });
    worker.on('error', (error) => this.#log.warn({ err: error, number }, 'a process did not hear'));
    return worker;
  }

  #keepRunning(number: number, first: Worker): void {
    const logFailure = (message: FromProcess) => {
      if (message.kind !== 'NOT_STARTED') return;
      this.#log.error({ number, reasons: message.reasons }, 'a process could not start');
    };
    void (async () => {
      let delayMs = MIN_DELAY_MS;
      for (let worker = first; ; worker = this.#fork(number, logFailure)) {
        const since = performance.now();
        if (!worker.isDead()) await once(worker, 'exit');
        if (this.#isStopping) return;
        this.#log.error({ number }, 'a process ended; it is started again');
        delayMs = performance.now() - since > STEADY_MS ? MIN_DELAY_MS : 2 * delayMs;
        await sleep(Math.min(delayMs, MAX_DELAY_MS));
        if (this.#isStopping) return;
      }
    })();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    const running = [...this.#workers.values()].filter((worker) => !worker.isDead());
    const ended = running.map((worker) => once(worker, 'exit'));
    for (const worker of running) worker.process.kill('SIGTERM');
    if (!(await endsWithin(STOP_LIMIT_MS, Promise.all(ended)))) {
      for (const worker of running) worker.process.kill('SIGKILL');
      await Promise.all(ended);
    }
    await this.#embedded?.stop();
  }
}

function say(worker: Worker, message: ToProcess): void {
  if (worker.isConnected()) worker.send(message);
}
