import {
  claimDataDir,
  compose,
  plainTextWarnings,
  ROOT_WARNING,
  type Service,
  startupBanner,
} from '../compose/index.ts';
import { type Config, readConfig } from '../config.ts';
import { createLog, StartFailure, systemClock, tuneGarbageCollector } from '../runtime/index.ts';

const print = (text: string) => process.stdout.write(`${text}\n`);

/** Ends the process with the reasons on standard error, one per line. */
function exitWith(reasons: readonly string[]): never {
  process.stderr.write(`${reasons.join('\n')}\n`);
  process.exit(1);
}

interface Started {
  readonly service: Service;
  readonly config: Config;
}

async function startOrExit(
  given: Config,
  unknown: readonly string[],
  onFenced: () => void,
): Promise<Started> {
  const log = createLog(given.logLevel);
  if (process.getuid?.() === 0) log.warn(ROOT_WARNING);
  for (const setting of unknown) log.warn({ setting }, 'unknown setting');
  try {
    const config = claimDataDir(given);
    const environment = { clock: systemClock, log, onProgress: print, onFenced };
    const service = await compose(config, environment);
    for (const warning of plainTextWarnings(config)) log.warn(warning);
    return { service, config };
  } catch (error) {
    if (error instanceof StartFailure) exitWith([error.message]);
    log.fatal({ err: error }, 'the server could not start');
    exitWith(['Fieldwatch could not start; see the log line above.']);
  }
}

/** One Ctrl-C may arrive twice: from the terminal, and from npm, which forwards it. */
const SAME_SIGNAL_MS = 2_000;

/** The first signal stops the server in order, also during the start; a later one exits at once. */
function stopOnSignals(current: () => Promise<Started>): void {
  let stoppingSince: number | undefined;
  const onSignal = () => {
    if (stoppingSince !== undefined) {
      if (systemClock.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    stoppingSince = systemClock.now();
    print('Stopping …');
    void current()
      .then(({ service }) => service.stop())
      .then(
        () => process.exit(0),
        () => process.exit(1),
      );
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}

tuneGarbageCollector();
const result = readConfig(process.env, process.argv.slice(2));
if ('problems' in result) exitWith(result.problems);
const { config, unknown } = result;

/** A node that another one has taken over from starts again, with what is in the database then. */
function startAgain(): void {
  current = current.then(async ({ service }) => {
    await service.stop();
    return await startOrExit(config, unknown, startAgain);
  });
}

let current = startOrExit(config, unknown, startAgain);
stopOnSignals(() => current);

/** For a script that runs the server in its own process. */
export const started = await current;
print(startupBanner(started.service, started.config));
