// `npm run demo:delete`: deletes the demo's data, and nothing else.
import './node-version.mjs';
import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const { prepare } = await import('./prepare.mjs');

if (!(await prepare())) process.exit(1);
const { readConfig } = await import('../server/dist/bundle/config.js');

const { config, problems } = readConfig({ ...process.env, FIELDWATCH_DEMO: 'true' });
const outcome = problems ? { refusal: problems.join('\n') } : remove(config.dataDir);
if (outcome.refusal) {
  console.error(outcome.refusal);
  process.exitCode = 1;
} else {
  console.log(outcome.done);
}

function remove(directory) {
  if (!existsSync(directory)) return { done: `There is no demo in ${directory}.` };
  if (!existsSync(join(directory, 'demo.json'))) {
    return { refusal: `${directory} is not a demo's: it has no demo.json. It stays as it is.` };
  }
  const home = join(directory, 'postgres');
  const pid = runningPid(join(home, 'cluster', 'postmaster.pid'));
  if (pid) {
    return {
      refusal: `The demo runs: its PostgreSQL is process ${pid}. Stop it first. If its server was killed, start and stop it once.`,
    };
  }
  // The home of PostgreSQL may be elsewhere, with a link here.
  if (existsSync(home)) rmSync(realpathSync(home), { recursive: true });
  rmSync(directory, { recursive: true });
  return { done: `The demo is gone: ${directory} was deleted.` };
}

function runningPid(file) {
  const pid = existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : 0;
  try {
    return pid > 0 && process.kill(pid, 0) && pid;
  } catch (error) {
    return error.code === 'EPERM' && pid;
  }
}
