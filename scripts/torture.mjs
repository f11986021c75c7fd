// `npm run torture`: installs and builds when needed, then injects faults into a server and compares the
// stored data with a ledger and an oracle. See docs/proof.md.
import './node-version.mjs';

const { spawn, spawnSync } = await import('node:child_process');
const { prepare } = await import('./prepare.mjs');
const { fromRoot } = await import('./run.mjs');

if (!(await prepare())) process.exit(1);

const args = ['--import', 'tsx', fromRoot('server/test/torture/main.ts'), ...process.argv.slice(2)];
// Runs in a mount namespace of its own, where allowed, so that its mounts end with the process.
const isolated = ['--mount', process.execPath, ...args];
const isAllowed = spawnSync('unshare', ['--mount', 'true'], { stdio: 'ignore' }).status === 0;
const [command, given] = isAllowed ? ['unshare', isolated] : [process.execPath, args];
const child = spawn(command, given, { cwd: fromRoot(), stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.once('close', (code) => {
  process.exitCode = code ?? 1;
});
