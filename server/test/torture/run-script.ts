import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withoutNpm } from '../support/documented-commands.ts';
import type { Report } from './report.ts';

/** Less than the time-out of a test, so that one that hangs says how far it came. */
const LIMIT_MS = 380_000;
const LOG_TAIL = 4_000;
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

interface Outcome {
  readonly code: number | null;
  readonly output: string;
  readonly report: Report;
}

/** Runs a command of docs/proof.md, a cut of `npm run torture`, with this seed. */
export async function runScript(command: string, seed: number): Promise<Outcome> {
  const outputDir = mkdtempSync(join(tmpdir(), 'fw-torture-report-'));
  try {
    const script = `${withoutNpm(command)} --seed ${seed} --output ${outputDir}`;
    const child = spawn('bash', ['-c', script], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    const stopLate = setTimeout(() => child.kill(), LIMIT_MS);
    const [code] = await once(child, 'close');
    clearTimeout(stopLate);
    const file = join(outputDir, `torture-${seed}.json`);
    if (!existsSync(file)) throw new Error(`There is no report.\n${output}\n${logsIn(outputDir)}`);
    return { code, output, report: JSON.parse(readFileSync(file, 'utf8')) };
  } finally {
    rmSync(outputDir, { recursive: true, force: true });
  }
}

/** The end of each server's log. */
function logsIn(directory: string): string {
  const logs = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8'));
  return logs.map((text) => text.slice(-LOG_TAIL)).join('\n');
}
