import type { Config } from '../config.ts';
import { createDeferred, mergeMetrics, withTimeout } from '../runtime/index.ts';
import type { FromProcess, ToProcess } from './process-messages.ts';
import { NotStarted, startSteadily, stopOnSignals } from './start.ts';

const GATHER_LIMIT_MS = 5_000;

function send(message: FromProcess): void {
  process.send?.(message);
}

/** The metrics of all processes, by way of the supervisor. */
class GatheredMetrics {
  readonly #waiting = new Map<number, (texts: ReadonlyMap<number, string>) => void>();
  #own: () => Promise<string> = async () => '';
  #last = 0;

  readonly gather = async (): Promise<string> => {
    this.#last += 1;
    const request = this.#last;
    const { promise, resolve } = createDeferred<ReadonlyMap<number, string>>();
    this.#waiting.set(request, resolve);
    send({ kind: 'GATHER_METRICS', request });
    const timeout = () => new Error('the other processes did not report their metrics');
    const texts = await withTimeout(GATHER_LIMIT_MS, promise, timeout).finally(() =>
      this.#waiting.delete(request),
    );
    return mergeMetrics(texts);
  };

  handle(message: ToProcess): void {
    if (message.kind === 'METRICS') this.#waiting.get(message.request)?.(new Map(message.texts));
    if (message.kind !== 'READ_METRICS') return;
    const { request } = message;
    void this.#own().then((text) => send({ kind: 'OWN_METRICS', request, text }));
  }

  set own(read: () => Promise<string>) {
    this.#own = read;
  }
}

/** Runs the server as one of several processes. Its end is that of the supervisor, at the latest. */
export function runWorker(config: Config): void {
  const metrics = new GatheredMetrics();
  let stop: () => Promise<void> = async () => undefined;
  let target: Extract<ToProcess, { kind: 'START' }>['target'] = null;

  function start(number: number): void {
    const address = config.nodeAddress;
    const nodeAddress = address && { ...address, port: address.port + number - 1 };
    const hasOwnPostgres = target !== null;
    const { current } = startSteadily(
      { ...config, nodeAddress },
      {
        number,
        startedTarget: hasOwnPostgres ? () => target ?? {} : undefined,
        gatherMetrics: metrics.gather,
        onMetrics: (read) => {
          metrics.own = read;
        },
      },
    );
    stop = async () => (await current()).service.stop();
    current().then(
      ({ service: { stop: _, ...service } }) => send({ kind: 'READY', service }),
      (error: unknown) => {
        const reasons = error instanceof NotStarted ? error.reasons : [String(error)];
        send({ kind: 'NOT_STARTED', reasons });
        process.disconnect();
        process.exitCode = 1;
      },
    );
  }

  process.on('message', (message: ToProcess) => {
    if (message.kind === 'START' || message.kind === 'STORAGE') target = message.target;
    if (message.kind === 'START') start(message.number);
    else metrics.handle(message);
  });
  process.on('disconnect', () => process.exit(1));
  send({ kind: 'LISTENING' });
  stopOnSignals(
    () => stop(),
    () => undefined,
  );
}
