import { afterAll, beforeAll, expect, it } from 'vitest';
import { basic } from '../support/call.ts';
import { createDataDir } from '../support/data-dir.ts';
import { type ServerProcess, spawnServer } from '../support/process.ts';
import { createReporter } from '../support/reporter.ts';

// `bench/crash.mjs` does so 20 times, at full rate.
const KILLS = 5;
const WRITERS = 8;

const organizationId = '018f0000-0000-7000-8000-0000000000ac';
const SECRET = 'crash-secret-of-32-characters-or-more';
const target = { auth: basic('crash-key', SECRET), organizationId };
const reporter = createReporter(target);
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

async function reportUntilGone(url: string): Promise<void> {
  try {
    for (;;) await reporter.report(url);
  } catch {
    // Gone, as it should be.
  }
}

it(`killed ${KILLS} times while readings come in, the server has each acknowledged one exactly once`, async () => {
  await reporter.prepare(await server.ready);
  for (let kill = 0; kill < KILLS; kill += 1) {
    const url = await server.ready;
    const enough = reporter.acknowledged.size + 20 + kill * 5;
    const writers = Array.from({ length: WRITERS }, () => reportUntilGone(url));
    await expect
      .poll(() => reporter.acknowledged.size, { timeout: 30_000, interval: 5 })
      .toBeGreaterThan(enough);
    server.child.kill('SIGKILL');
    await server.ended;
    await Promise.all(writers);
    server = start();
    const stored = await reporter.stored(await server.ready);
    expect(reporter.faultsOf(stored)).toEqual({ lost: [], doubled: 0 });
  }
}, 200_000);

it('killed after a burst without timestamps that ran ahead of the clock, the server keeps what follows', async () => {
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
