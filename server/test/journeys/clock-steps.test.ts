import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventBench, storyOf } from '../support/alarm-events.ts';
import { OWN_LOCKS } from '../support/locks.ts';
import { notificationBench } from '../support/notification-bench.ts';
import { startReceiver } from '../support/receiver.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { webhookCalls } from '../support/webhook-calls.ts';

const HOUR_MS = 3_600_000;
/** Less than what a reading may be ahead of the clock by. */
const MINUTES_MS = 300_000;
/** After a clock was set forward, holds from before wait for the readings of a suspended machine. */
const GRACE_MS = 30_000;
const eventually = { timeout: 10_000, interval: 20 };

let server: TestServer;
let client: pg.Client;
const bench = eventBench(() => server);
const hooks = webhookCalls(() => server);

beforeAll(async () => {
  server = await startServer({ env: { FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.1' } });
  client = new pg.Client({ connectionString: server.databaseUrl });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await server.stop();
});

async function dueInMs(alarmId: string): Promise<number> {
  const sql = 'select due_at from alarm_watches where alarm_id = $1';
  const [row] = (await client.query(sql, [alarmId])).rows;
  return row.due_at.getTime() - server.clock.now();
}

/** Waits until the server has moved what is due at an Alarm with its clock. */
async function stepIsNoticed(alarmId: string, delayMs: number): Promise<void> {
  await expect
    .poll(async () => {
      const leftMs = await dueInMs(alarmId);
      return leftMs > 0 && leftMs <= delayMs;
    }, eventually)
    .toBe(true);
}

/** Sets the clock forward for what follows: the outage that this counts as is over. */
async function setForward(stepMs: number): Promise<void> {
  const { point, alarm } = await bench.newWatched({ delayProcessingSeconds: 900 });
  await bench.report(point, 60);
  const leftMs = await dueInMs(alarm.id);
  server.clock.step(stepMs);
  await expect.poll(() => dueInMs(alarm.id), eventually).toBeGreaterThan(leftMs - stepMs / 2);
}

/** Resolves when a commit of readings waits for a lock of the test. */
async function commitWaits(): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await client.query(`select ${OWN_LOCKS} and not granted
        and relation = 'journal'::regclass`);
      return rows.length;
    }, eventually)
    .toBeGreaterThan(0);
}

/** Cancels every statement that waits for a lock, as a statement timeout does. */
async function cancelWaiting(): Promise<void> {
  await client.query(`select pg_cancel_backend(pid) ${OWN_LOCKS} and not granted
    and relation = 'journal'::regclass`);
}

const storiesOf = async (alarmId: string) => (await bench.eventsOf(alarmId)).map(storyOf);

/** Another hold, which ends within that time, is ended: all that was due before is done. */
async function pass(milliseconds: number): Promise<void> {
  const { point, alarm } = await bench.newWatched({ delayProcessingSeconds: 1 });
  await bench.report(point, 60);
  server.clock.advance(milliseconds);
  await expect.poll(() => storiesOf(alarm.id), eventually).toHaveLength(1);
}

describe('a clock that is ahead for a while and then set right', () => {
  it('lets a hold that began meanwhile end after its own duration', async () => {
    const { point, alarm } = await bench.newWatched({ delayProcessingSeconds: 120 });
    server.clock.step(HOUR_MS);
    await bench.report(point, 60);
    server.clock.step(-HOUR_MS);
    await stepIsNoticed(alarm.id, 120_000);
    await pass(GRACE_MS + 5_000);
    expect(await storiesOf(alarm.id)).toEqual([]);
    server.clock.advance(86_000);
    await expect.poll(() => storiesOf(alarm.id), eventually).toHaveLength(1);
  });

  it('lets a clear delay that began meanwhile end after its own duration', async () => {
    const { point, alarm } = await bench.newWatched({ clearDelaySeconds: 120 });
    await bench.report(point, 60);
    server.clock.step(HOUR_MS);
    await bench.report(point, 40);
    server.clock.step(-HOUR_MS);
    await stepIsNoticed(alarm.id, 120_000);
    await pass(GRACE_MS + 5_000);
    expect((await bench.alarm(alarm.id)).isTriggered).toBe(true);
    server.clock.advance(86_000);
    await expect
      .poll(async () => (await bench.alarm(alarm.id)).isTriggered, eventually)
      .toBe(false);
  });

  it('judges readings that state right times as soon as it is right', async () => {
    const { point, alarm } = await bench.newWatched();
    server.clock.step(HOUR_MS);
    await bench.report(point, 60);
    await bench.report(point, 40);
    const [earlier] = await storiesOf(alarm.id);
    server.clock.step(-HOUR_MS);
    server.clock.advance(10_000);
    const at = server.clock.now() - 1;
    await bench.report(point, 60, at);
    // Of the same Variable, and without a time: it follows what was stored while the clock was ahead.
    await bench.report(point, 61);
    server.clock.advance(1_000);
    const clearedAt = server.clock.now() - 1;
    await bench.report(point, 40, clearedAt);
    const stories = [[at, 60, clearedAt, 40, 'RECOVERED'], earlier];
    expect(await storiesOf(alarm.id)).toEqual(stories);
    await bench.report(point, 60, at);
    expect(await storiesOf(alarm.id)).toEqual(stories);
  });
});

it('a hold whose reading was stored at the second attempt moves with the clock by its step alone', async () => {
  const { point, alarm } = await bench.newWatched({ delayProcessingSeconds: 120 });
  const locker = new pg.Client({ connectionString: server.databaseUrl });
  await locker.connect();
  await locker.query('begin; lock table journal in access exclusive mode');
  const reported = bench.report(point, 60);
  await commitWaits();
  server.clock.advance(10_000);
  await cancelWaiting();
  await locker.query('rollback');
  await locker.end();
  await reported;
  expect(await dueInMs(alarm.id)).toBeLessThan(111_000);
  server.clock.step(HOUR_MS);
  await stepIsNoticed(alarm.id, 120_000);
  expect(await dueInMs(alarm.id)).toBeLessThan(111_000);
  await setForward(-HOUR_MS);
});

describe('a clock that is set back', () => {
  it('judges readings that state right times, and none of them twice', async () => {
    const { point, alarm } = await bench.newWatched();
    const start = server.clock.now();
    await bench.report(point, 40, start);
    server.clock.step(-MINUTES_MS);
    await bench.report(point, 60, start + 1_000);
    expect(await storiesOf(alarm.id)).toMatchObject([[expect.any(Number), 60, null, null, null]]);
    await bench.report(point, 40, start + 2_000);
    await bench.report(point, 60, start + 1_000);
    await bench.report(point, 40, start + 2_000);
    expect(await storiesOf(alarm.id)).toMatchObject([
      [expect.any(Number), 60, expect.any(Number), 40, 'RECOVERED'],
    ]);
    await setForward(MINUTES_MS);
  });

  it('lets a hold that began before end after its own duration', async () => {
    const { point, alarm } = await bench.newWatched({ delayProcessingSeconds: 120 });
    const start = server.clock.now();
    await bench.report(point, 60, start);
    await pass(60_000);
    server.clock.step(-HOUR_MS);
    await stepIsNoticed(alarm.id, 60_000);
    await pass(30_000);
    expect(await storiesOf(alarm.id)).toEqual([]);
    server.clock.advance(31_000);
    await expect
      .poll(() => storiesOf(alarm.id), eventually)
      .toEqual([[start + 120_000, 60, null, null, null]]);
    await setForward(HOUR_MS);
  });
});

describe('a clock that is set forward', () => {
  it('does not end a pending hold early', async () => {
    const { point, alarm } = await bench.newWatched({ delayProcessingSeconds: 120 });
    const start = server.clock.now();
    await bench.report(point, 60, start);
    server.clock.step(HOUR_MS);
    await stepIsNoticed(alarm.id, 120_000);
    await pass(GRACE_MS + 5_000);
    expect(await storiesOf(alarm.id)).toEqual([]);
    server.clock.advance(86_000);
    await expect
      .poll(() => storiesOf(alarm.id), eventually)
      .toEqual([[start + 120_000, 60, null, null, null]]);
    server.clock.step(-HOUR_MS);
  });
});

describe('notifications when the clock is set right after it was ahead', () => {
  it('are retried after their own pause', async () => {
    const receiver = await startReceiver();
    const notices = await notificationBench(server);
    try {
      const { id: webhookId } = await hooks.newWebhook(receiver.url);
      const alarmGroupId = await hooks.newGroup([{ kind: 'WEBHOOK', webhookId }]);
      server.clock.step(HOUR_MS);
      receiver.answer(500);
      await notices.notify({ alarmGroupId });
      await hooks.seen(webhookId, { state: 'PENDING', attempts: 1 });
      receiver.answer(200);
      server.clock.step(-HOUR_MS);
      server.clock.advance(11_000);
      await hooks.seen(webhookId, { state: 'DELIVERED', attempts: 2 });
    } finally {
      await notices.stop();
      await receiver.stop();
    }
  });

  it('do not wait for the digest that was sent meanwhile', async () => {
    const receiver = await startReceiver();
    const notices = await notificationBench(server);
    try {
      const { id: webhookId } = await hooks.newWebhook(receiver.url);
      const alarmGroupId = await hooks.newGroup([{ kind: 'WEBHOOK', webhookId }]);
      server.clock.step(HOUR_MS);
      await notices.notifyMany(30, { alarmGroupId });
      await hooks.seen(webhookId, { type: 'alarm.digest' });
      server.clock.advance(6_000);
      await hooks.seen(webhookId, { type: 'alarm.digest', state: 'DELIVERED' });
      server.clock.step(-HOUR_MS);
      server.clock.advance(61_000);
      await notices.notify({ alarmGroupId });
      await expect.poll(() => receiver.received.at(-1)?.body.type, eventually).toBe('alarm.raised');
    } finally {
      await notices.stop();
      await receiver.stop();
    }
  });

  it('do not become a digest for what was sent long before the step', async () => {
    const receiver = await startReceiver();
    const notices = await notificationBench(server);
    try {
      const { id: webhookId } = await hooks.newWebhook(receiver.url);
      const alarmGroupId = await hooks.newGroup([{ kind: 'WEBHOOK', webhookId }]);
      await notices.notifyMany(20, { alarmGroupId });
      // Received, and recorded as such: what waits moves with the clock.
      await expect
        .poll(async () => (await hooks.deliveries(webhookId, 'states=DELIVERED')).count, eventually)
        .toBe(20);
      server.clock.advance(MINUTES_MS);
      server.clock.step(-2 * MINUTES_MS);
      await notices.notify({ alarmGroupId });
      await expect.poll(() => receiver.received.length, eventually).toBe(21);
      expect(receiver.received.map(({ body }) => body.type)).toEqual(
        Array(21).fill('alarm.raised'),
      );
    } finally {
      await notices.stop();
      await receiver.stop();
    }
  });
});
