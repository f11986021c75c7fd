// `npm start`: installs and builds when needed, then runs the server in this process. With `--demo` it
// runs a server with a simulated fleet, separate from real data.
import './node-version.mjs';

const args = process.argv.slice(2);
const isDemo = args.includes('--demo');
// `--new` is for the server itself, which reads the same arguments.
if (!isDemo && args.some((arg) => arg !== '--new')) {
  console.error(`npm start takes --new, or --demo and its flags, not ${args.join(' ')}.`);
  process.exit(2);
}

const { fromRoot, node } = await import('./run.mjs');
const PREPARE_LIMIT_MS = 60 * 60_000;

// In a process of its own, because comparing all sources leaves 15 MB in the process that does it.
const options = { limitMs: PREPARE_LIMIT_MS, show: true };
if (!(await node([fromRoot('scripts/prepare-checkout.mjs')], options)).ok) process.exit(1);
// So that stack traces in the log name the sources and not the bundle.
process.setSourceMapsEnabled(true);
if (isDemo) {
  const { startDemo } = await import('./demo.mjs');
  await startDemo(args.filter((arg) => arg !== '--demo'));
} else {
  await import('../server/dist/bundle/main.js');
}
