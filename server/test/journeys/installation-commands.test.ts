import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basic, bearer } from '../support/call.ts';
import { fieldwatch } from '../support/command.ts';
import { createEmptyDatabase } from '../support/postgres.ts';
import { SECRET_KEY, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'fieldwatch-commands-'));
  server = await startServer({ env: { FIELDWATCH_DATA_DIR: dataDir } });
});

afterAll(async () => {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

function run(args: readonly string[], settings: Record<string, string> = {}, input = '') {
  const environment = {
    DATABASE_URL: server.databaseUrl,
    FIELDWATCH_DATA_DIR: dataDir,
    FIELDWATCH_SECRET_KEY: SECRET_KEY,
    FIELDWATCH_HTTP_HOST: '127.0.0.1',
    FIELDWATCH_HTTP_PORT: new URL(server.url).port,
    ...settings,
  };
  return fieldwatch(args, environment, input);
}

async function auditOf(operation: string) {
  const { body } = await server.call(operations.listAuditLog, { query: 'take=100' });
  const entries = body.items as { operation: string; actor: object; resourceId: string }[];
  return entries.filter((entry) => entry.operation === operation);
}

describe('fieldwatch status', () => {
  it('says that the server is ready, with its address, node, database and counts', async () => {
    const { exitCode, output } = await run(['status', '--json']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(output)).toMatchObject({
      isRunning: true,
      isReady: true,
      address: server.url,
      dataDir,
      database: { kind: 'EXTERNAL', state: 'RUNNING', migration: expect.any(Number) },
      nodes: [{ isHere: true, state: 'READY' }],
      counts: { organizations: 1, devices: 0 },
      lastBackup: null,
    });
    const plain = await run(['status']);
    expect(plain.output).toMatch(/^Server +ready at http:/);
    expect(plain.output).not.toContain('\u001b');
  });

  it('names the last backup', async () => {
    const file = join(dataDir, 'a.backup');
    expect(await run(['backup', file])).toMatchObject({ exitCode: 0 });
    const { output } = await run(['status', '--json']);
    expect(JSON.parse(output).lastBackup).toMatchObject({ file, rows: expect.any(Number) });
  });

  it('exits with 1 for a data directory whose server does not run', async () => {
    const other = join(dataDir, 'other');
    const { exitCode, output } = await run(['status', '--json'], { FIELDWATCH_DATA_DIR: other });
    expect(exitCode).toBe(1);
    expect(JSON.parse(output)).toMatchObject({ isRunning: false, nodes: [{ isHere: false }] });
    const empty = { FIELDWATCH_DATA_DIR: other, DATABASE_URL: '' };
    expect((await run(['status'], empty)).output).toMatch(/embedded PostgreSQL, missing/);
  });
});

describe('fieldwatch backup', () => {
  const none = /^There is no installation in .*: start the server once/;

  it('says that there is no installation in a new data directory, and creates none', async () => {
    const other = join(dataDir, 'not-yet');
    const settings = { DATABASE_URL: '', FIELDWATCH_DATA_DIR: other };
    const { exitCode, errors } = await run(['backup', join(dataDir, 'none.backup')], settings);
    expect(errors).toMatch(none);
    expect([exitCode, existsSync(other)]).toEqual([1, false]);
  });

  it('says that there is no installation in an empty database', async () => {
    const empty = await createEmptyDatabase('UTF8');
    const file = join(dataDir, 'empty.backup');
    const { exitCode, errors } = await run(['backup', file], { DATABASE_URL: empty.url });
    await empty.drop();
    expect(errors).toMatch(none);
    expect([exitCode, existsSync(file)]).toEqual([1, false]);
  });
});

describe('fieldwatch reset-password', () => {
  const EMAIL = 'lost@example.com';
  const [OLD, NEW] = ['the old password of it', 'a quite new password'];
  const signIn = (password: string) =>
    server.call(operations.createToken, { auth: undefined, body: { email: EMAIL, password } });

  beforeAll(async () => {
    const body = { email: EMAIL, role: 'VIEWER', password: OLD };
    await server.call(operations.createUser, { body });
  });

  it('prints a password that works, ends the sessions, and is in the audit log', async () => {
    const session = bearer((await signIn(OLD)).body.accessToken);
    const { exitCode, output } = await run(['reset-password', EMAIL.toUpperCase(), '--json']);
    expect(exitCode).toBe(0);
    const { password, ...result } = JSON.parse(output);
    expect(result).toMatchObject({ email: EMAIL, endedSessions: 1 });
    expect((await signIn(OLD)).status).toBe(401);
    expect((await signIn(password)).status).toBe(200);
    const me = () => server.call(operations.retrieveMe, { auth: session });
    await expect.poll(async () => (await me()).status).toBe(401);
    expect(await auditOf('resetPassword')).toMatchObject([
      { actor: { kind: 'SYSTEM' }, resourceId: result.userId },
    ]);
  });

  it('takes a password from standard input and does not print it', async () => {
    const { exitCode, output } = await run(['reset-password', EMAIL, '--stdin'], {}, `${NEW}\n`);
    expect(exitCode).toBe(0);
    expect(output).not.toContain(NEW);
    expect((await signIn(NEW)).status).toBe(200);
  });

  it.each([
    ['nobody@example.com', 'a quite new password', 'There is no user with the email nobody@'],
    [EMAIL, 'short', 'The password must have 12 to 256 characters.'],
  ])('refuses %s with %j', async (email, password, reason) => {
    const { exitCode, errors } = await run(['reset-password', email, '--stdin'], {}, password);
    expect(errors).toContain(reason);
    expect(exitCode).toBe(1);
    expect((await signIn(NEW)).status).toBe(200);
  });
});

describe('fieldwatch create-key', () => {
  it('creates a key of a role that works at once, and is in the audit log', async () => {
    const { exitCode, output } = await run(['create-key', 'Reader', '--role', 'VIEWER', '--json']);
    expect(exitCode).toBe(0);
    const { id, secret, permissions, expiresDateTime } = JSON.parse(output);
    expect(permissions).toContain('ReadAssets');
    expect(expiresDateTime).toBeNull();
    const auth = basic(id, secret);
    expect((await server.call(operations.listDevices, { auth })).status).toBe(200);
    expect(await auditOf('createApiKey')).toMatchObject([
      { actor: { kind: 'SYSTEM' }, resourceId: id },
    ]);
  });

  it('creates a key with single permissions that expires', async () => {
    const args = ['create-key', 'Import', '--permission', 'WriteReadings', '--days', '7'];
    const { output } = await run([...args, '--json']);
    const key = JSON.parse(output);
    expect(key.permissions).toEqual(['WriteReadings']);
    expect(key.expiresDateTime).toMatch(/Z$/);
  });

  it.each([
    [['create-key', 'Both', '--role', 'VIEWER', '--permission', 'ReadAssets'], 2],
    [['create-key', 'Neither'], 2],
    [['create-key', 'Odd', '--role', 'VIEWER', '--days', '0'], 2],
    [['create-key', 'Elsewhere', '--role', 'VIEWER', '--organization', 'none'], 1],
  ])('refuses %j with exit code %i', async (args, code) => {
    expect(await run(args)).toMatchObject({ exitCode: code, output: '' });
  });

  it('says that there is no installation, and creates none', async () => {
    const other = join(dataDir, 'none');
    const settings = { DATABASE_URL: '', FIELDWATCH_DATA_DIR: other };
    const { exitCode, errors } = await run(['create-key', 'A', '--role', 'VIEWER'], settings);
    expect(existsSync(other)).toBe(false);
    expect(errors).toMatch(/^There is no installation in .*none: start the server once/);
    expect(exitCode).toBe(1);
  });
});
