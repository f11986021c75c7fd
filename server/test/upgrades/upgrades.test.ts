import { readdirSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { operations } from '@fieldwatch/contract';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { settings } from '../../../scripts/fixture-data.mjs';
import { compose } from '../../src/compose/compose.ts';
import { readConfig } from '../../src/config.ts';
import { createLog, systemClock } from '../../src/runtime/index.ts';
import { type EmbeddedPostgres, startEmbedded } from '../../src/storage/index.ts';
import { basic, bearer, type Call, call } from '../support/call.ts';
import { parentDirectory } from '../support/postgres.ts';
import { spawnServer } from '../support/process.ts';
import { startReceiver } from '../support/receiver.ts';
import { cases } from '../support/soak.ts';
import { openTestStorage, temporaryDirectory } from '../support/storage.ts';
import { type Answers, answersOf, execute, type History, loadFixture, STATES } from './fixture.ts';
import { interruptMigration } from './interruption.ts';

/*
 * Data that older servers wrote, each killed while it ran. Migrations that store something in another
 * way have a fixture of the state before them (record 69 of docs/adr).
 */
const NEWEST = readdirSync(new URL('../../migrations/', import.meta.url)).length;
const OLDER = STATES.filter((state) => Number(state) < NEWEST);
const FUTURE_MS = 3_600_000;
const isSoak = cases(2, 0.5) === 2;

/** A cluster of these tests alone: killing a process of PostgreSQL disconnects everybody. */
let dataDir: string;
let postgres: EmbeddedPostgres;

function adminUrl(): string {
  const { host, port, user, password } = postgres.superuserTarget();
  const query = new URLSearchParams({ host: String(host), port: String(port) });
  return `postgresql://${user}:${password}@localhost/postgres?${query}`;
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(await parentDirectory(), 'fw-upgrades-'));
  await chmod(dataDir, 0o711);
  const log = createLog('silent');
  postgres = await startEmbedded({ dataDir, postgresBin: null, log, onProgress: () => undefined });
});

afterAll(async () => {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** This version's server on a database, until the end of the test. */
async function start(databaseUrl: string) {
  const env = { FIELDWATCH_HTTP_HOST: '127.0.0.1', FIELDWATCH_HTTP_PORT: '0' };
  const own = { FIELDWATCH_MQTT_PORT: '0', FIELDWATCH_DATA_DIR: await temporaryDirectory() };
  const read = readConfig({ ...settings, ...env, ...own, DATABASE_URL: databaseUrl });
  if ('problems' in read) throw new Error(read.problems.join('\n'));
  const log = createLog('silent');
  const limits = { maxLagMs: 60_000 };
  const onProgress = () => undefined;
  const service = await compose(read.config, { clock: systemClock, log, onProgress, limits });
  onTestFinished(() => service.stop());
  const organizationId = settings.FIELDWATCH_ORGANIZATION_ID;
  const auth = basic(settings.FIELDWATCH_API_KEY_ID, settings.FIELDWATCH_API_KEY_SECRET);
  return async (operation: (typeof operations)[keyof typeof operations], given: Call = {}) => {
    const params = { organizationId, ...given.params };
    const url = `http://127.0.0.1:${service.port}`;
    return (await call(url, operation, { auth, ...given, params })).body;
  };
}

type Server = Awaited<ReturnType<typeof start>>;

/** A record without what moves by itself while a server runs. */
function still({ isOnline, lastSeenDateTime, ...rest }: Readonly<Record<string, unknown>>): object {
  return rest;
}

async function expectHistory(server: Server, { id, first, steps, values }: History) {
  const query = `startTime=0&endTime=${systemClock.now() + FUTURE_MS}&take=10000`;
  const { items } = await server(operations.listReadings, { params: { variableId: id }, query });
  let time = first;
  const times = [first, ...steps.map((step) => (time += step))];
  expect(items).toEqual(values.map((value, index) => ({ timestamp: times[index], value })));
}

async function expectRecords(server: Server, answers: Answers) {
  const { device } = answers;
  const params = { deviceId: device.id };
  expect(await server(operations.retrieveDevice, { params })).toMatchObject(still(device));
  const lists = [
    [await server(operations.listVariables), answers.variables],
    [await server(operations.searchAlarms, { body: {} }), answers.alarms],
    [await server(operations.listAlarmGroups), answers.groups],
    [await server(operations.listWebhooks), answers.webhooks],
  ] as const;
  for (const [{ items }, expected] of lists) expect(items).toMatchObject(expected);
  const body = { startTime: 0, endTime: systemClock.now() + FUTURE_MS };
  const { items } = await server(operations.listAlarmHistory, { body });
  expect(items).toMatchObject(answers.events);
}

async function expectSignIn(server: Server, email: string, password: string, role: string) {
  const body = { email, password };
  const { accessToken } = await server(operations.createToken, { body, auth: undefined });
  const me = await server(operations.retrieveMe, { auth: bearer(accessToken) });
  expect(me).toMatchObject({ email, organizations: [{ role }] });
}

/** A new alarm reaches the webhook of the fixture, signed with the secret that it was made with. */
async function expectDelivery(server: Server, answers: Answers) {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  const [webhook] = answers.webhooks;
  const params = { webhookId: webhook?.id ?? '', deviceId: answers.device.id };
  await server(operations.updateWebhook, { params, body: { url: receiver.url } });
  await server(operations.writeReadings, { params, body: { engine: { speed: 2_500 } } });
  const raised = () =>
    receiver.received.find(
      ({ body }) => body.type === 'alarm.raised' && body.data.raisedValue === 2_500,
    );
  await expect.poll(raised).toMatchObject({ body: { data: { raisedValue: 2_500 } } });
  const verifier = new Verifier(answers.webhookSecret);
  const message = raised();
  verifier.verify(message?.text ?? '', message?.headers as Record<string, string>);
}

async function versionOf(url: string): Promise<number | undefined> {
  const sql = 'select max(version) as version from schema_migrations';
  return (await execute<{ version: number }>(url, sql))[0]?.version;
}

/** Kills a starting server in the middle of the migration after `version`. */
async function killServer(url: string, version: number) {
  const interruption = await interruptMigration(url, version);
  const own = { DATABASE_URL: url, FIELDWATCH_DATA_DIR: await temporaryDirectory() };
  const server = spawnServer({ ...settings, ...own });
  await interruption.reached();
  server.child.kill('SIGKILL');
  await server.ended;
  await interruption.end();
}

/** Kills the process of PostgreSQL that runs the migration after `version`, and with it all of them. */
async function killBackend(url: string, version: number) {
  const interruption = await interruptMigration(url, version);
  const opening = openTestStorage({ databaseUrl: url }).catch((error: unknown) => error);
  process.kill(await interruption.reached(), 'SIGKILL');
  expect(await opening).toMatchObject({ name: 'StartFailure' });
  // PostgreSQL takes no connections until it has recovered.
  const hasEnded = () =>
    interruption.end().then(
      () => true,
      () => false,
    );
  await expect.poll(hasEnded).toBe(true);
}

/** Each kills in another migration. In `npm test` each fixture gets one of the two in turn. */
const KILLS = [killServer, killBackend];

async function interruptUpgrade(url: string, state: string) {
  const turn = STATES.indexOf(state);
  const middle = Math.floor((Number(state) + NEWEST) / 2);
  const kills = KILLS.filter((_, index) => isSoak || index === turn % KILLS.length).slice(
    0,
    NEWEST - middle,
  );
  for (const [index, kill] of kills.entries()) {
    await kill(url, middle + index);
    await expect.poll(() => versionOf(url)).toBe(middle + index);
  }
}

async function expectAll(url: string, answers: Answers) {
  const server = await start(url);
  expect(await versionOf(url)).toBe(NEWEST);
  for (const history of answers.history) await expectHistory(server, history);
  await expectRecords(server, answers);
  const { FIELDWATCH_ADMIN_EMAIL: admin, FIELDWATCH_ADMIN_PASSWORD: password } = settings;
  await expectSignIn(server, admin, password, 'ADMINISTRATOR');
  await expectSignIn(server, 'editor@example.com', 'the password of an editor', 'EDITOR');
  await expectDelivery(server, answers);
}

/**
 * The oldest, one between, and the newest run every migration on data of every kind. In `npm test` the
 * first two are killed, each in another way, and the newest is not.
 */
const KILLED = OLDER.filter((_, index) => isSoak || index === 0 || index === 3);

it.each(KILLED)(
  'an upgrade from migration %s that is killed in the middle goes on at the next start, and nothing is lost',
  async (state) => {
    const url = await loadFixture(adminUrl(), state, `killed_${state}`);
    await interruptUpgrade(url, state);
    await expectAll(url, answersOf(state));
  },
);

it.each(STATES.filter((_, index) => isSoak || index === STATES.length - 1))(
  'a database that was written at migration %s is upgraded at once, and nothing is lost',
  async (state) => {
    const url = await loadFixture(adminUrl(), state, `plain_${state}`);
    await expectAll(url, answersOf(state));
  },
);

it('a database that a newer version has migrated is refused, with what to do', async () => {
  const url = await loadFixture(adminUrl(), STATES.at(-1) ?? '', 'newer');
  await openTestStorage({ databaseUrl: url });
  await execute(
    url,
    `insert into schema_migrations values (${NEWEST + 1}, '9999-later.sql', '', now())`,
  );
  await expect(start(url)).rejects.toThrow(
    `The database is at version ${NEWEST + 1} (9999-later.sql) and this build knows versions up to ${NEWEST} only: run the newer build, or restore the backup from before the upgrade.`,
  );
});
