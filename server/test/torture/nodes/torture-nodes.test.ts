import { expect, it } from 'vitest';
import { runScript } from '../run-script.ts';
import { nodesCutPlan } from './plan.ts';

const NODES = 3;

it('nodes that are killed and halted, and lose storage, lose nothing and raise what the oracle says', async () => {
  const { code, output, report } = await runScript(20_261_117, '--nodes', String(NODES));
  expect(code, output).toBe(0);
  const kinds = report.faults.map(({ kind }) => kind);
  expect(kinds).toEqual(nodesCutPlan(NODES).faults.map(({ kind }) => kind));
  expect(report.done['readings acknowledged']).toBeGreaterThan(300);
  expect(report.done['alarm events']).toBeGreaterThan(5);
}, 400_000);
