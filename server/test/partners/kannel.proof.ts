import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations, PHONE_PRESETS } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pagingCalls } from '../support/paging.ts';
import { ANN, type PhoneRig, startPhoneRig } from '../support/phone-rig.ts';
import { freePort, opened } from '../support/ports.ts';

const START_LIMIT_MS = 30_000;

/** The network, as Kannel sees it: what it was sent, and what telephones send. */
interface Network {
  readonly log: string[];
  stop(): Promise<void>;
}

let rig: PhoneRig;
const folder = mkdtempSync(join(tmpdir(), 'kannel-'));
const programs: ChildProcess[] = [];
const ports = { http: 0, smsc: 0 };
const preset = PHONE_PRESETS.find(({ name }) => name === 'Kannel');

const { newPagedGroup, seen, page } = pagingCalls(() => rig.server);

function start(program: string, args: readonly string[]): { child: ChildProcess; log: string[] } {
  const log: string[] = [];
  const child = spawn(program, args, { cwd: folder });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => log.push(String(chunk)));
  }
  programs.push(child);
  return { child, log };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Connects a network to Kannel, over which a telephone sends one text. Kannel knows one at a time. */
function network(text: string): Network {
  const { child, log } = start('/usr/lib/kannel/test/fakesmsc', [
    ...['-H', '127.0.0.1', '-r', String(ports.smsc), '-i', '0.1', '-m', '1', text],
  ]);
  return { log, stop: () => end(child) };
}

/** A channel of the preset, at the port of this Kannel. */
const channel = async (password: string) => {
  const { credential: _, ...settings } = preset ?? { credential: '', url: '' };
  const { body } = await rig.server.call(operations.createPhoneChannel, {
    body: {
      ...{ ...settings, url: settings.url.replace('13013', String(ports.http)) },
      ...{ from: 'Plant', credential: `tester:${password}` },
    },
  });
  return body;
};

const configOf = (own: { admin: number; box: number }, replyUrl: string) => `group = core
admin-port = ${own.admin}
smsbox-port = ${own.box}
admin-password = bar
box-allow-ip = "127.0.0.1"

group = smsc
smsc = fake
smsc-id = FAKE
port = ${ports.smsc}
connect-allow-ip = 127.0.0.1

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${ports.http}
global-sender = 13013

group = sendsms-user
username = tester
password = foobar
concatenation = true
max-messages = 3

group = sms-service
keyword = default
get-url = "${replyUrl}?from=%p&text=%a"
max-messages = 0
`;

beforeAll(async () => {
  const port = await freePort();
  rig = await startPhoneRig({
    FIELDWATCH_HTTP_PORT: String(port),
    FIELDWATCH_PUBLIC_URL: `http://127.0.0.1:${port}`,
  });
  const own = { admin: await freePort(), box: await freePort() };
  ports.smsc = await freePort();
  ports.http = await freePort();
  const config = join(folder, 'kannel.conf');
  writeFileSync(config, configOf(own, (await channel('foobar')).replyUrl));
  start('/usr/sbin/bearerbox', [config]);
  await opened(own.box, { name: 'bearerbox', limitMs: START_LIMIT_MS });
  start('/usr/sbin/smsbox', [config]);
  await opened(ports.http, { name: 'smsbox', limitMs: START_LIMIT_MS });
});

afterAll(async () => {
  for (const program of programs.reverse()) await end(program);
  await rig.stop();
  rmSync(folder, { recursive: true });
});

/** A page to somebody, of whose first step a message was sent. */
async function paged(name: string, alarmName: string) {
  const target = { kind: 'USER', userId: rig.people.get(name) };
  const { alarmGroupId, policyId } = await newPagedGroup({
    steps: [{ afterSeconds: 0, targets: [target] }],
  });
  await rig.bench.notify({ alarmGroupId, alarmName });
  return await seen(policyId, { step: 0 });
}

/** The text of a message in UCS-2, as the network shows it. */
const shown = (log: readonly string[]) =>
  log.join('').replaceAll('%00', '').replaceAll('+', ' ').replaceAll('%2C', ',');

describe('Kannel', () => {
  it('takes a text of its preset, and passes it to the network letter by letter', async () => {
    const { log, stop } = network('100 200 text start');
    const tried = async (password: string) => {
      const params = { channelId: (await channel(password)).id };
      const body = { to: ANN };
      const answer = await rig.server.call(operations.testPhoneChannel, { params, body });
      await rig.server.call(operations.deletePhoneChannel, { params });
      return answer.body;
    };
    expect(await tried('wrong')).toMatchObject({ status: 403 });
    expect(await tried('foobar')).toEqual({ status: 202, error: null });
    const letters = [...'this is a test'].map((each) => `%00${each === ' ' ? '+' : each}`).join('');
    await expect.poll(() => log.join(''), { timeout: 10_000 }).toContain(letters);
    expect(log.join('')).toContain(`<Plant ${ANN} ucs-2 `);
    await stop();
  });

  it('reports the reply to a page, which acknowledges it', async () => {
    const before = await rig.replies('unknown_number');
    const first = network('100 200 text start');
    const unknown = () => rig.replies('unknown_number');
    await expect.poll(unknown, { timeout: 10_000 }).toBe(before + 1);
    const { id } = await paged('ann', 'Kannel oil');
    const code = () => /Reply (\d{4}) to/.exec(shown(first.log))?.[1];
    await expect.poll(code, { timeout: 10_000 }).toMatch(/^\d{4}$/);
    await first.stop();
    const second = network(`${ANN} 200 text ${code()} Ok`);
    const state = async () => (await page(id)).state;
    await expect.poll(state, { timeout: 20_000 }).toBe('ACKNOWLEDGED');
    expect((await page(id)).timeline.at(-1)).toMatchObject({ detail: 'by SMS' });
    await second.stop();
  });

  it('reports that a text arrived, at the address of its delivery', async () => {
    const { stop } = network('100 200 text start');
    const { deliveries } = await paged('ann', 'Arriving oil');
    const found = async () => {
      const query = 'channels=SMS&take=100';
      const { body } = await rig.server.call(operations.listDeliveries, { query });
      return body.items.find(({ id }: { id: string }) => id === deliveries[0]?.id);
    };
    const wanted = { state: 'DELIVERED', receipt: 'DELIVERED' };
    await expect.poll(found, { timeout: 20_000 }).toMatchObject(wanted);
    await stop();
  });
});
