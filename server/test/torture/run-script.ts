import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Report } from './report.ts';

const SCRIPT = fileURLToPath(new URL('../../../scripts/torture.mjs', import.meta.url));

interface Outcome {
  readonly code: number | null;
  readonly output: string;
  readonly report: Report;
}

/** Runs the cut of `npm run torture` with this seed. */
export async function runScript(seed: number, ...flags: readonly string[]): Promise<Outcome> {
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
