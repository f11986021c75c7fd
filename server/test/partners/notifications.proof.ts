import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations } from '@fieldwatch/contract';
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
