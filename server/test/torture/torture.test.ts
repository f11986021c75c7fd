import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { FAULT_KINDS } from './plan.ts';
import type { Report } from './report.ts';

const SCRIPT = fileURLToPath(new URL('../../../scripts/torture.mjs', import.meta.url));

interface Outcome {
  readonly code: number | null;
  readonly output: string;
  readonly report: Report;
}

async function run(seed: number, ...flags: readonly string[]): Promise<Outcome> {
  const outputDir = mkdtempSync(join(tmpdir(), 'fw-torture-report-'));
  try {
    const args = [SCRIPT, '--cut', '--seed', String(seed), '--output', outputDir, ...flags];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    const [code] = await once(child, 'close');
    const file = join(outputDir, `torture-${seed}.json`);
    return { code, output, report: JSON.parse(readFileSync(file, 'utf8')) };
  } finally {
    rmSync(outputDir, { recursive: true, force: true });
  }
}

it('a server that suffers every kind of fault loses nothing and raises what the oracle says', async () => {
  const { code, output, report } = await run(20_261_116);
  expect(code, output).toBe(0);
  const tried = [...report.faults.map(({ kind }) => kind), ...Object.keys(report.notTried)];
  expect(FAULT_KINDS.filter((kind) => !tried.includes(kind))).toEqual([]);
  expect(report.done['readings acknowledged']).toBeGreaterThan(1_000);
  expect(report.done['alarm events']).toBeGreaterThan(100);
}, 400_000);
