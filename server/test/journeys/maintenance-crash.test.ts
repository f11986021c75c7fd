import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FailingServer, newWatched } from '../support/failing-server.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { cases } from '../support/soak.ts';

const HOUR = 3_600_000;
/** Within the end of a window, after it, and after the digest was written. */
const PLACES = ['window committed', 'window saved', 'dispatched'];
const KILLS = cases(30, 0.02);

let receiver: Receiver;
let server: FailingServer;

beforeAll(async () => {
  receiver = await startReceiver();
  server = await FailingServer.start();
});

afterAll(async () => {
  await server?.stop();
  await receiver?.stop();
});

/** A window in progress that holds back one event, which a webhook is to be sent at its end. */
async function newHeldEvent(): Promise<void> {
  const { ask, create, aheadMs } = server;
  const { id: webhookId } = await create(operations.createWebhook, {
    body: { name: 'Webhook', url: receiver.url },
  });
  const { id: alarmGroupId } = await create(operations.createAlarmGroup, {
    body: { name: 'Group', subscriptions: [{ kind: 'WEBHOOK', webhookId }] },
  });
  const { report } = await newWatched(server, { alarmGroupId, delaySeconds: 0 });
  const to = new Date(Date.now() + aheadMs + HOUR).toISOString();
  const { id } = await create(operations.createMaintenanceWindow, {
    body: { scope: { alarmGroupIds: [alarmGroupId] }, reason: 'Oil change', to },
  });
  await report(60);
  const params = { maintenanceWindowId: id };
  const heldCount = async () =>
    (await ask(operations.retrieveMaintenanceWindow, { params })).body.heldCount;
  await expect.poll(heldCount, { interval: 50 }).toBe(1);
}

it('a server killed at the end of a window sends its digest after the start, once', async () => {
  await newHeldEvent();
  for (let kill = 0; kill < KILLS; kill += 1) {
    receiver.received.length = 0;
    await server.arm(PLACES[kill % PLACES.length] ?? '');
    await server.advance(HOUR);
    await server.restartOnceKilled();
    const sent = () =>
      receiver.received.map(({ body: { type, data } }) => [type, data.cause?.kind, data.count]);
    const digest = ['alarm.digest', 'MAINTENANCE_ENDED', 1];
    await expect.poll(sent, { timeout: 40_000, interval: 50 }).toEqual([digest]);
    // The next window. What was due after the start was looked at before its event was held.
    await newHeldEvent();
    expect(sent()).toEqual([digest]);
  }
}, 3_600_000);
