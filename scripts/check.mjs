// `npm run check`: all static checks of the sources.
import './node-version.mjs';
import { pathToFileURL } from 'node:url';

const { withLock } = await import('./lock.mjs');
const { COMPILER_ENV, ONE_CHECKER, prepare, tsc } = await import('./prepare.mjs');
const { fromRoot, node } = await import('./run.mjs');

const LIMIT_MS = 5 * 60_000;

export const vitest = fromRoot('node_modules/vitest/vitest.mjs');
const biome = fromRoot('node_modules/@biomejs/biome/bin/biome');
const knip = fromRoot('node_modules/knip/bin/knip.js');

const build = { name: 'types of the sources', args: [tsc, '-b', ...ONE_CHECKER] };
/** These check the build output and do not depend on each other. */
const steps = [
  { name: 'types of the tests', args: [tsc, '-p', 'tsconfig.tests.json', ...ONE_CHECKER] },
  { name: 'lint and format', args: [biome, 'ci'] },
  { name: 'unused files, exports and dependencies', args: [knip, '--no-progress'] },
  { name: 'first load of the console', args: [fromRoot('scripts/first-load.mjs')] },
  { name: 'generated files', args: [fromRoot('scripts/generate.mjs'), '--check'] },
];
/** `npm test` runs these among all others. */
const staticTests = {
  name: 'architecture and docs',
  args: [vitest, 'run', '--config', 'scripts/vitest.static.config.mjs', '--reporter=dot'],
};

/** Runs every step, also after a failed one, and returns the counts. */
export async function check(rest = []) {
  const counts = { passed: 0, failed: 0 };
  const run = ({ args }) => node(args, { limitMs: LIMIT_MS, env: COMPILER_ENV });
  const report = ({ name }, { ok, output }) => {
    counts[ok ? 'passed' : 'failed'] += 1;
    console.log(`${ok ? 'ok    ' : 'failed'}  ${name}`);
    if (!ok) console.log(`\n${output.trimEnd()}\n`);
  };
  report(build, await withLock(() => run(build)));
  const all = [...steps, ...rest];
  const outcomes = await Promise.all(all.map(run));
  for (const [index, step] of all.entries()) report(step, outcomes[index]);
  return counts;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (!(await prepare())) process.exit(1);
  const { failed } = await check([staticTests]);
  process.exitCode = failed > 0 ? 1 : 0;
}
