import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations } from '@fieldwatch/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../src/runtime/index.ts';
import { fieldwatch } from '../support/command.ts';
import { rowsIn } from '../support/database.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { SECRET_KEY, startServer } from '../support/server.ts';

let database: TestDatabase;
let folder: string;

beforeEach(async () => {
  database = await createEmptyDatabase('SQL_ASCII');
  folder = mkdtempSync(join(tmpdir(), 'fieldwatch-encoding-'));
});

afterEach(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

const run = (databaseUrl: string, ...args: readonly string[]) =>
  fieldwatch(args, {
    ...{ DATABASE_URL: databaseUrl, FIELDWATCH_SECRET_KEY: SECRET_KEY },
    ...{ FIELDWATCH_DATA_DIR: folder, FIELDWATCH_HTTP_PORT: '0', FIELDWATCH_MQTT_PORT: '0' },
  });

async function encodingFinding() {
  const { output } = await run(database.url, 'doctor', '--json');
  const { findings } = JSON.parse(output) as { findings: { check: string }[] };
  return findings.find(({ check }) => check === 'encoding');
}

describe('a database with the encoding SQL_ASCII', () => {
  it('is refused for a new installation, and the doctor says how to create it', async () => {
    expect(await encodingFinding()).toEqual({
      check: 'encoding',
      level: 'ERROR',
      message: 'The database has the encoding SQL_ASCII, and a start needs UTF8.',
      remedy:
        "Create a database with ENCODING 'UTF8' TEMPLATE template0, and name it in DATABASE_URL.",
    });
    await expect(startServer({ databaseUrl: database.url })).rejects.toThrow(
      /^DATABASE_URL: the database test_\w+ has the encoding SQL_ASCII, and UTF8 is needed: create it with ENCODING 'UTF8' TEMPLATE template0\.$/,
    );
    expect(
      await rowsIn(database.url, 'select from pg_tables where schemaname = $1', ['public']),
    ).toEqual([]);
  });

  it('of an earlier version starts with a warning, and its backup is restored to UTF8', async () => {
    // Earlier versions did not look at the encoding: they created this table and went on.
    await rowsIn(
      database.url,
      `create table schema_migrations (version integer primary key, file text not null,
         sha256 text not null, applied_at timestamptz not null)`,
    );
    const lines: string[] = [];
    const log = createLog('warn', { write: (line) => void lines.push(line) });
    const server = await startServer({ databaseUrl: database.url, environment: { log } });
    const body = { type: 'CUSTOM_DEVICE', name: 'Öltank' };
    expect((await server.call(operations.createDevice, { body })).status).toBe(201);
    await server.stop();
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        encoding: 'SQL_ASCII',
        msg: 'the database is not UTF8; fieldwatch doctor says what to do',
      }),
    );
    expect(await encodingFinding()).toMatchObject({ level: 'WARNING' });
    const lower = `select lower(name) as name from devices`;
    expect(await rowsIn(database.url, lower)).toEqual([{ name: 'Öltank' }]);

    const file = join(folder, 'moved.backup');
    const utf8 = await createTestDatabase();
    try {
      expect(await run(database.url, 'backup', file)).toMatchObject({ exitCode: 0 });
      expect(await run(utf8.url, 'restore', file)).toMatchObject({ exitCode: 0, errors: '' });
      expect(await rowsIn(utf8.url, lower)).toEqual([{ name: 'öltank' }]);
    } finally {
      await utf8.drop();
    }
  });
});
