import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createRandom } from '../support/random.ts';
import { nodesCutPlan, nodesLongPlan } from './nodes/plan.ts';
import { tortureNodes } from './nodes/run.ts';
import { cutPlan, longPlan } from './plan.ts';
import { isSound, type Report, textOf } from './report.ts';
import { torture } from './run.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    minutes: { type: 'string', default: '15' },
    /** One fault of every kind, in about a minute. */
    cut: { type: 'boolean', default: false },
    /** Only these kinds, separated by commas. */
    faults: { type: 'string' },
    /** Several servers on one database in place of one server. */
    nodes: { type: 'string' },
    /** With nodes: the directory of PostgreSQL's programs, for a primary with a standby. */
    standby: { type: 'string' },
    output: { type: 'string' },
  },
});

const seed = Number(values.seed ?? Date.now() % 1_000_000_000);
const kinds = values.faults?.split(',');
const isWanted = ({ kind }: { readonly kind: string }) => kinds?.includes(kind) ?? true;
const outputDir =
  values.output ?? fileURLToPath(new URL('../../../.build/torture', import.meta.url));

const say = (text: string) => void process.stdout.write(`${text}\n`);

async function run(): Promise<Report> {
  const random = createRandom(seed);
  const minutes = Number(values.minutes);
  if (values.nodes !== undefined) {
    const count = Number(values.nodes);
    const long = { nodes: count, standbyBin: values.standby ?? null, minutes };
    const whole = values.cut ? nodesCutPlan(count) : nodesLongPlan(random, long);
    const plan = { ...whole, faults: whole.faults.filter(isWanted) };
    return await tortureNodes({ seed, plan, outputDir, say });
  }
  const whole = values.cut ? cutPlan() : longPlan(random, minutes);
  const steps = whole.steps
    .map((step) => ({ ...step, faults: step.faults.filter(isWanted) }))
    .filter(({ faults }) => faults.length > 0);
  return await torture({ seed, plan: { ...whole, steps }, outputDir, say });
}

const report = await run();
writeFileSync(join(outputDir, `torture-${seed}.json`), `${JSON.stringify(report, null, 2)}\n`);
process.stdout.write(`\n${textOf(report)}`);
process.exit(isSound(report) ? 0 : 1);
