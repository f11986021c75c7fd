// `npm run torture`: installs and builds when needed, then injects faults into a server and compares the
// stored data with a ledger and an oracle. See docs/proof.md.
import './node-version.mjs';

const { spawn, spawnSync } = await import('node:child_process');
const { rmSync } = await import('node:fs');
const { prepare } = await import('./prepare.mjs');
const { fromRoot } = await import('./run.mjs');

if (!(await prepare())) process.exit(1);
const { bundleTest } = await import('./bundle-test.mjs');

const given = process.argv.slice(2);
// The short form ends before code that V8 optimizes would pay.
const flags = given.includes('--cut') ? ['--no-opt'] : [];
const script = await bundleTest('torture/main.ts');
const args = [...flags, script, ...given];
// Runs in a mount namespace of its own, where allowed, so that its mounts end with the process.
const isolated = ['--mount', process.execPath, ...args];
const isAllowed = spawnSync('unshare', ['--mount', 'true'], { stdio: 'ignore' }).status === 0;
const [command, ours] = isAllowed ? ['unshare', isolated] : [process.execPath, args];
const child = spawn(command, ours, { cwd: fromRoot(), stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.once('close', (code) => {
  rmSync(script, { force: true });
  process.exitCode = code ?? 1;
});
