import {
  claimDataDir,
  compose,
  type ProcessEnvironment,
  plainTextWarnings,
  ROOT_WARNING,
  type Service,
} from '../compose/index.ts';
import type { Config } from '../config.ts';
import { createLog, StartFailure, systemClock } from '../runtime/index.ts';

/** What the one who starts a server has to know of it. */
export interface Started {
  readonly service: Service;
  readonly config: Config;
}

export const print = (text: string) => process.stdout.write(`${text}\n`);

/** The sentences for the operator when a server could not start. */
export class NotStarted extends Error {
  readonly reasons: readonly string[];

  constructor(reasons: readonly string[]) {
    super(reasons.join(' '));
    this.reasons = reasons;
  }
}

/** Starts the server in this process. Rejects with NotStarted. */
async function startServer(
  given: Config,
  onFenced: () => void,
  processEnvironment?: ProcessEnvironment,
): Promise<Started> {
  const log = createLog(given.logLevel);
  try {
    const config = claimDataDir(given);
    const service = await compose(config, {
      clock: systemClock,
      log,
      onProgress: processEnvironment ? () => undefined : print,
      onFenced,
      ...(processEnvironment && { process: processEnvironment }),
    });
    return { service, config };
  } catch (error) {
    if (error instanceof StartFailure) throw new NotStarted([error.message]);
    log.fatal({ err: error }, 'the server could not start');
    throw new NotStarted(['Fieldwatch could not start; see the log line above.']);
  }
}

/** Warns of what the operator should change. */
export function warn(config: Config, unknown: readonly string[]): void {
  const log = createLog(config.logLevel);
  if (process.getuid?.() === 0) log.warn(ROOT_WARNING);
  for (const setting of unknown) log.warn({ setting }, 'unknown setting');
  for (const warning of plainTextWarnings(config)) log.warn(warning);
}

/** Starts a server that starts again when another node has taken over from it. */
export function startSteadily(
  config: Config,
  processEnvironment?: ProcessEnvironment,
): { readonly current: () => Promise<Started> } {
  const start = () => startServer(config, startAgain, processEnvironment);
  let current = start();
  function startAgain(): void {
    current = current.then(async ({ service }) => {
      await service.stop();
      return await start();
    });
    current.catch((error: unknown) => exitWith(error));
  }
  return { current: () => current };
}

/** Ends the process with the reasons on standard error, one per line. */
export function exitWith(error: unknown): never {
  const reasons = error instanceof NotStarted ? error.reasons : [String(error)];
  process.stderr.write(`${reasons.join('\n')}\n`);
  process.exit(1);
}

/** One Ctrl-C may arrive twice: from the terminal, and from npm, which forwards it. */
const SAME_SIGNAL_MS = 2_000;

/** The first signal stops in order, also during the start; a later one exits at once. */
export function stopOnSignals(stop: () => Promise<void>, onStopping: () => void): void {
  let stoppingSince: number | undefined;
  const onSignal = () => {
    if (stoppingSince !== undefined) {
      if (systemClock.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    stoppingSince = systemClock.now();
    onStopping();
    void stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}
