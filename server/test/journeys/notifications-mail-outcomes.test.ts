import { operations } from '@fieldwatch/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../support/call.ts';
import { listMails, type MailRig, newMailGroup, startMailRig } from '../support/mail.ts';
import { createOutage, type Outage } from '../support/outage.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { webhookCalls } from '../support/webhook-calls.ts';

const MINUTE_MS = 60_000;

let smtp: MailRig['smtp'];
let server: MailRig['server'];
let bench: MailRig['bench'];
let stop: MailRig['stop'];
let outage: Outage;
let receiver: Receiver;
let addresses = 0;

const webhooks = webhookCalls(() => server);

beforeAll(async () => {
  receiver = await startReceiver();
  ({ smtp, server, bench, stop } = await startMailRig({ FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.1' }));
  outage = createOutage(server.databaseUrl);
});

afterAll(async () => {
  await stop();
  await receiver.stop();
});

afterEach(() => smtp.answerContent(250));

/** A group with an address of its own, and what became of the mail to it. */
async function newRecipient() {
  addresses += 1;
  const email = `recipient-${addresses}@example.com`;
  return {
    alarmGroupId: await newMailGroup(server, email),
    letters: () => smtp.letters.filter(({ to }) => to.includes(email)),
    delivery: async () => (await listMails(server)).find((each) => each.email === email),
  };
}

/** Another recipient gets mail, so the worker has looked at all that was due before. */
async function workerHasLooked(): Promise<void> {
  const other = await newRecipient();
  await bench.notify({ alarmGroupId: other.alarmGroupId });
  await expect.poll(() => other.letters().length).toBe(1);
}

describe('a mail server that answers the content late', () => {
  it('gets the message once, however long its answer takes', async () => {
    const recipient = await newRecipient();
    smtp.answerContent('NONE');
    await bench.notify({ alarmGroupId: recipient.alarmGroupId });
    await expect.poll(() => recipient.letters().length).toBe(1);
    for (let minute = 0; minute < 3; minute += 1) {
      server.clock.advance(MINUTE_MS);
      await workerHasLooked();
    }
    expect(recipient.letters()).toHaveLength(1);
    smtp.answerContent(250);
    await expect.poll(recipient.delivery).toMatchObject({ state: 'DELIVERED', attempts: 1 });
    expect(recipient.letters()).toHaveLength(1);
  });
});

describe('a mail server that ends the connection after the content', () => {
  it('gets the message again only after ten minutes, under the same Message-ID', async () => {
    const recipient = await newRecipient();
    smtp.answerContent('CLOSE');
    await bench.notify({ alarmGroupId: recipient.alarmGroupId });
    await expect.poll(recipient.delivery).toMatchObject({
      state: 'PENDING',
      attempts: 1,
      lastError: expect.stringContaining('did not confirm the message'),
    });
    smtp.answerContent(250);
    const { nextAttemptDateTime, lastAttemptDateTime } = { ...(await recipient.delivery()) };
    const pauseMs = Date.parse(nextAttemptDateTime ?? '') - Date.parse(lastAttemptDateTime ?? '');
    expect(pauseMs).toBeGreaterThan(10 * MINUTE_MS);
    // Setting the clock is no passage of time.
    server.clock.step(60 * MINUTE_MS);
    await workerHasLooked();
    server.clock.advance(10 * MINUTE_MS);
    await workerHasLooked();
    expect(recipient.letters()).toHaveLength(1);
    server.clock.advance(4 * MINUTE_MS);
    await expect.poll(recipient.delivery).toMatchObject({ state: 'DELIVERED', attempts: 2 });
    const ids = recipient
      .letters()
      .map(({ text }) => /^Message-ID: (.*(?:\n .*)*)$/m.exec(text)?.[1]);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });
});

const storageIsUnavailable = () =>
  expect.poll(async () => (await call(server.url, operations.checkReadiness)).status).toBe(503);

describe('an outcome that becomes known while storage is unavailable', () => {
  it('of a mail is saved when storage is back, and the mail is not sent again', async () => {
    const recipient = await newRecipient();
    smtp.answerContent('NONE');
    await bench.notify({ alarmGroupId: recipient.alarmGroupId });
    await expect.poll(() => recipient.letters().length).toBe(1);
    await outage.during(async () => {
      smtp.answerContent(250);
      await expect.poll(smtp.openConnections).toBe(0);
      await storageIsUnavailable();
      server.clock.advance(MINUTE_MS);
    });
    await expect.poll(recipient.delivery).toMatchObject({ state: 'DELIVERED', attempts: 1 });
    expect(recipient.letters()).toHaveLength(1);
  });

  it('of a webhook is saved when storage is back, and the message is not sent again', async () => {
    const webhook = await webhooks.newWebhook(receiver.url);
    const alarmGroupId = await webhooks.newGroup([{ kind: 'WEBHOOK', webhookId: webhook.id }]);
    receiver.answer(null);
    const eventId = await bench.notify({ alarmGroupId });
    await expect.poll(() => receiver.received.length).toBe(1);
    await outage.during(async () => {
      receiver.answer(200);
      await storageIsUnavailable();
      server.clock.advance(MINUTE_MS);
    });
    await expect
      .poll(() => webhooks.latest(webhook.id))
      .toMatchObject({ state: 'DELIVERED', attempts: 1 });
    expect(receiver.received).toHaveLength(1);
    const log = `select 1 from alarm_event_log where event_id = $1 and kind = 'NOTIFIED'`;
    expect(await bench.query(log, [eventId])).toHaveLength(1);
  });
});
