import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { createTestDatabase } from '../support/postgres.ts';
import { beHostile } from './hostile.ts';
import type { HostileReport } from './report.ts';

/** The short form that `npm test` runs; `npm run hostile` sets the long one. */
const requests = Number(process.env.HOSTILE_REQUESTS ?? 1_500);
const packets = Number(process.env.HOSTILE_PACKETS ?? 6_000);
const seed = Number(process.env.HOSTILE_SEED ?? 20_261_116);
const LIMIT_MS = 60 * 60_000;
const REPORTS = fileURLToPath(new URL('../../../.build/hostile/', import.meta.url));

it(`the server answers ${requests} fuzzed requests and ${packets} mutated MQTT packets (seed ${seed}) without a fault`, {
  timeout: LIMIT_MS,
}, async () => {
  const database = await createTestDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'fieldwatch-hostile-'));
  try {
    const env = { DATABASE_URL: database.url, FIELDWATCH_DATA_DIR: dataDir };
    const report = await beHostile({ requests, packets, seed, env });
    save(report);
    expect(report.findings).toEqual([]);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
    await database.drop();
  }
});

function save(report: HostileReport): void {
  mkdirSync(REPORTS, { recursive: true });
  writeFileSync(join(REPORTS, `seed-${seed}.json`), `${JSON.stringify(report, null, 2)}\n`);
}
