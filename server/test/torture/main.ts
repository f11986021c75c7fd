import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createRandom } from '../support/random.ts';
import { cutPlan, longPlan, type PlannedFault } from './plan.ts';
import { isSound, textOf } from './report.ts';
import { torture } from './run.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    minutes: { type: 'string', default: '15' },
    /** One fault of every kind, in about a minute. */
    cut: { type: 'boolean', default: false },
    /** Only these kinds, separated by commas. */
    faults: { type: 'string' },
    output: { type: 'string' },
  },
});

const seed = Number(values.seed ?? Date.now() % 1_000_000_000);
const whole = values.cut ? cutPlan() : longPlan(createRandom(seed), Number(values.minutes));
const kinds = values.faults?.split(',');
const isWanted = ({ kind }: PlannedFault) => kinds?.includes(kind) ?? true;
const steps = whole.steps
  .map((step) => ({ ...step, faults: step.faults.filter(isWanted) }))
  .filter(({ faults }) => faults.length > 0);
const plan = { ...whole, steps };
const outputDir =
  values.output ?? fileURLToPath(new URL('../../../.build/torture', import.meta.url));

const report = await torture({
  seed,
  plan,
  outputDir,
  say: (text) => void process.stdout.write(`${text}\n`),
});
writeFileSync(join(outputDir, `torture-${seed}.json`), `${JSON.stringify(report, null, 2)}\n`);
process.stdout.write(`\n${textOf(report)}`);
process.exit(isSound(report) ? 0 : 1);
