import { afterAll, expect, it } from 'vitest';
import { basic } from '../support/call.ts';
import { createDataDir } from '../support/data-dir.ts';
import { createMqttReporter } from '../support/mqtt-reporter.ts';
import { mqttPortOf, type ServerProcess, spawnServer } from '../support/process.ts';

const KILLS = 3;
const MESSAGES_BETWEEN = 40;

const organizationId = '018f0000-0000-7000-8000-0000000000ad';
const dataDir = createDataDir();
let server: ServerProcess = start();
const reporter = createMqttReporter({
  auth: basic('crash-key', 'crash-secret-of-32-characters-or-more'),
  organizationId,
  mqttPort: () => mqttPortOf(server),
});

function start(): ServerProcess {
  return spawnServer({
    FIELDWATCH_DATA_DIR: dataDir.path,
    FIELDWATCH_ORGANIZATION_ID: organizationId,
    FIELDWATCH_API_KEY_ID: 'crash-key',
    FIELDWATCH_API_KEY_SECRET: 'crash-secret-of-32-characters-or-more',
    FIELDWATCH_REQUESTS_PER_MINUTE: '0',
  });
}

afterAll(async () => {
  await reporter.end();
  server.child.kill('SIGTERM');
  await server.ended;
  dataDir.remove();
});

it(`killed ${KILLS} times while Devices publish, the server has each acknowledged reading exactly once`, async () => {
  await reporter.start(await server.ready);
  for (let kill = 0; kill < KILLS; kill += 1) {
    await server.ready;
    const enough = reporter.acknowledged() + MESSAGES_BETWEEN * (kill + 1);
    await expect
      .poll(reporter.acknowledged, { timeout: 60_000, interval: 5 })
      .toBeGreaterThan(enough);
    server.child.kill('SIGKILL');
    await server.ended;
    server = start();
    expect(await reporter.faults(await server.ready)).toEqual({ lost: 0, doubled: 0, refused: 0 });
  }
  await reporter.finish(60_000);
  expect(reporter.strays()).toBeGreaterThan(0);
  expect(await reporter.faults(await server.ready)).toEqual({ lost: 0, doubled: 0, refused: 0 });
}, 400_000);
