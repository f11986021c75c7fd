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

/** Runs every check, also after a failed one, and answers the name and outcome of each. */
export async function runChecks(niceness = 0, more = []) {
  const run = async ({ name, args }) => {
    const outcome = await node(args, { limitMs: LIMIT_MS, env: COMPILER_ENV, niceness });
    return { name, ...outcome };
  };
  const built = await withLock(() => run(build));
  return [built, ...(await Promise.all([...steps, ...more].map(run)))];
}

/** Prints the outcomes, and returns the counts. */
export function report(outcomes) {
  for (const { name, ok, output } of outcomes) {
    console.log(`${ok ? 'ok    ' : 'failed'}  ${name}`);
    if (!ok) console.log(`\n${output.trimEnd()}\n`);
  }
  const passed = outcomes.filter(({ ok }) => ok).length;
  return { passed, failed: outcomes.length - passed };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (!(await prepare())) process.exit(1);
  const { failed } = report(await runChecks(0, [staticTests]));
  process.exitCode = failed > 0 ? 1 : 0;
}
