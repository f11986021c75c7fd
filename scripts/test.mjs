// `npm test`: installs and builds when needed, checks, tests, and counts. Arguments go to vitest,
// which then runs these tests alone; the checks of the whole tree are left out.
import './node-version.mjs';

const { randomInt } = await import('node:crypto');
const { mkdirSync, readFileSync, rmSync } = await import('node:fs');
const { report, runChecks, vitest } = await import('./check.mjs');
const { prepare } = await import('./prepare.mjs');
const { fromRoot, node } = await import('./run.mjs');
const { countTests } = await import('./count.mjs');
const { installPrograms } = await import('./test-programs.mjs');

const LIMIT_MS = 45 * 60_000;
/** The niceness of the checks: a tenth of the weight of a test. */
const BACKGROUND = 10;
const NO_CHECKS = [];

const [isPrepared] = await Promise.all([prepare(), installPrograms()]);
if (isPrepared) {
  const args = process.argv.slice(2);
  // The checks take the processor while the tests wait for a server, a browser or a window of time.
  const checks = args.length === 0 ? runChecks(BACKGROUND) : NO_CHECKS;
  const tested = await test(args);
  const checked = report(await checks);
  for (const complaint of tested.complaints) console.log(complaint);
  conclude(checked.passed + tested.passed, checked.failed + tested.failed);
} else {
  conclude(0, 1);
}

function conclude(passed, failed) {
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}

async function test(args) {
  const file = fromRoot(`.build/test-${process.pid}.json`);
  mkdirSync(fromRoot('.build'), { recursive: true });
  process.once('exit', () => rmSync(file, { force: true }));
  const reporters = ['default', 'json', fromRoot('scripts/vitest.interrupt.mjs')];
  const options = [...reporters.map((name) => `--reporter=${name}`), `--outputFile.json=${file}`];
  process.env.FIELDWATCH_TEST_BUILT = 'true';
  process.env.TEST_SEED ??= String(randomInt(2 ** 31));
  console.log(`TEST_SEED=${process.env.TEST_SEED} runs the same cases again.`);
  const { ok } = await node([vitest, 'run', ...options, ...args], {
    limitMs: LIMIT_MS,
    show: true,
  });
  return countTests(ok, readReport(file));
}

/** Undefined when vitest ended before it wrote the file. */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
