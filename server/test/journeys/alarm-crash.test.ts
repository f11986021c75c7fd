import { type AlarmEvent, type Delivery, operations } from '@fieldwatch/contract';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FailingServer, newWatched as newWatchedIn } from '../support/failing-server.ts';
import { startReceiver } from '../support/receiver.ts';
import { type SmtpServer, startSmtp } from '../support/smtp.ts';
import { cases, someOf } from '../support/soak.ts';

/** What began before a start is the clock's once the server has been ready for so long. */
/** It begins again where a busy machine did not let the server run, and then passes in real time. */
const HOLD_GRACE_MS = 30_000;

/** `npm test` kills before the commit and after it; the soak kills at an earlier statement too. */
const RAISING = ['committed', 'outbox', 'watches'].slice(0, cases(3, 0.5)).toReversed();

/** Before the commit and after it; each run of `npm test` has one of them. */
const RAISED_BY_CLOCK = someOf(['outbox', 'ticked'], 0.5);

let smtp: SmtpServer;
let server: FailingServer;

beforeAll(async () => {
  smtp = await startSmtp();
  server = await FailingServer.start(smtp.url);
});

afterAll(async () => {
  await server?.stop();
  await smtp?.stop();
});

async function newWebhook(url: string) {
  const { body } = await server.ask(operations.createWebhook, { body: { name: 'Webhook', url } });
  return { kind: 'WEBHOOK', webhookId: body.id };
}

/** Notifies a webhook that nobody answers, so that the deliveries stay to be seen. */
async function newGroup(to = 'https://nobody.invalid/'): Promise<string> {
  const subscription = to.includes('@') ? { kind: 'EMAIL', email: to } : await newWebhook(to);
  const group = await server.ask(operations.createAlarmGroup, {
    body: { name: 'Group', subscriptions: [subscription] },
  });
  expect(group.status, group.text).toBe(201);
  return group.body.id;
}

async function newWatched(delaySeconds: number, to?: string) {
  return newWatchedIn(server, { alarmGroupId: await newGroup(to), delaySeconds });
}

async function eventsOf(alarmId: string): Promise<AlarmEvent[]> {
  const body = { startTime: 0, endTime: 8_640_000_000_000_000, take: 1000 };
  const { items } = (await server.ask(operations.listAlarmHistory, { body })).body;
  return items.filter((event: AlarmEvent) => event.alarmId === alarmId).reverse();
}

/** The notifications of an Alarm: how many of each kind of each event. */
async function noticesOf(alarmId: string): Promise<string[]> {
  const ids = new Set((await eventsOf(alarmId)).map(({ id }) => id));
  const { items } = (await server.ask(operations.listDeliveries, { query: 'take=1000' })).body;
  const counts = new Map<string, number>();
  for (const { eventId, type } of items as Delivery[]) {
    if (eventId === null || !ids.has(eventId)) continue;
    const name = `${eventId} ${type}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${name.split('alarm.')[1]} ${count}`).sort();
}

it('a server killed while it raises records one event with one notification', async () => {
  const { alarmId, report } = await newWatched(0);
  let at = Date.now() - 3_600_000;
  const raised: number[] = [];
  for (const failpoint of RAISING) {
    at += 1_000;
    raised.push(at);
    await server.arm(failpoint);
    await expect(report(60, at)).rejects.toThrow();
    await server.restartOnceKilled();
    // Who got no answer sends again.
    expect((await report(60, at)).status).toBe(200);
    expect((await report(40, at + 500)).status).toBe(200);
  }
  const events = await eventsOf(alarmId);
  expect(events.map(({ raisedDateTime }) => Date.parse(raisedDateTime))).toEqual(raised);
  expect(events.map(({ clearedReason }) => clearedReason)).toEqual(raised.map(() => 'RECOVERED'));
  await expect
    .poll(() => noticesOf(alarmId))
    .toEqual([...raised.map(() => 'cleared 1'), ...raised.map(() => 'raised 1')]);
}, 120_000);

it('a server killed while the clock raises records one event with one notification', async () => {
  for (const failpoint of RAISED_BY_CLOCK) {
    const { alarmId, report } = await newWatched(1);
    await server.arm(failpoint);
    const at = Date.now();
    expect((await report(60, at)).status).toBe(200);
    await server.restartOnceKilled();
    await server.advance(HOLD_GRACE_MS);
    await expect.poll(() => eventsOf(alarmId), { interval: 50 }).toHaveLength(1);
    const [event] = await eventsOf(alarmId);
    expect(Date.parse(event?.raisedDateTime ?? '')).toBe(at + 1_000);
    await expect.poll(() => noticesOf(alarmId)).toEqual(['raised 1']);
  }
}, 120_000);

it('a clock that was set back while the server was down does not prolong a hold', async () => {
  await server.advance(3_600_000);
  const { alarmId, report } = await newWatched(60);
  const at = Date.now() + 3_600_000;
  expect((await report(60, at)).status).toBe(200);
  server.kill();
  server.aheadMs -= 3_600_000;
  await server.restartOnceKilled();
  const aligned = `select from alarm_watches where alarm_id = '${alarmId}' and version = 2`;
  await expect.poll(() => query(aligned)).toBe(1);
  await server.advance(HOLD_GRACE_MS + 61_000);
  const raised = async () => (await eventsOf(alarmId))[0]?.raisedDateTime;
  await expect.poll(raised).toBe(new Date(at + 60_000).toISOString());
}, 120_000);

async function query(sql: string): Promise<number> {
  const client = new pg.Client({ connectionString: server.databaseUrl });
  await client.connect();
  const { rowCount } = await client.query(sql).finally(() => client.end());
  return rowCount ?? 0;
}

const countDelivered = () => query(`select 1 from deliveries where state = 'DELIVERED'`);

/** Less than the half minute that a lease lasts. */
const BEFORE_LEASE_ENDS = { timeout: 20_000 };

/**
 * An attempt for those whom nobody answers would end the process in place of what is meant by a
 * failpoint. What an earlier test raised may not be a delivery yet.
 */
async function deletePendingDeliveries(): Promise<void> {
  await expect.poll(() => query('select 1 from notification_outbox')).toBe(0);
  await query(`delete from deliveries where state = 'PENDING'`);
}

it('a server killed while it delivers repeats the webhook under the same id and nothing else', async () => {
  await deletePendingDeliveries();
  const receiver = await startReceiver();
  try {
    const { alarmId, report } = await newWatched(0, receiver.url);
    await server.arm('dispatched');
    await report(60, Date.now()).catch(() => undefined);
    await server.restartOnceKilled();
    await expect.poll(() => receiver.received.length).toBe(1);
    await expect.poll(() => noticesOf(alarmId)).toEqual(['raised 1']);
    // It may have arrived before the server knows that; only the next one is to be cut short.
    await expect.poll(countDelivered).toBe(1);

    await server.arm('sent');
    await report(40, Date.now()).catch(() => undefined);
    await server.restartOnceKilled();
    // It had arrived, but its outcome was not stored: it is repeated without a wait for the lease.
    await expect.poll(() => receiver.received.length, BEFORE_LEASE_ENDS).toBe(3);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids[2]).toBe(ids[1]);
    expect(receiver.received[2]?.text).toBe(receiver.received[1]?.text);
    expect(ids[0]).not.toBe(ids[1]);
    expect(await noticesOf(alarmId)).toEqual(['cleared 1', 'raised 1']);
  } finally {
    await receiver.stop();
  }
}, 120_000);

it.each([
  ['claimed', 'before its content left', 0],
  ['sent', 'after the mail server accepted it', 1],
])(
  'killed at "%s", %s, a mail is repeated only after ten minutes',
  async (failpoint, _, letters) => {
    await deletePendingDeliveries();
    smtp.letters.length = 0;
    const { alarmId, report } = await newWatched(0, `${failpoint}@example.com`);
    await server.arm(failpoint);
    await report(60, Date.now()).catch(() => undefined);
    await server.restartOnceKilled();
    // The second event arrives, so the worker has looked at all that was due before.
    await report(40, Date.now());
    await expect.poll(countDelivered, BEFORE_LEASE_ENDS).toBeGreaterThan(0);
    await expect.poll(() => smtp.letters.length).toBe(letters + 1);
    expect(await noticesOf(alarmId)).toEqual(['cleared 1', 'raised 1']);
    const waiting = `select 1 from deliveries where state = 'PENDING'
    and attempt_until > now() + interval '10 minutes'`;
    // The outcome of the mail that arrived is stored a moment after it.
    await expect.poll(() => query(waiting)).toBe(1);

    await query(`update deliveries set attempt_until = now() where state = 'PENDING'`);
    await query('update notification_targets set next_at = now() where email is not null');
    await expect.poll(() => smtp.letters.length).toBe(letters + 2);
    const ids = smtp.letters.map(({ text }) => /^Message-ID: (.*)$/m.exec(text)?.[1]);
    expect(new Set(ids).size).toBe(2);
  },
  120_000,
);

it('holds pending at a kill end by buffered readings, and by the clock only without them', async () => {
  const [broken, confirmed, silent] = [
    await newWatched(60),
    await newWatched(60),
    await newWatched(60),
  ];
  const at = Date.now() + server.aheadMs;
  const due = at + 60_000;
  for (const { report } of [broken, confirmed, silent]) {
    expect((await report(60, at)).status).toBe(200);
  }
  server.kill();
  // The holds end while the server is down.
  server.aheadMs += 65_000;
  await server.restartOnceKilled();
  expect((await broken.report(40, at + 5_000)).status).toBe(200);
  expect((await confirmed.report(60, due + 1_000)).status).toBe(200);
  await server.advance(HOLD_GRACE_MS);
  // The clock raises the one without readings, so it has looked at the other two as well.
  for (const { alarmId } of [silent, confirmed]) {
    await expect.poll(() => eventsOf(alarmId), { interval: 50 }).toHaveLength(1);
    const [event] = await eventsOf(alarmId);
    expect(Date.parse(event?.raisedDateTime ?? '')).toBe(due);
    expect(event?.clearedDateTime).toBeNull();
    await expect.poll(() => noticesOf(alarmId)).toEqual(['raised 1']);
  }
  expect(await eventsOf(broken.alarmId)).toEqual([]);
}, 120_000);
