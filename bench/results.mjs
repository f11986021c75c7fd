// Stores the figures of a run as a file in bench/results, with the machine, the date and the commit.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { stolenSeconds } from './processes.mjs';

/** Other work on the machine, which a result has to be read with. */
const LOAD_BEFORE = loadavg()[0];
const STOLEN_BEFORE = stolenSeconds();

export function machine() {
  const model = cpus()[0]?.model || process.arch;
  return `${cpus().length} × ${model}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
}

/** Null when the sources differ from the commit. */
function commit() {
  const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim();
  try {
    return git('status', '--porcelain') === '' ? git('rev-parse', '--short', 'HEAD') : null;
  } catch {
    return null;
  }
}

function conditions() {
  const load = `load ${LOAD_BEFORE.toFixed(1)} before, ${loadavg()[0].toFixed(1)} at the end`;
  const stolen = stolenSeconds() - STOLEN_BEFORE;
  return `${load}; ${stolen.toFixed(1)} s of processor time taken by the host of the machine`;
}

/**
 * Writes the figures of one part, run with some cases and flags, and returns the path. Replaces an
 * earlier run of the same command on the same day.
 */
export function saveResult(benchmark, { cases, flags }, figures) {
  const date = new Date().toISOString().slice(0, 10);
  const name = [benchmark, ...cases, ...flags].join('-').replaceAll(/[^\da-z]+/g, '-');
  const path = fileURLToPath(new URL(`./results/${date}-${name}.json`, import.meta.url));
  const result = {
    benchmark,
    command: ['npm run bench --', [benchmark, ...cases].join(':'), ...flags].join(' '),
    date,
    commit: commit(),
    machine: machine(),
    node: process.version.slice(1),
    conditions: conditions(),
    figures,
  };
  writeFileSync(path, `${JSON.stringify(result, null, 2)}\n`);
  return path;
}
