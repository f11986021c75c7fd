import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createTestDatabase } from '../../test/support/postgres.ts';
import { openTestStorage } from '../../test/support/storage.ts';
import { createSecret, placeSecret } from '../runtime/index.ts';
import { claimSecret, type Storage } from './index.ts';

const SETTING = 'a secret key for tests, 32 or more';

let storage: Storage;
let dataDir: string;

beforeEach(async () => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  storage = await openTestStorage({ databaseUrl: database.url });
  dataDir = mkdtempSync(join(tmpdir(), 'fieldwatch-key-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
});

const claim = (options: { secretKey?: string; isNew?: boolean } = {}) =>
  claimSecret(storage, { secretKey: null, dataDir, isNew: false, ...options });

const removeKey = () => rmSync(join(dataDir, 'secret.key'));

describe('the secret key of an installation', () => {
  it('is made by the first start and found by the next', async () => {
    const secret = await claim();
    expect(readdirSync(dataDir)).toEqual(['secret.key']);
    expect(await claim()).toEqual(secret);
  });

  it('is not replaced when it is missing: the start is refused, with the remedy', async () => {
    await claim();
    removeKey();
    await expect(claim()).rejects.toThrow(/secret\.key .* is missing.*restore it from a backup/);
    await expect(claim({ isNew: true })).rejects.toThrow(/is missing/);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('is refused when it is not that of the database, as a file and as a setting', async () => {
    await claim();
    removeKey();
    placeSecret(dataDir, Buffer.alloc(32, 7));
    await expect(claim()).rejects.toThrow(/secret\.key .* is not the key.*restore that key/);
    await expect(claim({ secretKey: SETTING })).rejects.toThrow(
      /^FIELDWATCH_SECRET_KEY is not the key/,
    );
  });

  it('beside an empty database is refused, unless a new installation is asked for', async () => {
    placeSecret(dataDir, Buffer.alloc(32, 7));
    await expect(claim()).rejects.toThrow(/the database is empty.*npm start -- --new/);
    expect(await claim({ isNew: true })).toEqual(Buffer.alloc(32, 7));
    expect(await claim()).toEqual(Buffer.alloc(32, 7));
  });

  it('as a setting starts on an empty database', async () => {
    expect((await claim({ secretKey: SETTING })).toString()).toBe(SETTING);
    await expect(claim()).rejects.toThrow(/is missing/);
  });

  it('of a first start that was interrupted is used by the next, wherever it was', async () => {
    const begun = createSecret(dataDir);
    const secret = await claim();
    expect(secret).toEqual(begun);
    removeKey();
    // As if the start had ended after recording the key and before keeping its file.
    placeSecret(join(dataDir, 'other'), secret);
    renameSync(join(dataDir, 'other', 'secret.key'), join(dataDir, 'secret.key.new'));
    expect(await claim()).toEqual(secret);
    expect(readdirSync(dataDir)).toContain('secret.key');
  });

  it('of a database older than check values is recorded by the first start with it', async () => {
    await storage.query('insert into installation (key_check) values (null)');
    await expect(claim()).rejects.toThrow(/is missing/);
    placeSecret(dataDir, Buffer.alloc(32, 7));
    await claim();
    removeKey();
    placeSecret(dataDir, Buffer.alloc(32, 8));
    await expect(claim()).rejects.toThrow(/is not the key/);
  });
});
