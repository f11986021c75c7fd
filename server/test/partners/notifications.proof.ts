import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations, PHONE_PRESETS } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type NotificationBench, notificationBench } from '../support/notification-bench.ts';
import { freePort, opened } from '../support/ports.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { webhookCalls } from '../support/webhook-calls.ts';

const START_LIMIT_MS = 30_000;

let server: TestServer;
let bench: NotificationBench;
const folder = mkdtempSync(join(tmpdir(), 'partners-'));
const programs: ChildProcess[] = [];

/** Starts a program that writes its log into the returned list. */
function start(program: string, args: readonly string[]): string[] {
  const log: string[] = [];
  const child = spawn(program, args, { cwd: folder });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => log.push(String(chunk)));
  }
  programs.push(child);
  return log;
}

beforeAll(async () => {
  server = await startServer({ env: { FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.1' } });
  bench = await notificationBench(server);
});

afterAll(async () => {
  for (const program of programs.reverse()) {
    if (program.exitCode !== null) continue;
    program.kill('SIGKILL');
    await once(program, 'exit');
  }
  await bench.stop();
  await server.stop();
  rmSync(folder, { recursive: true });
});

describe('a Prometheus Alertmanager', () => {
  it('has an alert for an open event, is sent it again, and has none once it is cleared', async () => {
    const port = await freePort();
    const config = join(folder, 'alertmanager.yml');
    writeFileSync(config, 'route:\n  receiver: none\nreceivers:\n  - name: none\n');
    start('prometheus-alertmanager', [
      `--config.file=${config}`,
      `--storage.path=${join(folder, 'alertmanager')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
    ]);
    await opened(port, { name: 'alertmanager', limitMs: START_LIMIT_MS });
    const url = `http://127.0.0.1:${port}/api/v2/alerts`;
    const { body: webhook } = await server.call(operations.createWebhook, {
      body: { name: 'Alertmanager', url, format: 'ALERTMANAGER' },
    });
    const calls = webhookCalls(() => server);
    const alarmGroupId = await calls.newGroup([{ kind: 'WEBHOOK', webhookId: webhook.id }]);
    const eventId = await bench.notify({ alarmGroupId });
    const alerts = async () => {
      const found = (await (await fetch(url)).json()) as {
        labels: Record<string, string>;
        updatedAt: string;
      }[];
      return found.filter(({ labels }) => labels.event_id === eventId);
    };
    await expect.poll(alerts, { timeout: 10_000 }).toHaveLength(1);
    const [first] = await alerts();
    expect(first?.labels).toMatchObject({ alertname: 'Oil pressure low', severity: 'critical' });
    // The partner has its own clock: the step is taken back before times are compared by it.
    server.clock.advance(4 * 60_000);
    const updatedAt = async () => (await alerts())[0]?.updatedAt;
    await expect.poll(updatedAt, { timeout: 10_000 }).not.toBe(first?.updatedAt);
    server.clock.step(-4 * 60_000);
    await bench.clear(eventId);
    await expect.poll(alerts, { timeout: 20_000 }).toHaveLength(0);
  });
});

describe('Kannel', () => {
  it('takes a text of its preset, and passes it to the network letter by letter', async () => {
    const [admin, box, smsc, http] = [
      await freePort(),
      await freePort(),
      await freePort(),
      await freePort(),
    ];
    const config = join(folder, 'kannel.conf');
    writeFileSync(
      config,
      `group = core
admin-port = ${admin}
smsbox-port = ${box}
admin-password = bar
box-allow-ip = "127.0.0.1"

group = smsc
smsc = fake
smsc-id = FAKE
port = ${smsc}
connect-allow-ip = 127.0.0.1

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${http}
global-sender = 13013

group = sendsms-user
username = tester
password = foobar
concatenation = true
max-messages = 3

group = sms-service
keyword = default
text = "No service"
`,
    );
    start('/usr/sbin/bearerbox', [config]);
    await opened(box, { name: 'bearerbox', limitMs: START_LIMIT_MS });
    start('/usr/sbin/smsbox', [config]);
    await opened(http, { name: 'smsbox', limitMs: START_LIMIT_MS });
    const network = start('/usr/lib/kannel/test/fakesmsc', [
      ...['-H', '127.0.0.1', '-r', String(smsc), '-i', '0.1', '-m', '1', '100 200 text start'],
    ]);
    await expect.poll(() => network.join(''), { timeout: 10_000 }).toContain('No service');
    const preset = PHONE_PRESETS.find(({ name }) => name === 'Kannel');
    const { credential: _, ...settings } = preset ?? { credential: '', url: '' };
    const url = settings.url.replace('13013', String(http));
    const create = (password: string) =>
      server.call(operations.createPhoneChannel, {
        body: { ...settings, url, from: 'Plant', credential: `tester:${password}` },
      });
    const tried = async (password: string) => {
      const params = { channelId: (await create(password)).body.id };
      const to = '+4915112345678';
      return (await server.call(operations.testPhoneChannel, { params, body: { to } })).body;
    };
    expect(await tried('wrong')).toMatchObject({ status: 403 });
    expect(await tried('foobar')).toEqual({ status: 202, error: null });
    const letters = [...'this is a test'].map((each) => `%00${each === ' ' ? '+' : each}`).join('');
    await expect.poll(() => network.join(''), { timeout: 10_000 }).toContain(letters);
    expect(network.join('')).toContain('<Plant +4915112345678 ucs-2 ');
  });
});
