import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Operation, operations, type PageDetails } from '@fieldwatch/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answered, basic, type Call, call } from '../support/call.ts';
import { createDataDir } from '../support/data-dir.ts';
import { failingServerEnv, KEY, organizationId } from '../support/failing-server-env.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { SHORT_LIVED } from '../support/process.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { cases } from '../support/soak.ts';

const SCRIPT = fileURLToPath(new URL('../support/failing-server.mjs', import.meta.url));
const auth = basic(KEY.id, KEY.secret);
const dataDir = createDataDir();
const STEP_SECONDS = 60;
/** Between each two statements that matter, and after the commit. */
const FAILPOINTS = ['page deliveries', 'page committed', 'page taken', 'page step', 'page saved'];
/** Of 50 kills in each place, `npm test` makes one in the first two. */
const ROUNDS = cases(25, 0.04);
const PLACES = ROUNDS === 1 ? FAILPOINTS.slice(0, 2) : FAILPOINTS;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let receiver: Receiver;
let child: ChildProcess;
let url = '';
let aheadMs = 0;

async function start(): Promise<void> {
  const env = failingServerEnv({
    databaseUrl: database.url,
    dataDir: dataDir.path,
    smtpUrl: 'smtp://127.0.0.1:1',
  });
  child = fork(SCRIPT, [String(aheadMs)], { env, execArgv: SHORT_LIVED });
  const [ready] = await once(child, 'message');
  url = ready.url;
}

async function order(message: string | number): Promise<void> {
  child.send(message);
  await once(child, 'message');
}

async function restartOnceKilled(): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  expect(child.signalCode).toBe('SIGKILL');
  await start();
}

const ask = (operation: Operation, given: Call = {}): Promise<Answered> =>
  call(url, operation, { auth, ...given, params: { organizationId, ...given.params } });

beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startReceiver();
  await start();
});

afterAll(async () => {
  child.kill('SIGKILL');
  await once(child, 'exit');
  await receiver.stop();
  await database.drop();
  dataDir.remove();
});

/** An Alarm whose events are paged to a webhook, twice. */
async function newPagedAlarm() {
  const { body: webhook } = await ask(operations.createWebhook, {
    body: { name: 'Webhook', url: receiver.url },
  });
  const targets = [{ kind: 'WEBHOOK', webhookId: webhook.id }];
  const steps = [0, STEP_SECONDS].map((afterSeconds) => ({ afterSeconds, targets }));
  const policy = await ask(operations.createEscalationPolicy, { body: { name: 'Policy', steps } });
  const group = await ask(operations.createAlarmGroup, {
    body: { name: 'Group', escalationPolicyId: policy.body.id },
  });
  const device = await ask(operations.createDevice, {
    body: { type: 'CUSTOM_DEVICE', name: 'Generator' },
  });
  const deviceId: string = device.body.id;
  const variable = await ask(operations.createVariable, {
    params: { deviceId },
    body: { topicPropertyPath: 'point', type: 'NUMBER', name: 'Point', isLoggingEnabled: true },
  });
  const alarm = await ask(operations.createAlarm, {
    body: {
      name: 'Too hot',
      isActive: true,
      deviceId,
      deviceVariableId: variable.body.id,
      operator: 'GREATER_THAN',
      thresholdValueNumber: 50,
      alarmGroupId: group.body.id,
      delayProcessingSeconds: 0,
    },
  });
  expect(alarm.status, alarm.text).toBe(201);
  const raise = () =>
    ask(operations.writeReadings, { params: { deviceId }, body: { data: { point: 60 } } });
  return { policyId: policy.body.id as string, raise };
}

/** The only page of a policy, once its deliveries are all sent. */
async function pageWith(policyId: string, deliveryCount: number): Promise<PageDetails> {
  const found = async () => {
    const { items } = (await ask(operations.listPages, { query: `policyId=${policyId}` })).body;
    if (items.length !== 1) return items.length;
    const params = { pageId: items[0].id };
    return (await ask(operations.retrievePage, { params })).body;
  };
  const sent = Array.from({ length: deliveryCount }, () => ({ state: 'DELIVERED' }));
  await expect.poll(found, { timeout: 30_000, interval: 100 }).toMatchObject({ deliveries: sent });
  return await found();
}

it('a server killed within a step loses no page and sends no message of it twice', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const failpoint of PLACES) {
      const { policyId, raise } = await newPagedAlarm();
      await order(failpoint);
      await raise().catch(() => undefined);
      await restartOnceKilled();
      const first = await pageWith(policyId, 1);
      await order(failpoint);
      aheadMs += STEP_SECONDS * 1_000;
      child.send(STEP_SECONDS * 1_000);
      await restartOnceKilled();
      const { timeline, nextStepDateTime } = await pageWith(policyId, 2);
      expect(timeline.map(({ kind }) => kind)).toEqual(['STARTED', 'PAGED', 'PAGED']);
      const due = Date.parse(first.nextStepDateTime ?? '');
      const late = Date.parse(timeline.at(-1)?.dateTime ?? '') - due;
      expect(late).toBeGreaterThanOrEqual(0);
      expect(nextStepDateTime).not.toBeNull();
    }
  }
}, 3_600_000);
