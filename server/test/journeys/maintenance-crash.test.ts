import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Operation, operations } from '@fieldwatch/contract';
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
const HOUR = 3_600_000;
/** Within the end of a window, after it, and after the digest was written. */
const PLACES = ['window committed', 'window saved', 'dispatched'];
const KILLS = cases(30, 0.02);

const dataDir = createDataDir();
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

const ask = (operation: Operation, given: Call = {}): Promise<Answered> =>
  call(url, operation, { auth, ...given, params: { organizationId, ...given.params } });

const made = async (operation: Operation, given: Call): Promise<{ id: string }> => {
  const { status, text, body } = await ask(operation, given);
  expect(status, text).toBe(201);
  return body;
};

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

/** A window in progress that holds back one event, which a webhook is to be sent at its end. */
async function newHeldEvent(): Promise<void> {
  const { id: webhookId } = await made(operations.createWebhook, {
    body: { name: 'Webhook', url: receiver.url },
  });
  const { id: alarmGroupId } = await made(operations.createAlarmGroup, {
    body: { name: 'Group', subscriptions: [{ kind: 'WEBHOOK', webhookId }] },
  });
  const { id: deviceId } = await made(operations.createDevice, {
    body: { type: 'CUSTOM_DEVICE', name: 'Generator' },
  });
  const { id: deviceVariableId } = await made(operations.createVariable, {
    params: { deviceId },
    body: { topicPropertyPath: 'point', type: 'NUMBER', name: 'Point', isLoggingEnabled: true },
  });
  const terms = { operator: 'GREATER_THAN', thresholdValueNumber: 50, delayProcessingSeconds: 0 };
  await made(operations.createAlarm, {
    body: { name: 'Too hot', isActive: true, deviceId, deviceVariableId, alarmGroupId, ...terms },
  });
  const to = new Date(Date.now() + aheadMs + HOUR).toISOString();
  const { id } = await made(operations.createMaintenanceWindow, {
    body: { scope: { alarmGroupIds: [alarmGroupId] }, reason: 'Oil change', to },
  });
  await ask(operations.writeReadings, { params: { deviceId }, body: { data: { point: 60 } } });
  const params = { maintenanceWindowId: id };
  const heldCount = async () =>
    (await ask(operations.retrieveMaintenanceWindow, { params })).body.heldCount;
  await expect.poll(heldCount, { timeout: 10_000, interval: 50 }).toBe(1);
}

it('a server killed at the end of a window sends its digest after the start, once', async () => {
  await newHeldEvent();
  for (let kill = 0; kill < KILLS; kill += 1) {
    receiver.received.length = 0;
    child.send(PLACES[kill % PLACES.length] ?? '');
    await once(child, 'message');
    aheadMs += HOUR;
    child.send(HOUR);
    await once(child, 'exit');
    expect(child.signalCode).toBe('SIGKILL');
    await start();
    const sent = () =>
      receiver.received.map(({ body: { type, data } }) => [type, data.cause?.kind, data.count]);
    const digest = ['alarm.digest', 'MAINTENANCE_ENDED', 1];
    await expect.poll(sent, { timeout: 40_000, interval: 50 }).toEqual([digest]);
    // The next window. What was due after the start was looked at before its event was held.
    await newHeldEvent();
    expect(sent()).toEqual([digest]);
  }
}, 3_600_000);
