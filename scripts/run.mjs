// Starts the commands of the other scripts, and ensures that they end.
import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const GRACE_MS = 10_000;

/** Commands that have not ended: after a signal, the last of them ends this process. */
let running = 0;

export function fromRoot(...path) {
  return join(ROOT, ...path);
}

/** Runs a script of ours or of a package with this Node. */
export function node(args, options) {
  return run(process.execPath, args, options);
}

/**
 * Waits for the command and returns `{ ok, output }`. With `show` its output goes to the terminal as
 * it arrives; otherwise it is returned. A signal to this process is passed to the command, and ends both.
 * `niceness` is that of the operating system: 0 is normal, and more gives way to others.
 */
export async function run(command, args, { limitMs, show = false, env = {}, niceness = 0 }) {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: show ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
  });
  if (child.pid !== undefined && niceness > 0) setPriority(child.pid, niceness);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const outcome = await ending(child, limitMs);
  return { ok: outcome === '', output: outcome === '' ? output : `${output}${outcome}\n` };
}

/** Resolves to a description of the failure, or to undefined. */
function ending(child, limitMs) {
  running += 1;
  let interruption;
  let isLate = false;
  const stop = () => {
    child.kill('SIGTERM');
    setTimeout(() => {
      child.kill('SIGKILL');
      child.stdout?.destroy();
      child.stderr?.destroy();
    }, GRACE_MS).unref();
  };
  const interrupt = (signal) => {
    interruption = signal;
    stop();
  };
  const timer = setTimeout(() => {
    isLate = true;
    stop();
  }, limitMs);
  for (const signal of SIGNALS) process.on(signal, interrupt);
  return new Promise((resolve) => {
    const end = (what) => {
      clearTimeout(timer);
      for (const signal of SIGNALS) process.off(signal, interrupt);
      running -= 1;
      if (interruption) return running > 0 || process.exit(128 + constants.signals[interruption]);
      resolve(isLate ? `It took longer than ${limitMs / 1000} seconds.` : what);
    };
    child.once('error', (error) => end(error.message));
    child.once('close', (code, signal) =>
      end(code === 0 ? '' : `It ended with ${signal ?? `exit code ${code}`}.`),
    );
  });
}
