import { expect, it } from 'vitest';
import { documented } from '../support/documented-commands.ts';
import { FAULT_KINDS } from './plan.ts';
import { runScript } from './run-script.ts';

const COMMAND = documented('docs/proof.md', 'npm run torture -- --cut');

it('a server that suffers every kind of fault loses nothing and raises what the oracle says', async () => {
  const { code, output, report } = await runScript(COMMAND, 20_261_201);
  expect(code, output).toBe(0);
  const tried = [...report.faults.map(({ kind }) => kind), ...Object.keys(report.notTried)];
  expect(FAULT_KINDS.filter((kind) => !tried.includes(kind))).toEqual([]);
  expect(report.done['readings acknowledged']).toBeGreaterThan(1_000);
  expect(report.done['alarm events']).toBeGreaterThan(100);
}, 400_000);
