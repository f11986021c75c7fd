// `npm run test:node-red`: the nodes for Node-RED in Node-RED itself, which is installed into `.build` since
// it is larger than all other tests need. `npm test` runs the same flows in an imitation of its runtime.
import './node-version.mjs';
import { mkdirSync, writeFileSync } from 'node:fs';

const { prepare } = await import('./prepare.mjs');
const { vitest } = await import('./check.mjs');
const { fromRoot, node, run } = await import('./run.mjs');

const PACKAGES = { 'node-red': '4.1.15', 'node-red-node-test-helper': '0.3.6' };
const LIMIT_MS = 10 * 60_000;

const folder = fromRoot('.build/node-red');
mkdirSync(folder, { recursive: true });
const content = { private: true, dependencies: PACKAGES };
writeFileSync(`${folder}/package.json`, JSON.stringify(content));
if (!(await prepare())) process.exit(1);
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const install = ['install', '--prefix', folder, '--no-audit', '--no-fund'];
const installed = await run(npm, install, { limitMs: LIMIT_MS, show: true });
if (!installed.ok) process.exit(1);
const { ok } = await node([vitest, 'run', 'server/test/journeys/node-red.test.ts'], {
  limitMs: LIMIT_MS,
  show: true,
  env: { FIELDWATCH_TEST_BUILT: 'true', FIELDWATCH_NODE_RED: folder },
});
process.exitCode = ok ? 0 : 1;
