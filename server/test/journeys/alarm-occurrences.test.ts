import { operations } from '@fieldwatch/contract';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventBench, storyOf } from '../support/alarm-events.ts';
import { startReceiver } from '../support/receiver.ts';
import { startSecondServer, startServer, type TestServer } from '../support/server.ts';
import { webhookCalls } from '../support/webhook-calls.ts';

let server: TestServer;
const bench = eventBench(() => server);
const hooks = webhookCalls(() => server);

beforeAll(async () => {
  server = await startServer({ env: { FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.1' } });
});

afterAll(() => server.stop());

const storiesOf = async (alarmId: string) => (await bench.eventsOf(alarmId)).map(storyOf);

describe('a second crossing at the time of the first', () => {
  it('is another event with a notification', async () => {
    const receiver = await startReceiver();
    try {
      const { id: webhookId } = await hooks.newWebhook(receiver.url);
      const alarmGroupId = await hooks.newGroup([{ kind: 'WEBHOOK', webhookId }]);
      const { point, alarm } = await bench.newWatched({ alarmGroupId, isAcknowledgeable: true });
      const at = server.clock.now() - 1_000;
      await bench.report(point, 60, at);
      await bench.report(point, 40, at);
      const [first] = await bench.eventsOf(alarm.id);
      await bench.acknowledge(first?.id ?? '', server.administrator);
      await bench.report(point, 70, at);
      expect((await bench.alarm(alarm.id)).isTriggered).toBe(true);
      expect((await storiesOf(alarm.id)).sort()).toEqual([
        [at, 60, at, 40, 'RECOVERED'],
        [at, 70, null, null, null],
      ]);
      const second = (await bench.eventsOf(alarm.id)).find(({ id }) => id !== first?.id);
      expect(second?.acknowledgedBy).toBeNull();
      const sent = () =>
        receiver.received.map(({ body }) => `${body.type} ${body.data.raisedValue}`).sort();
      await expect
        .poll(sent)
        .toEqual([
          'alarm.acknowledged 60',
          'alarm.cleared 60',
          'alarm.raised 60',
          'alarm.raised 70',
        ]);
    } finally {
      await receiver.stop();
    }
  });

  it('is another event also within one message', async () => {
    const { point, alarm } = await bench.newWatched();
    const { deviceId, path: key } = point;
    const timestamp = server.clock.now() - 1_000;
    const dataArray = [60, 40, 70, 41, 80].map((value) => ({ key, value, timestamp }));
    await server.call(operations.writeReadings, { params: { deviceId }, body: { dataArray } });
    expect((await storiesOf(alarm.id)).map((story) => story.slice(1, 4)).sort()).toEqual([
      [60, timestamp, 40],
      [70, timestamp, 41],
      [80, null, null],
    ]);
  });

  it('does not refuse readings when the clock raised the first one later', async () => {
    const { point, alarm } = await bench.newWatched({ delayProcessingSeconds: 5 });
    const at = server.clock.now();
    await bench.report(point, 60, at);
    server.clock.advance(6_000);
    await expect.poll(() => storiesOf(alarm.id)).toEqual([[at + 5_000, 60, null, null, null]]);
    await bench.report(point, 40, at);
    await bench.edit(alarm.id, { delayProcessingSeconds: null });
    await bench.report(point, 61, at);
    await bench.report(point, 41, at + 1_000);
    expect((await storiesOf(alarm.id)).sort()).toEqual([
      [at, 61, at + 1_000, 41, 'RECOVERED'],
      [at + 5_000, 60, at + 5_000, 40, 'RECOVERED'],
    ]);
  });
});

describe('an event that was left open by an Alarm that is clear', () => {
  async function leaveOpen(alarmId: string): Promise<void> {
    const client = new pg.Client({ connectionString: server.databaseUrl });
    await client.connect();
    const reset = `update alarm_watches set phase = 'CLEAR', started_at = null, raised_at = null,
        version = version + 1 where alarm_id = $1`;
    await client.query(reset, [alarmId]).finally(() => client.end());
  }

  it('is cleared when a reading raises the next one', async () => {
    const { point, alarm } = await bench.newWatched();
    const at = server.clock.now() - 2_000;
    await bench.report(point, 60, at);
    await leaveOpen(alarm.id);
    await bench.edit(alarm.id, { name: 'Much too hot' });
    await bench.report(point, 70, at + 1_000);
    const [first, second] = await storiesOf(alarm.id);
    expect(first).toEqual([at, 60, expect.any(Number), null, 'RECOVERED']);
    expect(second).toEqual([at + 1_000, 70, null, null, null]);
    await bench.report(point, 40, at + 1_500);
    expect((await bench.alarm(alarm.id)).isTriggered).toBe(false);
  });

  it('is cleared when a server starts', async () => {
    const { point, alarm } = await bench.newWatched();
    const at = server.clock.now() - 2_000;
    await bench.report(point, 60, at);
    await leaveOpen(alarm.id);
    const second = await startSecondServer(server);
    const left = [at, 60, expect.any(Number), null, 'RECOVERED'];
    await expect
      .poll(() => storiesOf(alarm.id))
      .toEqual([left])
      .finally(() => second.stop());
    expect((await bench.alarm(alarm.id)).isTriggered).toBe(false);
  });

  it('is cleared when the clock raises the next one', async () => {
    const { point, alarm } = await bench.newWatched();
    const at = server.clock.now() - 1_000;
    await bench.report(point, 60, at);
    await leaveOpen(alarm.id);
    await bench.edit(alarm.id, { delayProcessingSeconds: 5 });
    const held = server.clock.now();
    await bench.report(point, 70, held);
    server.clock.advance(6_000);
    const raised = [held + 5_000, 70, null, null, null];
    const left = [at, 60, expect.any(Number), null, 'RECOVERED'];
    await expect.poll(() => storiesOf(alarm.id)).toEqual([left, raised]);
  });
});

describe('an Alarm that is moved to another Variable', () => {
  it('judges a backlog of that one, and so do others on it', async () => {
    const [from, to] = [await bench.newPoint(), await bench.newPoint()];
    const moved = await bench.newAlarm(from);
    const other = await bench.newAlarm(to);
    const now = server.clock.now();
    await bench.report(from, 60, now + 500_000);
    await bench.report(from, 40, now + 500_001);
    const { deviceId, deviceVariableId } = to;
    expect((await bench.edit(moved.id, { deviceId, deviceVariableId })).status).toBe(200);
    await bench.report(to, 61, now - 7_200_000);
    await bench.report(to, 41, now - 7_100_000);
    const story = [now - 7_200_000, 61, now - 7_100_000, 41, 'RECOVERED'];
    expect(await storiesOf(other.id)).toEqual([story]);
    expect(await storiesOf(moved.id)).toContainEqual(story);
  });
});

it('an acknowledgement keeps its note, also when the same text is on the event', async () => {
  const { point, alarm } = await bench.newWatched({ isAcknowledgeable: true });
  await bench.report(point, 60);
  const eventId = (await bench.eventsOf(alarm.id))[0]?.id ?? '';
  const auth = server.administrator;
  const note = { auth, params: { eventId }, body: { text: 'On it' } };
  await server.call(operations.createAlarmEventNote, note);
  const acknowledged = await bench.acknowledge(eventId, auth, { note: 'On it' });
  expect(acknowledged.body.notes).toHaveLength(2);
  const again = await bench.acknowledge(eventId, auth, { note: 'On it' });
  expect(again.body.notes).toHaveLength(2);
});
