import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { basic, call } from '../support/call.ts';
import { createDataDir } from '../support/data-dir.ts';
import { type ServerProcess, spawnServer } from '../support/process.ts';

const KILLS = 10;
const WRITERS = 4;

const organizationId = '018f0000-0000-7000-8000-0000000000aa';
const auth = basic('crash-key', 'crash-secret-of-32-characters-or-more');
const dataDir = createDataDir();
let server: ServerProcess;

const start = () =>
  spawnServer({
    FIELDWATCH_DATA_DIR: dataDir.path,
    FIELDWATCH_ORGANIZATION_ID: organizationId,
    FIELDWATCH_ADMIN_PASSWORD: 'crash-password',
    FIELDWATCH_API_KEY_ID: 'crash-key',
    FIELDWATCH_API_KEY_SECRET: 'crash-secret-of-32-characters-or-more',
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

/** Writes until the server is gone, and keeps what was acknowledged. */
async function writeUntilGone(url: string, acknowledged: Set<string>): Promise<void> {
  for (;;) {
    try {
      const { status, body } = await call(url, operations.createApiKey, {
        auth,
        params: { organizationId },
        body: { name: 'Written', permissions: [] },
      });
      if (status === 201) acknowledged.add(body.id);
    } catch {
      return;
    }
  }
}

async function stored(url: string): Promise<Set<string>> {
  const ids = new Set<string>();
  for (let skip = 0; ; skip += 1000) {
    const { body } = await call(url, operations.listApiKeys, {
      auth,
      params: { organizationId },
      query: `take=1000&skip=${skip}`,
    });
    for (const { id } of body.items) ids.add(id);
    if (ids.size >= body.count) return ids;
  }
}

it(`killed ${KILLS} times while it writes, the server starts again each time and has lost nothing`, async () => {
  const acknowledged = new Set<string>();
  for (let kill = 0; kill < KILLS; kill += 1) {
    const url = await server.ready;
    const enough = acknowledged.size + 20 + kill * 5;
    const writers = Array.from({ length: WRITERS }, () => writeUntilGone(url, acknowledged));
    await expect
      .poll(() => acknowledged.size, { timeout: 20_000, interval: 5 })
      .toBeGreaterThan(enough);
    server.child.kill('SIGKILL');
    await server.ended;
    await Promise.all(writers);
    server = start();
    const kept = await stored(await server.ready);
    expect([...acknowledged].filter((id) => !kept.has(id))).toEqual([]);
  }
}, 180_000);
