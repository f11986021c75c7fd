// `npm run screenshots`: a picture of every page of the console, in both themes, at four widths from a
// phone to a wall screen, under .build/screenshots, and the pictures of the documentation from the demo.
import './node-version.mjs';

const { prepare } = await import('./prepare.mjs');
const { vitest } = await import('./check.mjs');
const { node } = await import('./run.mjs');

const LIMIT_MS = 20 * 60_000;

if (!(await prepare())) process.exit(1);
const { ok } = await node([vitest, 'run', '--config', 'console/screenshots.config.ts'], {
  limitMs: LIMIT_MS,
  show: true,
});
process.exitCode = ok ? 0 : 1;
