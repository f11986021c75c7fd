import { expect, it } from 'vitest';
import { documented } from '../../support/documented-commands.ts';
import { runScript } from '../run-script.ts';
import { nodesCutPlan } from './plan.ts';

const NODES = 3;
const COMMAND = documented('docs/proof.md', 'npm run torture -- --nodes 3 --cut');

it('nodes that are killed and halted, and lose storage, lose nothing and raise what the oracle says', async () => {
  const { code, output, report } = await runScript(COMMAND, 20_261_117);
  expect(code, output).toBe(0);
  const kinds = report.faults.map(({ kind }) => kind);
  expect(kinds).toEqual(nodesCutPlan(NODES).faults.map(({ kind }) => kind));
  expect(report.done['readings acknowledged']).toBeGreaterThan(300);
  expect(report.done['alarm events']).toBeGreaterThan(5);
}, 400_000);
