// `npm run dev`: rebuilds on every change and restarts the server after every build that succeeds. The
// console is served by vite, which shows a change at once and passes requests on to the server.
import './node-version.mjs';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const { prepare, tsc, vite } = await import('./prepare.mjs');
const { fromRoot } = await import('./run.mjs');

const STOP_LIMIT_MS = 20_000;

if (!(await prepare())) process.exit(1);

const compiler = spawn(process.execPath, [tsc, '-b', '--watch', '--preserveWatchOutput'], {
  cwd: fromRoot(),
  stdio: ['ignore', 'pipe', 'inherit'],
});
const bundler = spawn(process.execPath, [vite(), 'dev', 'console', '--clearScreen', 'false'], {
  cwd: fromRoot(),
  stdio: ['ignore', 'inherit', 'inherit'],
});
let server;
let restarting = Promise.resolve();
let isEnding = false;

createInterface({ input: compiler.stdout }).on('line', (line) => {
  if (line !== '') console.error(line);
  if (line.includes('Found 0 errors')) restarting = restarting.then(restart);
});
compiler.once('exit', end);
bundler.once('exit', end);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);

async function restart() {
  await stop(server);
  if (isEnding) return;
  server = spawn(process.execPath, ['--enable-source-maps', 'server/dist/cli/main.js'], {
    cwd: fromRoot(),
    stdio: 'inherit',
  });
}

async function end() {
  if (isEnding) return;
  isEnding = true;
  await restarting;
  await Promise.all([stop(compiler), stop(bundler), stop(server)]);
  process.exit(0);
}

async function stop(child) {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await gone;
  clearTimeout(limit);
}
