import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { operations } from '@fieldwatch/contract';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { placeSecret, readSecret } from '../../src/runtime/index.ts';
import { fieldwatch } from '../support/command.ts';
import { digest, rowsIn } from '../support/database.ts';
import { documented, words } from '../support/documented-commands.ts';
import { ingestCalls } from '../support/ingest-calls.ts';
import { OWN_LOCKS } from '../support/locks.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** The digest of an empty table. */
const NOTHING = createHash('md5').update('').digest('hex');

const [, , , , , ...REVOKE] = words(
  documented('docs/backing-up.md', 'npm run restore -- fieldwatch.backup --revoke-keys'),
);

let server: TestServer;
let directory: string;

beforeAll(async () => {
  server = await startServer();
  directory = await mkdtemp(join(tmpdir(), 'fieldwatch-backup-'));
  placeSecret(directory, Buffer.alloc(32, 7));
});

afterAll(async () => {
  await server.stop();
  await rm(directory, { recursive: true });
});

async function run(
  command: 'backup' | 'restore',
  databaseUrl: string,
  args: string[],
  dataDir = directory,
) {
  const environment = { DATABASE_URL: databaseUrl, FIELDWATCH_DATA_DIR: dataDir };
  const { exitCode, output, errors } = await fieldwatch([command, ...args], environment);
  return { exitCode, said: output, complaints: errors };
}

async function restored(file: string, dataDir = directory) {
  const database = await createTestDatabase();
  return { database, ...(await run('restore', database.url, [file], dataDir)) };
}

/** A backup with nothing written meanwhile: the server writes some things a little later. */
async function backUpAtRest() {
  for (let attempt = 0; ; attempt += 1) {
    const file = join(directory, `whole-${attempt}.backup`);
    const content = await digest(server.databaseUrl);
    const made = await run('backup', server.databaseUrl, [file]);
    expect(made).toMatchObject({ exitCode: 0, complaints: '' });
    expect(made.said).toMatch(/Backed up \d+ rows of \d+ tables/);
    const isSame = isDeepStrictEqual(await digest(server.databaseUrl), content);
    if (isSame) return { file, content };
    expect(attempt).toBeLessThan(20);
  }
}

describe('a backup', () => {
  it('made while the server runs and restored elsewhere is the same database', async () => {
    const calls = ingestCalls(server);
    const device = await calls.newDevice();
    await calls.newVariable(device.id, 'engine.rpm');
    await calls.write(device.id, { 'engine.rpm': 1800 });
    const { file, content } = await backUpAtRest();
    expect((await stat(file)).mode & 0o777).toBe(0o600);

    const elsewhere = join(directory, 'elsewhere');
    const { database, ...outcome } = await restored(file, elsewhere);
    try {
      expect(outcome).toMatchObject({ exitCode: 0, complaints: '' });
      expect(outcome.said).toMatch(/Restored \d+ rows of \d+ tables/);
      const { sessions, refresh_tokens, partitions, ...same } = await digest(database.url);
      expect(content).toMatchObject(same);
      for (const gone of [sessions, refresh_tokens, partitions]) expect(gone).toBe(NOTHING);
      expect(await rowsIn(database.url, 'select from nodes')).toEqual([]);
      expect(readSecret(null, elsewhere)).toEqual(readSecret(null, directory));
    } finally {
      await database.drop();
    }
  });

  it('without the secret key is written, says so, and exits with 3', async () => {
    const keyless = join(directory, 'keyless');
    const file = join(directory, 'keyless.backup');
    const made = await run('backup', server.databaseUrl, [file], keyless);
    expect(made.exitCode).toBe(3);
    expect(made.complaints).toContain(`there is no secret.key in ${keyless}`);
    expect(made.said).toMatch(/Backed up \d+ rows/);
  });

  it.each([
    ['names the API keys that it brings back', [], 1, /"Test key" of .*, last used never/],
    ['revokes all API keys when asked to', REVOKE, 0, /Revoked 2 API keys/],
  ])('restored ends all sessions and %s', async (_, flags, keys, output) => {
    if ((await rowsIn(server.databaseUrl, 'select from api_keys')).length === 1) {
      await server.newKey(['ReadAssets']);
    }
    const file = join(directory, `access-${keys}.backup`);
    await run('backup', server.databaseUrl, [file]);
    const database = await createTestDatabase();
    try {
      const { said, exitCode } = await run('restore', database.url, [file, ...flags]);
      expect(exitCode).toBe(0);
      expect(said).toMatch(output);
      expect(said).toMatch(/Ended [1-9]\d* sessions/);
      expect(await rowsIn(database.url, 'select from sessions')).toEqual([]);
      expect(await rowsIn(database.url, 'select from refresh_tokens')).toEqual([]);
      expect(await rowsIn(database.url, 'select from api_keys')).toHaveLength(2 * keys);
    } finally {
      await database.drop();
    }
  });

  it('is one moment of a database that goes on changing', async () => {
    const file = join(directory, 'moment.backup');
    // Copied after the audit log and before the Locations; the backup waits there.
    const holder = new pg.Client({ connectionString: server.databaseUrl });
    await holder.connect();
    await holder.query('begin; lock table dashboards');
    const backup = run('backup', server.databaseUrl, [file]);
    const waiting = `select ${OWN_LOCKS} and not granted`;
    await expect.poll(() => rowsIn(server.databaseUrl, waiting)).toHaveLength(1);
    await server.call(operations.createLocation, { body: { name: 'Too late for it' } });
    await holder.query('commit');
    await holder.end();
    expect(await backup).toMatchObject({ exitCode: 0 });
    // An audit entry without its Location, or the other way about, would be two moments.
    const { database, ...outcome } = await restored(file);
    try {
      expect(outcome).toMatchObject({ exitCode: 0, complaints: '' });
      const [counts] = await rowsIn<{ entries: number; locations: number }>(
        database.url,
        `select count(*)::int as entries, (select count(*)::int from locations) as locations
         from audit_log where operation = 'createLocation'`,
      );
      expect(counts?.entries).toBe(counts?.locations);
    } finally {
      await database.drop();
    }
  });

  it('never takes the place of another file', async () => {
    const file = join(directory, 'taken.backup');
    await writeFile(file, 'mine');
    const { exitCode, complaints } = await run('backup', server.databaseUrl, [file]);
    expect(exitCode).toBe(1);
    expect(complaints).toContain('exists already');
    expect(await readFile(file, 'utf8')).toBe('mine');
    expect((await readdir(directory)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('is refused by a database that holds data', async () => {
    const file = join(directory, 'refused.backup');
    await run('backup', server.databaseUrl, [file]);
    const before = await digest(server.databaseUrl);
    const { exitCode, complaints } = await run('restore', server.databaseUrl, [file]);
    expect(exitCode).toBe(1);
    expect(complaints).toMatch(/holds data already .* empty DATABASE_URL/);
    expect(await digest(server.databaseUrl)).toEqual(before);
  });

  it('that is damaged leaves nothing behind, and is restored whole afterwards', async () => {
    const file = join(directory, 'good.backup');
    await run('backup', server.databaseUrl, [file]);
    const bytes = await readFile(file);
    const plain = gunzipSync(bytes);
    const newer = Buffer.from(
      plain.toString('latin1').replace('"format":1', '"format":2'),
      'latin1',
    );
    const damages: readonly [string, Buffer, RegExp][] = [
      ['cut', bytes.subarray(0, bytes.length / 2), /^The backup is damaged: /],
      ['open', gzipSync(plain.subarray(0, -3)), /it stops in the middle/],
      ['endless', gzipSync(plain.subarray(0, plain.lastIndexOf('E\0\0\0'))), /before its end/],
      ['other', Buffer.from('not a backup'), /^The backup is damaged: /],
      ['newer', gzipSync(newer), /format 2 and this build reads format 1/],
    ];
    const database = await createTestDatabase();
    try {
      for (const [name, damage, reason] of damages) {
        const path = join(directory, `${name}.damaged`);
        await writeFile(path, damage);
        const { exitCode, complaints } = await run('restore', database.url, [path]);
        expect(complaints, name).toMatch(reason);
        expect(exitCode).toBe(1);
      }
      expect(await run('restore', database.url, [file])).toMatchObject({ exitCode: 0 });
    } finally {
      await database.drop();
    }
  });

  it('must be named, and be there', async () => {
    const unnamed = await run('restore', server.databaseUrl, []);
    expect(unnamed.complaints).toBe('restore needs <file>. Try fieldwatch help restore.\n');
    expect(unnamed.exitCode).toBe(2);
    const missing = await run('restore', server.databaseUrl, [join(directory, 'none')]);
    expect(missing.complaints).toMatch(/^There is no .*none\.\n$/);
  });
});
