// `npm run test:soak`: the tests that `npm test` runs in a short form, with many more cases each.
import './node-version.mjs';

const { prepare } = await import('./prepare.mjs');
const { vitest } = await import('./check.mjs');
const { fromRoot, node } = await import('./run.mjs');
const { readdirSync, readFileSync } = await import('node:fs');
const { sep } = await import('node:path');

const LIMIT_MS = 60 * 60_000;

if (!(await prepare())) process.exit(1);
process.env.FIELDWATCH_TEST_SOAK = 'true';
process.env.FIELDWATCH_TEST_BUILT = 'true';
/** Those that ask how many of their cases to run. */
const files = ['contract', 'client', 'server', 'simulator', 'scripts'].flatMap((folder) =>
  readdirSync(fromRoot(folder), { recursive: true })
    .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'))
    .map((path) => `${folder}/${path.replaceAll(sep, '/')}`)
    .filter((path) => readFileSync(fromRoot(path), 'utf8').includes('/soak.ts')),
);
/** Their stories ask. */
const BROWSER_FILES = ['pages', 'fleet', 'demo'].map((name) => `console/test/${name}.test.ts`);
const { ok } = await node([vitest, 'run', ...BROWSER_FILES, ...files], {
  limitMs: LIMIT_MS,
  show: true,
});
process.exitCode = ok ? 0 : 1;
