import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CERTIFICATE, CERTIFICATE_KEY, RSA_CERTIFICATE_KEY } from '../support/certificate.ts';
import { fieldwatch } from '../support/command.ts';
import { rowsIn } from '../support/database.ts';
import { SECRET_KEY, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let dataDir: string;
let busy: Server;
let environment: Record<string, string>;

const file = (name: string) => join(dataDir, name);

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'fieldwatch-doctor-'));
  server = await startServer({ env: { FIELDWATCH_DATA_DIR: file('running') } });
  busy = createServer().listen(0, '127.0.0.1');
  await once(busy, 'listening');
  writeFileSync(file('cert.pem'), CERTIFICATE);
  writeFileSync(file('key.pem'), CERTIFICATE_KEY);
  writeFileSync(file('other.pem'), RSA_CERTIFICATE_KEY);
  for (const name of ['damaged', 'lost']) mkdirSync(file(name));
  writeFileSync(file('damaged/secret.key'), 'short');
  writeFileSync(file('lost/secret.key'), `${Buffer.alloc(32, 7).toString('base64url')}\n`);
  writeFileSync(file('file'), '');
  environment = {
    DATABASE_URL: server.databaseUrl,
    FIELDWATCH_DATA_DIR: file('running'),
    FIELDWATCH_SECRET_KEY: SECRET_KEY,
    FIELDWATCH_HTTP_HOST: '127.0.0.1',
    FIELDWATCH_HTTP_PORT: new URL(server.url).port,
    FIELDWATCH_MQTT_PORT: String(server.mqttPort),
  };
});

afterAll(async () => {
  busy.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

interface Examined {
  readonly errors: number;
  readonly findings: readonly { check: string; level: string; message: string }[];
}

async function examine(settings: Record<string, string> = {}) {
  const run = await fieldwatch(['doctor', '--json'], { ...environment, ...settings });
  const { errors, findings } = JSON.parse(run.output) as Examined;
  const wrong = findings.filter(({ level }) => level === 'ERROR').map(({ message }) => message);
  expect(wrong).toHaveLength(errors);
  return { exitCode: run.exitCode, wrong };
}

it('fieldwatch doctor passes the installation of a running server', async () => {
  expect(await examine()).toEqual({ exitCode: 0, wrong: [] });
  const { output } = await fieldwatch(['doctor'], environment);
  expect(output).toMatch(/^ok +port +Port \d+ is used by this server\.$/m);
});

const EMBEDDED = { DATABASE_URL: '', FIELDWATCH_SECRET_KEY: '' };

it.each<[string, () => Record<string, string>, RegExp]>([
  ['a wrong setting', () => ({ FIELDWATCH_HTTP_PORT: 'http' }), /^FIELDWATCH_HTTP_PORT must be/],
  [
    'a data directory that is a file',
    () => ({ ...EMBEDDED, FIELDWATCH_DATA_DIR: file('file') }),
    /file is not a directory/,
  ],
  [
    'a port in use by another program',
    () => ({
      ...EMBEDDED,
      FIELDWATCH_DATA_DIR: file('new'),
      FIELDWATCH_HTTP_PORT: String((busy.address() as AddressInfo).port),
      FIELDWATCH_MQTT_PORT: '0',
    }),
    new RegExp(`is used by .*\\(process ${process.pid}\\)`),
  ],
  [
    'an address of another machine',
    () => ({ FIELDWATCH_HTTP_HOST: '192.0.2.1', FIELDWATCH_MQTT_URL: 'mqtt://192.0.2.1' }),
    /FIELDWATCH_HTTP_HOST is no address of this machine/,
  ],
  [
    'a certificate that is missing',
    () => ({
      FIELDWATCH_HTTP_TLS_CERT: file('none.pem'),
      FIELDWATCH_HTTP_TLS_KEY: file('key.pem'),
    }),
    /^FIELDWATCH_HTTP_TLS_CERT: .*none\.pem cannot be read/,
  ],
  [
    'a certificate with the key of another',
    () => ({
      FIELDWATCH_MQTT_TLS_CERT: file('cert.pem'),
      FIELDWATCH_MQTT_TLS_KEY: file('other.pem'),
    }),
    /^FIELDWATCH_MQTT_TLS_CERT and FIELDWATCH_MQTT_TLS_KEY are not a certificate and its key/,
  ],
  [
    'a broker that does not run',
    () => ({ FIELDWATCH_MQTT_URL: 'mqtt://site:secret@127.0.0.1:1' }),
    /^FIELDWATCH_MQTT_URL: the broker at mqtt:\/\/127\.0\.0\.1:1 cannot be used: nothing listens/,
  ],
  [
    'a broker that refuses the password',
    () => ({ FIELDWATCH_MQTT_URL: `mqtt://site:wrong@127.0.0.1:${server.mqttPort}` }),
    /^FIELDWATCH_MQTT_URL: the broker at \S+ cannot be used: .*(?:password|authorized)/i,
  ],
  [
    'a database that is not there',
    () => ({ DATABASE_URL: server.databaseUrl.replace(/\/[^/?]+(?=\?|$)/, '/nowhere') }),
    /there is no such database/,
  ],
  [
    'the key of another installation',
    () => ({ FIELDWATCH_SECRET_KEY: 'another secret key for tests, 32 or more' }),
    /^FIELDWATCH_SECRET_KEY is not the key that the database was made with/,
  ],
  [
    'a damaged key file',
    () => ({ FIELDWATCH_SECRET_KEY: '', FIELDWATCH_DATA_DIR: file('damaged') }),
    /secret\.key is damaged/,
  ],
  [
    'a missing key file',
    () => ({ FIELDWATCH_SECRET_KEY: '', FIELDWATCH_DATA_DIR: file('keyless') }),
    /is missing, and the database was made with it/,
  ],
  [
    'a key without its database',
    () => ({ ...EMBEDDED, FIELDWATCH_DATA_DIR: file('lost') }),
    /belongs to an installation, and its database is missing/,
  ],
])('fieldwatch doctor names %s, and exits with 1', async (_, settings, message) => {
  const { exitCode, wrong } = await examine(settings());
  expect(wrong.filter((text) => message.test(text))).toHaveLength(1);
  expect(exitCode).toBe(1);
});

it('fieldwatch doctor names a database of a newer version', async () => {
  const version = 9_000;
  await rowsIn(
    server.databaseUrl,
    `insert into schema_migrations values (${version}, '9000-future.sql', '', now())`,
  );
  const { wrong } = await examine();
  await rowsIn(server.databaseUrl, `delete from schema_migrations where version = ${version}`);
  expect(wrong).toContainEqual(expect.stringMatching(/at version 9000 .* run the newer build/));
});
