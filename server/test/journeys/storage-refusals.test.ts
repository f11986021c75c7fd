import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { rowsIn } from '../support/database.ts';
import { ingestCalls } from '../support/ingest-calls.ts';
import { waitForBlocked, whileLocked } from '../support/locks.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

const execute = (sql: string) => rowsIn(server.databaseUrl, sql);
const createLocation = () =>
  server.call(operations.createLocation, { body: { name: 'North yard' } });
const readiness = async () => (await server.call(operations.checkReadiness)).status;
const ready = () => expect.poll(readiness).toBe(200);

async function expectUnavailable(answer: ReturnType<typeof createLocation>): Promise<void> {
  const { status, body, headers } = await answer;
  expect(status).toBe(503);
  expect(body.code).toBe('STORAGE_UNAVAILABLE');
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
}

/** Readings that are written now, and taken once storage takes writes again. */
async function writeThroughout(refuse: () => Promise<unknown>, accept: () => Promise<unknown>) {
  const calls = ingestCalls(server);
  const { id } = await calls.newDevice();
  await calls.newVariable(id, 'engine.rpm');
  await refuse();
  const written = calls.write(id, { 'engine.rpm': 1 });
  await expectUnavailable(createLocation());
  await expect.poll(readiness).toBe(503);
  await accept();
  expect((await written).body).toMatchObject({ accepted: 1, stored: 1 });
  await ready();
  expect((await createLocation()).status).toBe(201);
}

/** What is set for a database counts for new connections. Resolves when the others have ended. */
const endConnections = () =>
  execute(`select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);

async function setReadOnly(value: 'on' | 'off'): Promise<void> {
  const writable = new URL(server.databaseUrl);
  writable.searchParams.set('options', '-c default_transaction_read_only=off');
  const database = new URL(server.databaseUrl).pathname.slice(1);
  await rowsIn(
    writable.href,
    `alter database ${database} set default_transaction_read_only = ${value}`,
  );
}

describe('storage that refuses writes', () => {
  it('answers 503 while it is read-only, and loses no reading until it takes writes', async () => {
    await writeThroughout(
      async () => {
        await setReadOnly('on');
        await endConnections();
      },
      // Connections that were refused are replaced; nobody ends them.
      () => setReadOnly('off'),
    );
  });

  it('answers 503 while its disk is full, and loses no reading until there is space', async () => {
    await execute(`create function no_space() returns trigger language plpgsql as
      $$ begin raise exception 'no space left on device' using errcode = '53100'; end $$`);
    await execute(`create function no_file() returns event_trigger language plpgsql as
      $$ begin raise exception 'no space left on device' using errcode = '53100'; end $$`);
    await writeThroughout(
      async () => {
        for (const table of ['locations', 'journal']) {
          await execute(`create trigger no_space before insert on ${table}
            for each statement execute function no_space()`);
        }
        await execute(`create event trigger no_file on ddl_command_start
          when tag in ('CREATE TABLE AS') execute function no_file()`);
      },
      async () => {
        await execute('drop event trigger no_file');
        for (const table of ['locations', 'journal'])
          await execute(`drop trigger no_space on ${table}`);
      },
    );
  });

  it('is not ready while the journal is locked, and loses no reading until it is free', async () => {
    const calls = ingestCalls(server);
    const { id } = await calls.newDevice();
    await calls.newVariable(id, 'engine.rpm');
    const { written } = await whileLocked(server.databaseUrl, 'journal', async () => {
      await expect.poll(readiness, { timeout: 20_000 }).toBe(503);
      return { written: calls.write(id, { 'engine.rpm': 1 }) };
    });
    expect((await written).body).toMatchObject({ accepted: 1, stored: 1 });
    await expect.poll(readiness, { timeout: 20_000 }).toBe(200);
    expect(await execute('select from journal where octet_length(data) = 0')).toEqual([]);
  });

  it('answers 503 for a statement that is cancelled while it waits for a lock', async () => {
    await whileLocked(server.databaseUrl, 'locations', async () => {
      const answers = [createLocation(), server.call(operations.listLocations)];
      await waitForBlocked(server.databaseUrl, 2);
      await execute(`select pg_cancel_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`);
      for (const answer of answers) await expectUnavailable(answer);
    });
  });
});

it('a reading whose alarm changes faster than it is judged is refused as OVERLOADED, and accepted later', async () => {
  const calls = ingestCalls(server);
  const { id: deviceId } = await calls.newDevice();
  const deviceVariableId = await calls.newVariable(deviceId, 'engine.rpm');
  const alarm = { name: 'High', isActive: true, operator: 'GREATER_THAN' };
  const created = await server.call(operations.createAlarm, {
    body: { ...alarm, thresholdValueNumber: 10, deviceId, deviceVariableId, alarmGroupId: null },
  });
  expect(created.status, created.text).toBe(201);
  await execute(`create function changed() returns trigger language plpgsql as
    $$ begin raise exception 'changed' using errcode = 'FW001'; end $$`);
  await execute(`create trigger changed before insert or update on alarm_watches
    for each statement execute function changed()`);
  const written = calls.write(deviceId, { 'engine.rpm': 11 });
  const ageing = setInterval(() => server.clock.advance(1_000), 100);
  const { status, body, headers } = await written.finally(() => clearInterval(ageing));
  expect([status, body.code]).toEqual([503, 'OVERLOADED']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  await execute('drop trigger changed on alarm_watches');
  expect((await calls.write(deviceId, { 'engine.rpm': 11 })).body).toMatchObject({ stored: 1 });
});

it('the server is not ready once another node has taken over from it', async () => {
  const fenced = await startServer();
  onTestFinished(() => fenced.stop());
  const answers = async () => (await fenced.call(operations.checkReadiness)).status;
  expect(await answers()).toBe(200);
  await rowsIn(
    fenced.databaseUrl,
    "update nodes set epoch = nextval('node_epochs'), lost_at = now()",
  );
  await expect.poll(answers, { timeout: 20_000 }).toBe(503);
});
