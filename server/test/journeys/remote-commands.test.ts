import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fieldwatch, startCommand } from '../support/command.ts';
import { type IngestCalls, ingestCalls, type Made } from '../support/ingest-calls.ts';
import { joinServer, type TestOrganization } from '../support/server.ts';

let server: TestOrganization;
let calls: IngestCalls;
let directory: string;
let environment: Record<string, string>;
let device: Made;
let rpmId: string;

const decoded = (header: string) => Buffer.from(header.split(' ')[1] ?? '', 'base64').toString();

beforeAll(async () => {
  server = await joinServer();
  calls = ingestCalls(server);
  directory = mkdtempSync(join(tmpdir(), 'fieldwatch-remote-'));
  environment = {
    FIELDWATCH_URL: server.url,
    FIELDWATCH_KEY: decoded(server.key),
    FIELDWATCH_ORGANIZATION_ID: server.organizationId,
  };
});

afterAll(async () => {
  rmSync(directory, { recursive: true });
});

beforeEach(async () => {
  device = await calls.newDevice();
  rpmId = await calls.newVariable(device.id, 'engine.rpm', { name: 'Speed', unit: 'rpm' });
  await calls.newVariable(device.id, 'engine.running', { type: 'BOOLEAN' });
});

const run = (...args: string[]) => fieldwatch(args, environment);

async function historyOf(variableId: string) {
  const query = 'startTime=946684800000&endTime=4102444800000&take=1000';
  const { body } = await server.call(operations.listReadings, { params: { variableId }, query });
  return (body.items as { timestamp: number; value: unknown }[]).map(
    ({ timestamp, value }) => [timestamp, value] as const,
  );
}

describe('fieldwatch publish', () => {
  it('sends readings of a Device over HTTP, at a time of the past', async () => {
    const time = ['--time', '2026-01-01T00:00:00Z'];
    const sent = await run('publish', device.id, 'engine.rpm=1800', 'engine.running=true', ...time);
    expect(sent).toEqual({
      exitCode: 0,
      output: 'Accepted 2 readings, 2 of them as history.\n',
      errors: '',
    });
    expect(await historyOf(rpmId)).toEqual([[Date.parse('2026-01-01T00:00:00Z'), 1800]]);
  });

  it('names rejected readings and exits with 3', async () => {
    const { exitCode, output, errors } = await run('publish', device.id, 'nowhere=1', '--json');
    expect(JSON.parse(output)).toMatchObject({ accepted: 0 });
    expect(errors).toBe('nowhere was rejected: unknownPath.\n');
    expect(exitCode).toBe(3);
  });

  it('sends readings over MQTT as the Device', async () => {
    const url = server.mqttUrl.replace('//', `//${decoded(device.auth)}@`);
    const sent = await run('publish', device.id, 'engine.rpm=900', '--mqtt', url);
    expect(sent).toMatchObject({ exitCode: 0, errors: '' });
    expect((await historyOf(rpmId)).map(([, value]) => value)).toEqual([900]);
  });

  it('explains a refusal, and never prints a secret', async () => {
    const wrong = ['--key', 'nobody:very-secret'];
    const refused = await run('publish', device.id, 'engine.rpm=1', ...wrong);
    expect(refused.exitCode).toBe(1);
    expect(refused.errors).toMatch(/UNAUTHENTICATED/);
    const url = server.mqttUrl.replace('//', '//nobody:very-secret@');
    const broker = await run('publish', device.id, 'engine.rpm=1', '--mqtt', url);
    expect(broker.exitCode).toBe(1);
    const nowhere = await run('publish', device.id, 'engine.rpm=1', '--url', 'http://127.0.0.1:1');
    expect(nowhere.errors).toMatch(/^http:\/\/127\.0\.0\.1:1 cannot be reached/);
    const malformed = await run('publish', device.id, 'engine.rpm=1', '--key', 'very-secret');
    expect(malformed.exitCode).toBe(2);
    const all = [refused, broker, nowhere, malformed].map(({ errors }) => errors).join();
    expect(all).not.toContain('very-secret');
  });
});

describe('fieldwatch tail', () => {
  it('prints values with their names as they come, until it is interrupted', async () => {
    const plain = startCommand(['tail', '--device', device.id], environment);
    const json = startCommand(['tail', '--variable', rpmId, '--json'], environment);
    await expect
      .poll(
        async () => {
          await calls.write(device.id, { 'engine.rpm': 1800 });
          return plain.output() !== '' && json.output() !== '';
        },
        { timeout: 10_000, interval: 300 },
      )
      .toBe(true);
    expect(plain.output()).toMatch(/ {2}Generator {2}Speed {2}1800 rpm\n/);
    expect(JSON.parse(json.output().split('\n')[0] ?? '')).toMatchObject({
      type: 'reading',
      variableId: rpmId,
      variableName: 'Speed',
      value: 1800,
    });
    for (const command of [plain, json]) {
      command.interrupt();
      expect(await command.ended).toMatchObject({ exitCode: 0, errors: '' });
    }
  });
});

describe('fieldwatch import-csv', () => {
  const made = (name: string, lines: readonly string[]) => {
    const path = join(directory, name);
    writeFileSync(path, lines.join('\n'));
    return path;
  };

  it('checks a file without sending, then imports it, and a second time has no effect', async () => {
    const lines = ['time,engine.rpm,engine.running,note'];
    for (let n = 0; n < 400; n += 1) lines.push(`${1_700_000_000_000 + n * 1000},${n},1,"a, b"`);
    const args = ['import-csv', made('whole.csv', lines), '--device', device.id];
    const dry = await run(...args, '--dry-run', '--json');
    expect(JSON.parse(dry.output)).toMatchObject({
      isDryRun: true,
      readings: 800,
      problemCount: 0,
      ignoredColumns: ['note'],
    });
    expect(await historyOf(rpmId)).toEqual([]);
    for (const _ of ['first', 'second']) {
      expect(await run(...args)).toMatchObject({ exitCode: 0, errors: '' });
      const history = await historyOf(rpmId);
      expect(history).toHaveLength(400);
      expect(history[399]).toEqual([1_700_000_399_000, 399]);
    }
  });

  it('names wrong lines, imports the others and exits with 3', async () => {
    const file = made('wrong.csv', [
      'Speed;Zeit',
      '1;2026-01-01 00:00:00',
      'fast;2026-01-01 00:00:01',
      '3;yesterday',
      '4;1999-12-31',
    ]);
    const map = ['--map', 'Speed=engine.rpm', '--time-column', 'Zeit'];
    const { exitCode, errors } = await run('import-csv', file, '--device', device.id, ...map);
    expect(exitCode).toBe(3);
    expect(errors.replaceAll(`${file}: `, '').split('\n')).toEqual([
      'line 3: fast is not a NUMBER.',
      'line 4: yesterday is not a time.',
      'line 5: 1999-12-31 is before the year 2000.',
      '',
    ]);
    expect(await historyOf(rpmId)).toEqual([[Date.parse('2026-01-01T00:00:00Z'), 1]]);
  });

  it('goes on after the line that an interrupted import had reached', async () => {
    const lines = ['time,engine.rpm', '1700000000000,1', '1700000001000,2', '1700000002000,3'];
    const file = made('half.csv', lines);
    const place = `${file}.${device.id}.import`;
    writeFileSync(place, JSON.stringify({ bytes: lines.join('\n').length, line: 3 }));
    const { output } = await run('import-csv', file, '--device', device.id);
    expect(output).toMatch(/^Went on after line 3\.\nImported 1 readings/);
    expect((await historyOf(rpmId)).map(([, value]) => value)).toEqual([3]);
    expect(existsSync(place)).toBe(false);
  });

  it.each([
    [['time,speed', '1,1'], /No column is named like the path of a Variable/],
    [[''], /has no header/],
  ])('refuses a file with %j', async (lines, reason) => {
    const file = made('refused.csv', lines);
    const { exitCode, errors } = await run('import-csv', file, '--device', device.id);
    expect(errors).toMatch(reason);
    expect(exitCode).toBe(1);
  });
});
