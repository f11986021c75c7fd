import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { basic, call } from '../support/call.ts';
import { createDataDir } from '../support/data-dir.ts';
import { type ServerProcess, spawnServer } from '../support/process.ts';
import { createReporter } from '../support/reporter.ts';

const WRITERS = 8;

const organizationId = '018f0000-0000-7000-8000-0000000000bc';
const reporter = createReporter({
  auth: basic('away-key', 'away-secret-of-32-characters-or-more'),
  organizationId,
});
const dataDir = createDataDir();
let server: ServerProcess;

beforeAll(() => {
  server = spawnServer({
    FIELDWATCH_DATA_DIR: dataDir.path,
    FIELDWATCH_ORGANIZATION_ID: organizationId,
    FIELDWATCH_API_KEY_ID: 'away-key',
    FIELDWATCH_API_KEY_SECRET: 'away-secret-of-32-characters-or-more',
    FIELDWATCH_REQUESTS_PER_MINUTE: '0',
  });
});

afterAll(async () => {
  server.child.kill('SIGTERM');
  await server.ended;
  dataDir.remove();
});

function postmasterPid(): number {
  const file = join(dataDir.path, 'postgres', 'cluster', 'postmaster.pid');
  return Number(readFileSync(file, 'utf8').split('\n')[0]);
}

it('storage that goes away under load makes readings wait or be refused, and none is lost', async () => {
  const url = await server.ready;
  await reporter.prepare(url);
  const statuses = new Set<number>();
  let isDone = false;
  const write = async () => {
    while (!isDone) statuses.add(await reporter.report(url));
  };
  const writers = Array.from({ length: WRITERS }, write);
  const acknowledgedOver = (count: number) =>
    expect
      .poll(() => reporter.acknowledged.size, { timeout: 60_000, interval: 5 })
      .toBeGreaterThan(count);

  for (let times = 0; times < 2; times += 1) {
    await acknowledgedOver(reporter.acknowledged.size + 100);
    const pid = postmasterPid();
    process.kill(pid, 'SIGKILL');
    await expect
      .poll(async () => (await call(url, operations.checkReadiness)).status, { timeout: 60_000 })
      .toBe(200);
    await acknowledgedOver(reporter.acknowledged.size + 100);
  }
  isDone = true;
  await Promise.all(writers);
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(reporter.faultsOf(await reporter.stored(url))).toEqual({ lost: [], doubled: 0 });
}, 180_000);
