import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { alarmBench } from '../support/alarms.ts';
import { type CommandRun, startCommand } from '../support/command.ts';
import { callsIn, fencesIn, readPage, words } from '../support/documented-commands.ts';
import { type IngestCalls, ingestCalls, type Made } from '../support/ingest-calls.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { SECRET_KEY, startServer, type TestServer } from '../support/server.ts';

/** An API key cannot read Dashboards: export leaves them out, and plan may see a difference. */
const EXIT_CODES: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^export/, [3]],
  [/^plan/, [0, 4]],
];
/** The others start a server, need a broker or serve an assistant: other tests run them. */
const calls = [
  ...callsIn('docs/cli.md', ['', 'start --new', 'lorawan-probe', 'mcp']),
  ...callsIn('docs/mcp.md'),
];
let server: TestServer;
let device: Made;
let folder: string;
let made: IngestCalls;
let empty: TestDatabase;

const decoded = (header: string) => Buffer.from(header.split(' ')[1] ?? '', 'base64').toString();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fieldwatch-cli-docs-'));
  server = await startServer({ env: { FIELDWATCH_DATA_DIR: join(folder, 'data') } });
  made = ingestCalls(server);
  device = await made.newDevice();
  const deviceVariableId = await made.newVariable(device.id, 'engine.rpm');
  const terms = { operator: 'GREATER_THAN', thresholdValueNumber: 1600, severity: 'CRITICAL' };
  const watched = { deviceId: device.id, deviceVariableId };
  await alarmBench(() => server).create({ name: 'Speed', ...watched, ...terms });
  await made.newVariable(device.id, 'engine.running', { type: 'BOOLEAN' });
  const [csv] = fencesIn(readPage('docs/cli.md')).filter(({ text }) => text.startsWith('time,'));
  writeFileSync(join(folder, 'history.csv'), csv?.text ?? '');
  const files = fencesIn(readPage('docs/configuration-as-code.md')).map(({ text }) => text);
  const template = files.find((text) => text.startsWith('# templates/pump-station.yaml\n'));
  mkdirSync(join(folder, 'templates'));
  writeFileSync(join(folder, 'templates/pump-station.yaml'), template ?? '');
  empty = await createTestDatabase();
});

afterAll(async () => {
  await server.stop();
  await empty.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** The page has the names of an example; here they are those of the test. */
function replaced(word: string): string {
  if (word === '$DEVICE_ID') return device.id;
  if (word === 'admin@fieldwatch.local') return server.adminEmail;
  if (word.startsWith('mqtt://')) return server.mqttUrl.replace('//', `//${decoded(device.auth)}@`);
  return /\.(?:yaml|csv|backup|jsonl)$|^configuration$/.test(word) ? join(folder, word) : word;
}

it('the page has calls of every command that runs here', () => {
  const names = new Set(calls.map((call) => call.split(' ')[0]));
  expect([...names].sort()).toEqual([
    '--version',
    'apply',
    'backup',
    'completion',
    'create-key',
    'doctor',
    'export',
    'help',
    'import-csv',
    'plan',
    'publish',
    'reset-password',
    'restore',
    'schema',
    'status',
    'tail',
    'template',
  ]);
});

/** Runs a call to its end; `tail`, which has none, until it has printed a value or is connected. */
async function run(call: string): Promise<CommandRun> {
  const isRestore = call.startsWith('restore');
  const running = startCommand(words(call).map(replaced), {
    DATABASE_URL: isRestore ? empty.url : server.databaseUrl,
    FIELDWATCH_DATA_DIR: join(folder, isRestore ? 'restored' : 'data'),
    FIELDWATCH_SECRET_KEY: SECRET_KEY,
    FIELDWATCH_HTTP_HOST: '127.0.0.1',
    FIELDWATCH_HTTP_PORT: new URL(server.url).port,
    FIELDWATCH_MQTT_PORT: String(server.mqttPort),
    FIELDWATCH_URL: server.url,
    FIELDWATCH_KEY: decoded(server.key),
    FIELDWATCH_ORGANIZATION_ID: server.organizationId,
  });
  if (call.startsWith('tail')) {
    const happening = async () => {
      for (const rpm of [1500, 1700]) await made.write(device.id, { 'engine.rpm': rpm });
      return running.output();
    };
    await expect.poll(happening, { timeout: 20_000, interval: 50 }).not.toBe('');
    running.interrupt();
  }
  return await running.ended;
}

it.each(calls)('fieldwatch %s of the documents succeeds', async (call) => {
  const { exitCode, output, errors } = await run(call);
  const [, expected = [0]] = EXIT_CODES.find(([pattern]) => pattern.test(call)) ?? [];
  expect(expected, `${output}${errors}`).toContain(exitCode);
  expect(output).not.toBe('');
});
