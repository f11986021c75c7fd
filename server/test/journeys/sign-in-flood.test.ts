import { setTimeout as pause } from 'node:timers/promises';
import { operations } from '@fieldwatch/contract';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD_COST } from '../../src/access/secrets/slow-hash.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let watcher: pg.Client;

beforeAll(async () => {
  server = await startServer({ surroundings: { passwordCost: PASSWORD_COST } });
  watcher = new pg.Client({ connectionString: server.databaseUrl });
  await watcher.connect();
});
afterAll(async () => {
  await watcher.end();
  await server.stop();
});

const heldOpen = async () => {
  const { rows } = await watcher.query<{ count: string }>(
    `select count(*) from pg_stat_activity
     where datname = current_database() and state = 'idle in transaction'
       and state_change < clock_timestamp() - interval '20 milliseconds'`,
  );
  return Number(rows[0]?.count);
};

describe('eighty wrong sign-ins at once', () => {
  it('hold no transaction open while passwords are checked, and others are answered', async () => {
    let isOver = false;
    const flood = Promise.all(
      Array.from({ length: 80 }, (_, one) =>
        server.call(operations.createToken, {
          body: { email: `${one}@example.com`, password: 'not the password' },
        }),
      ),
    ).finally(() => {
      isOver = true;
    });
    let mostHeld = 0;
    const watching = (async () => {
      while (!isOver) {
        mostHeld = Math.max(mostHeld, await heldOpen());
        await pause(5);
      }
    })();
    let reads = 0;
    while (!isOver) {
      expect((await server.call(operations.listLocations)).status).toBe(200);
      reads += 1;
    }
    await watching;
    const answers = await flood;
    expect(mostHeld).toBe(0);
    expect(reads).toBeGreaterThan(0);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]));
    for (const { status, headers } of answers) {
      if (status === 429) expect(headers.get('retry-after')).toBe('1');
    }
  });
});
