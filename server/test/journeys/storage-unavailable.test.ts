import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { basic, call } from '../support/call.ts';
import { createDataDir } from '../support/data-dir.ts';
import { type ServerProcess, spawnServer } from '../support/process.ts';

const dataDir = createDataDir();
const organizationId = '018f0000-0000-7000-8000-0000000000bb';
let server: ServerProcess;

beforeAll(() => {
  server = spawnServer({
    FIELDWATCH_DATA_DIR: dataDir.path,
    FIELDWATCH_ORGANIZATION_ID: organizationId,
    FIELDWATCH_API_KEY_ID: 'storage-key',
    FIELDWATCH_API_KEY_SECRET: 'storage-secret-of-32-characters-or-more',
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

it('unavailable storage is answered with 503, and needs no restart of the server once it is back', async () => {
  const url = await server.ready;
  const list = (secret = 'storage-secret-of-32-characters-or-more') =>
    call(url, operations.listApiKeys, {
      auth: basic('storage-key', secret),
      params: { organizationId },
    });
  expect((await list()).status).toBe(200);

  const pid = postmasterPid();
  process.kill(pid, 'SIGSTOP');
  process.kill(pid, 'SIGKILL');
  const seen = new Map<number, Awaited<ReturnType<typeof list>>>();
  await expect
    .poll(
      async () => {
        const answer = await list();
        seen.set(answer.status, answer);
        return seen.has(503);
      },
      { timeout: 20_000, interval: 5 },
    )
    .toBe(true);
  expect(seen.get(503)?.body.code).toBe('STORAGE_UNAVAILABLE');
  expect(Number(seen.get(503)?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await call(url, operations.checkHealth)).status).toBe(200);

  await expect.poll(async () => (await list()).status, { timeout: 30_000 }).toBe(200);
  await expect
    .poll(async () => (await call(url, operations.checkReadiness)).status, { timeout: 30_000 })
    .toBe(200);
  expect([...seen.keys()].every((status) => status === 200 || status === 503)).toBe(true);
  expect(postmasterPid()).not.toBe(pid);
}, 90_000);
