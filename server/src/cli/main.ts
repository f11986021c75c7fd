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

const say = (text: string) => process.stdout.write(`${text}\n`);

/** Ends the process with the reasons on standard error, one per line. */
function giveUp(reasons: readonly string[]): never {
  process.stderr.write(`${reasons.join('\n')}\n`);
  process.exit(1);
}

interface Started {
  readonly service: Service;
  readonly config: Config;
}

async function startOrGiveUp(given: Config, unknown: readonly string[]): Promise<Started> {
  const log = createLog(given.logLevel);
  if (process.getuid?.() === 0) log.warn(ROOT_WARNING);
  for (const setting of unknown) log.warn({ setting }, 'there is no such setting');
  try {
    const config = claimDataDir(given);
    const service = await compose(config, { clock: systemClock, log, onProgress: say });
    for (const warning of plainTextWarnings(config)) log.warn(warning);
    return { service, config };
  } catch (error) {
    if (error instanceof StartFailure) giveUp([error.message]);
    log.fatal({ err: error }, 'could not start');
    giveUp(['Fieldwatch could not start; the log line above says why.']);
  }
}

/** One Ctrl-C may arrive twice: from the terminal, and once more from npm, which hands it on. */
const SAME_SIGNAL_MS = 2_000;

/** The first signal stops in order, also while still starting; one that comes later does not wait. */
function stopOnSignals(starting: Promise<Started>): void {
  let stoppingSince: number | undefined;
  const onSignal = () => {
    if (stoppingSince !== undefined) {
      if (systemClock.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    stoppingSince = systemClock.now();
    say('Stopping …');
    void starting
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
if ('problems' in result) giveUp(result.problems);
const starting = startOrGiveUp(result.config, result.unknown);
stopOnSignals(starting);

/** For a script that became the server, and goes on from there. */
export const started = await starting;
say(startupBanner(started.service, started.config));
