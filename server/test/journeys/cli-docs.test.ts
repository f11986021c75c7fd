import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fieldwatch } from '../support/command.ts';
import { callsIn, ROOT, words } from '../support/documented-calls.ts';
import { ingestCalls, type Made } from '../support/ingest-calls.ts';
import { SECRET_KEY, startServer, type TestServer } from '../support/server.ts';

const PAGE = 'docs/cli.md';
/** Those that other tests run: they keep running, need a broker or a model, or are of another page. */
const ELSEWHERE =
  /^(?:$|start|backup|restore|lorawan-probe|tail|mcp|plan|apply|template|completion)/;
/** With an API key, Dashboards are left out. */
const INCOMPLETE = /^export/;

const calls = callsIn(PAGE).filter((call) => !ELSEWHERE.test(call));
let server: TestServer;
let device: Made;
let folder: string;

const decoded = (header: string) => Buffer.from(header.split(' ')[1] ?? '', 'base64').toString();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fieldwatch-cli-docs-'));
  server = await startServer({ env: { FIELDWATCH_DATA_DIR: join(folder, 'data') } });
  const made = ingestCalls(server);
  device = await made.newDevice();
  await made.newVariable(device.id, 'engine.rpm');
  await made.newVariable(device.id, 'engine.running', { type: 'BOOLEAN' });
  const [, csv = ''] =
    /^```\n(time,.*?)^```$/ms.exec(readFileSync(new URL(PAGE, ROOT), 'utf8')) ?? [];
  writeFileSync(join(folder, 'history.csv'), csv);
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The page has the names of an example; here they are those of the test. */
function replaced(word: string): string {
  if (word === '$DEVICE_ID') return device.id;
  if (word === 'admin@fieldwatch.local') return server.adminEmail;
  if (word.startsWith('mqtt://')) return server.mqttUrl.replace('//', `//${decoded(device.auth)}@`);
  return /\.(?:yaml|csv)$|^configuration$/.test(word) ? join(folder, word) : word;
}

it('the page has calls of every command that runs here', () => {
  const names = new Set(calls.map((call) => call.split(' ')[0]));
  expect([...names].sort()).toEqual([
    '--version',
    'create-key',
    'doctor',
    'export',
    'help',
    'import-csv',
    'publish',
    'reset-password',
    'schema',
    'status',
  ]);
});

it.each(calls)('docs/cli.md: fieldwatch %s succeeds', async (call) => {
  const run = await fieldwatch(words(call).map(replaced), {
    DATABASE_URL: server.databaseUrl,
    FIELDWATCH_DATA_DIR: join(folder, 'data'),
    FIELDWATCH_SECRET_KEY: SECRET_KEY,
    FIELDWATCH_HTTP_HOST: '127.0.0.1',
    FIELDWATCH_HTTP_PORT: new URL(server.url).port,
    FIELDWATCH_MQTT_PORT: String(server.mqttPort),
    FIELDWATCH_URL: server.url,
    FIELDWATCH_KEY: decoded(server.key),
    FIELDWATCH_ORGANIZATION_ID: server.organizationId,
  });
  expect(run, `${run.output}${run.errors}`).toMatchObject({
    exitCode: INCOMPLETE.test(call) ? 3 : 0,
  });
  expect(run.output).not.toBe('');
});
