import { afterAll, beforeAll, expect, it } from 'vitest';
import { basic } from '../support/call.ts';
import { createDataDir } from '../support/data-dir.ts';
import { type ServerProcess, spawnServer } from '../support/process.ts';
import { createReporter } from '../support/reporter.ts';

const organizationId = '018f0000-0000-7000-8000-0000000000ac';
const SECRET = 'crash-secret-of-32-characters-or-more';
const target = { auth: basic('crash-key', SECRET), organizationId };
const dataDir = createDataDir();
let server: ServerProcess;

const start = () =>
  spawnServer({
    FIELDWATCH_DATA_DIR: dataDir.path,
    FIELDWATCH_ORGANIZATION_ID: organizationId,
    FIELDWATCH_API_KEY_ID: 'crash-key',
    FIELDWATCH_API_KEY_SECRET: SECRET,
    FIELDWATCH_REQUESTS_PER_MINUTE: '0',
  });

beforeAll(() => {
  server = start();
});

afterAll(async () => {
  server.child.kill('SIGTERM');
  await server.ended;
  dataDir.remove();
});

it('after a kill during a burst without timestamps ahead of the clock, the server stores later readings', async () => {
  const burst = createReporter(target);
  await burst.prepare(await server.ready);
  const values = Array.from({ length: 60_000 }, (_, value) => value);
  await burst.reportUntimed(await server.ready, values);
  server.child.kill('SIGKILL');
  await server.ended;
  server = start();
  await burst.reportUntimed(await server.ready, [-1, -2]);
  const stored = await burst.storedUntimed(await server.ready);
  expect(stored.length).toBe(60_002);
  expect(stored.slice(-2).map(({ value }) => value)).toEqual([-1, -2]);
}, 120_000);
