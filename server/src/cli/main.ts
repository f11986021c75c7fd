import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import { startupBanner } from '../compose/index.ts';
import { type Config, readConfig } from '../config.ts';
import { raiseOwnPriority, tuneGarbageCollector } from '../runtime/index.ts';
import { processCount } from './process-count.ts';
import {
  exitWith,
  NotStarted,
  print,
  type Started,
  startSteadily,
  stopOnSignals,
  warn,
} from './start.ts';
import { startProcesses } from './supervisor.ts';
import { runWorker } from './worker.ts';

/** Starts the server in this process, or in several that this one supervises. */
function run(config: Config): () => Promise<Started> {
  const count = processCount(config.processes, availableParallelism());
  if (count === 1) return startSteadily(config).current;
  const starting = startProcesses(config, { count, exec: import.meta.filename });
  return () => starting;
}

async function runAndPrint({ config, unknown }: { config: Config; unknown: readonly string[] }) {
  warn(config, unknown);
  const current = run(config);
  stopOnSignals(
    async () => (await current()).service.stop(),
    () => print('Stopping …'),
  );
  const started = await current().catch(exitWith);
  print(startupBanner(started.service, started.config));
  return started;
}

tuneGarbageCollector();
await raiseOwnPriority();
const result = readConfig(process.env, process.argv.slice(2));
if ('problems' in result) exitWith(new NotStarted(result.problems));

/** For a script that runs the server in its own process; undefined in one of several. */
export const started = cluster.isWorker ? undefined : await runAndPrint(result);
if (cluster.isWorker) runWorker(result.config);
