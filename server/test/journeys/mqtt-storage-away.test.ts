import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '@fieldwatch/contract';
import { afterAll, expect, it } from 'vitest';
import { basic, call } from '../support/call.ts';
import { createDataDir } from '../support/data-dir.ts';
import { createMqttReporter } from '../support/mqtt-reporter.ts';
import { mqttPortOf, type ServerProcess, spawnServer } from '../support/process.ts';

/** Longer than storage may take to answer one query, shorter than the server's patience. */
const AWAY_MS = 4_000;

const organizationId = '018f0000-0000-7000-8000-0000000000bd';
const dataDir = createDataDir();
const server: ServerProcess = spawnServer({
  FIELDWATCH_DATA_DIR: dataDir.path,
  FIELDWATCH_ORGANIZATION_ID: organizationId,
  FIELDWATCH_API_KEY_ID: 'away-key',
  FIELDWATCH_API_KEY_SECRET: 'away-secret-of-32-characters-or-more',
  FIELDWATCH_REQUESTS_PER_MINUTE: '0',
});
const reporter = createMqttReporter({
  auth: basic('away-key', 'away-secret-of-32-characters-or-more'),
  organizationId,
  mqttPort: () => mqttPortOf(server),
});

afterAll(async () => {
  await reporter.end();
  server.child.kill('SIGTERM');
  await server.ended;
  dataDir.remove();
});

function postmasterPid(): number {
  const file = join(dataDir.path, 'postgres', 'cluster', 'postmaster.pid');
  return Number(readFileSync(file, 'utf8').split('\n')[0]);
}

/** PostgreSQL with all its processes: one that is stopped alone leaves the others at work. */
function postgresPids(): number[] {
  const pid = postmasterPid();
  const all = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const pairs = all.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  return [pid, ...pairs.flatMap(([child, parent]) => (child && parent === pid ? [child] : []))];
}

const acknowledgedMore = (messages: number) =>
  expect
    .poll(reporter.acknowledged, { timeout: 60_000, interval: 5 })
    .toBeGreaterThan(reporter.acknowledged() + messages);

it('storage that does not answer for a while makes Devices wait, and costs no reading and no connection', async () => {
  const url = await server.ready;
  await reporter.start(url);
  await acknowledgedMore(50);
  const pids = postgresPids();
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  await sleep(AWAY_MS);
  for (const pid of pids) process.kill(pid, 'SIGCONT');
  await acknowledgedMore(50);
  expect(reporter.closes()).toBe(0);

  process.kill(postmasterPid(), 'SIGKILL');
  await expect
    .poll(async () => (await call(url, operations.checkReadiness)).status, { timeout: 60_000 })
    .toBe(200);
  await acknowledgedMore(50);
  expect(reporter.closes()).toBe(0);
  await reporter.finish(60_000);
  expect(await reporter.faults(url)).toEqual({ lost: 0, doubled: 0, refused: 0 });
}, 300_000);
