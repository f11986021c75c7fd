import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type NotificationBench, notificationBench } from '../support/notification-bench.ts';
import { pagingCalls } from '../support/paging.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type SmtpServer, startSmtp } from '../support/smtp.ts';

const PASSWORD = 'correct horse battery';
const MINUTE_MS = 60_000;

let server: TestServer;
let bench: NotificationBench;
let smtp: SmtpServer;
let ann = { kind: 'USER', userId: '' };
let ben = { kind: 'USER', userId: '' };

const { newPagedGroup, pagesOf, page, seen, userId } = pagingCalls(() => server);

const step = (target: object, fields: object = {}) => ({
  afterSeconds: 0,
  targets: [target],
  ...fields,
});
/** Access tokens end after 15 minutes of the clock, so each request has a new one. */
const annAuth = () => server.signIn('ann@example.com', PASSWORD);
const post = async (operation: Parameters<TestServer['call']>[0], pageId: string, body?: object) =>
  server.call(operation, {
    params: { pageId },
    auth: await annAuth(),
    ...(body ? { body } : {}),
  });
const kindsOf = ({ timeline }: { timeline: readonly { kind: string }[] }) =>
  timeline.map(({ kind }) => kind);
/** Mails with this in them, once there are so many. */
const mails = async (text: string, count: number) => {
  const found = () => smtp.letters.filter((letter) => letter.text.includes(text));
  await expect.poll(() => found().length, { interval: 50 }).toBe(count);
  return found().map((letter) => letter.text.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '='));
};

beforeAll(async () => {
  smtp = await startSmtp();
  server = await startServer({
    env: {
      FIELDWATCH_SMTP_URL: smtp.url,
      FIELDWATCH_MAIL_FROM: 'alarms@example.com',
      FIELDWATCH_PUBLIC_URL: 'https://watch.example.com',
    },
  });
  bench = await notificationBench(server);
  for (const name of ['ann', 'ben']) {
    const body = { email: `${name}@example.com`, role: 'EDITOR', password: PASSWORD };
    await server.call(operations.createUser, { body });
  }
  ann = { kind: 'USER', userId: await userId('ann@example.com') };
  ben = { kind: 'USER', userId: await userId('ben@example.com') };
});

afterAll(async () => {
  await bench.stop();
  await server.stop();
  await smtp.stop();
});

describe('a raised event of a group with a policy', () => {
  it('pages step by step until somebody acknowledges, whose events are acknowledged too', async () => {
    const steps = [step(ann), step(ben, { afterSeconds: 300 })];
    const { alarmGroupId, policyId } = await newPagedGroup({ steps });
    const eventId = await bench.notify({ alarmGroupId, alarmName: 'First oil' });
    await seen(policyId, { state: 'ACTIVE', step: 0, title: 'First oil: Generator 2' });
    const [mail = ''] = await mails('Page: [CRITICAL] First oil', 1);
    expect(mail).toContain('To: ann@example.com');
    server.clock.advance(5 * MINUTE_MS);
    const second = await seen(policyId, { state: 'ACTIVE', step: 1, eventCount: 1 });
    await mails('Page: [CRITICAL] First oil', 2);

    const { status, body } = await post(operations.acknowledgePage, second.id);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      state: 'ACKNOWLEDGED',
      acknowledgedBy: 'ann@example.com',
      nextStepDateTime: null,
    });
    expect(kindsOf(body)).toEqual(['STARTED', 'PAGED', 'PAGED', 'ACKNOWLEDGED']);
    expect(body.deliveries.map(({ recipient }: { recipient: string }) => recipient)).toEqual([
      'ann@example.com',
      'ben@example.com',
    ]);
    const event = await server.call(operations.retrieveAlarmEvent, { params: { eventId } });
    expect(event.body.acknowledgedBy).toBe('ann@example.com');

    await bench.clear(eventId);
    const ended = await seen(policyId, { state: 'RESOLVED' });
    expect(kindsOf(ended).at(-1)).toBe('RESOLVED');
    const resolutions = await mails('Resolved: [CRITICAL] Cleared: First oil', 2);
    expect(resolutions.map((text) => /^To: (.*)$/m.exec(text)?.[1]?.trim()).sort()).toEqual([
      'ann@example.com',
      'ben@example.com',
    ]);
    expect((await post(operations.escalatePage, ended.id)).status).toBe(409);
  });

  it('has steps that are counted while they are due, and as late when they were', async () => {
    const steps = [step(ann), step(ben, { afterSeconds: 60 })];
    const { alarmGroupId, policyId } = await newPagedGroup({ steps });
    await bench.notify({ alarmGroupId, alarmName: 'Late oil' });
    const { id } = await seen(policyId, { state: 'ACTIVE', step: 0 });
    const figures = async () => {
      const text = await (await fetch(`${server.url}/metrics`)).text();
      const of = (series: string) => {
        const line = text
          .split('\n')
          .find((each) => each.startsWith(`fieldwatch_escalation_${series} `));
        return Number(line?.split(' ')[1]);
      };
      return {
        due: of('steps{state="due"}'),
        late: of('steps{state="late"}'),
        ranLate: of('steps_total{timing="late"}'),
      };
    };
    const { ranLate } = await figures();
    await bench.query('begin');
    await bench.query('select 1 from pages where id = $1 for update', [id]);
    server.clock.advance(2 * MINUTE_MS);
    expect(await figures()).toEqual({ due: 1, late: 1, ranLate });
    await bench.query('rollback');
    await seen(policyId, { state: 'ACTIVE', step: 1 });
    await expect.poll(figures).toEqual({ due: 0, late: 0, ranLate: ranLate + 1 });
    await post(operations.resolvePage, id);
  });

  it('is paged again when the acknowledgement has expired, and to administrators at the end', async () => {
    const policy = { steps: [step(ben)], acknowledgeTimeoutSeconds: 600 };
    const { alarmGroupId, policyId } = await newPagedGroup(policy);
    await bench.notify({ alarmGroupId, alarmName: 'Second oil' });
    const { id } = await seen(policyId, { step: 0 });
    await post(operations.acknowledgePage, id);
    server.clock.advance(10 * MINUTE_MS);
    await seen(policyId, { state: 'ACTIVE', loop: 1, step: 0, acknowledgedBy: null });
    server.clock.advance(5 * MINUTE_MS);
    const ended = await seen(policyId, { state: 'EXHAUSTED' });
    expect(kindsOf(ended)).toEqual([
      'STARTED',
      'PAGED',
      'ACKNOWLEDGED',
      'EXPIRED',
      'PAGED',
      'EXHAUSTED',
    ]);
    const [mail = ''] = await mails('Nobody acknowledged: [CRITICAL] Second oil', 1);
    expect(mail).toContain(`To: ${server.adminEmail}`);
  });

  it('goes on at once past a target that reaches nobody, and says so', async () => {
    const { body: empty } = await server.call(operations.createAlarmGroup, {
      body: { name: 'Empty' },
    });
    const nobody = { kind: 'ALARM_GROUP', alarmGroupId: empty.id };
    const steps = [step(nobody), step(ann, { afterSeconds: 3_600 })];
    const { alarmGroupId, policyId } = await newPagedGroup({ steps });
    await bench.notify({ alarmGroupId });
    const { timeline } = await seen(policyId, { step: 1 });
    expect(timeline.slice(1).map(({ kind, detail }) => [kind, detail])).toEqual([
      ['NOBODY', 'Step 1: alarm group Empty'],
      ['PAGED', 'Step 2: ann@example.com'],
    ]);
  });

  it('pages who is on call in a rota when the step is due, and goes on past a gap', async () => {
    const fromDateTime = new Date(server.clock.now() + 5 * MINUTE_MS).toISOString();
    const toDateTime = new Date(server.clock.now() + 60 * MINUTE_MS).toISOString();
    const { body: rota } = await server.call(operations.createRota, {
      body: {
        name: 'Night',
        timeZone: 'UTC',
        overrides: [{ userId: ben.userId, fromDateTime, toDateTime }],
      },
    });
    const onCall = { kind: 'ROTA', rotaId: rota.id };
    const steps = [step(onCall), step(ann), step(onCall, { afterSeconds: 600 })];
    const { alarmGroupId, policyId } = await newPagedGroup({ steps });
    const policy = await server.call(operations.retrieveEscalationPolicy, { params: { policyId } });
    expect(policy.body.warnings).toEqual(
      ['steps[0].targets[0]', 'steps[2].targets[0]'].map((path) => {
        return { path, message: 'Nobody is on call now: fill the gap, or add a step after it.' };
      }),
    );
    await bench.notify({ alarmGroupId, alarmName: 'Rota oil' });
    await seen(policyId, { step: 1 });
    server.clock.advance(10 * MINUTE_MS);
    const { timeline } = await seen(policyId, { step: 2 });
    expect(timeline.slice(1).map(({ kind, detail }) => [kind, detail])).toEqual([
      ['NOBODY', 'Step 1: nobody is on call'],
      ['PAGED', 'Step 2: ann@example.com'],
      ['PAGED', 'Step 3: ben@example.com, on call'],
    ]);
  });

  it('that has cleared before the first step pages nobody', async () => {
    const { alarmGroupId, policyId } = await newPagedGroup({
      steps: [step(ann, { afterSeconds: 60 })],
    });
    await bench.clear(await bench.notify({ alarmGroupId }));
    const { deliveries } = await seen(policyId, { state: 'RESOLVED', step: null });
    expect(deliveries).toEqual([]);
  });
});

describe('events of one policy and Location', () => {
  it('join the page that has just begun, and a graver one pages again', async () => {
    const { alarmGroupId, policyId } = await newPagedGroup({ steps: [step(ann)] });
    await bench.notify({ alarmGroupId, severity: 'LOW' });
    const { id } = await seen(policyId, { step: 0 });
    await bench.notify({ alarmGroupId, severity: 'LOW' });
    await seen(policyId, { eventCount: 2, loop: 0 });
    await post(operations.acknowledgePage, id);
    await bench.notify({ alarmGroupId, severity: 'LOW' });
    await seen(policyId, { eventCount: 3, state: 'ACKNOWLEDGED' });
    await bench.notify({ alarmGroupId, severity: 'CRITICAL' });
    await seen(policyId, { eventCount: 4, state: 'ACTIVE', severity: 'CRITICAL', loop: 1 });
    server.clock.advance(MINUTE_MS);
    // Work that has read the clock before may still take the first of these events.
    const pagesWithOneMore = async () => {
      await bench.notify({ alarmGroupId, severity: 'LOW' });
      return (await pagesOf(policyId)).length;
    };
    await expect.poll(pagesWithOneMore).toBe(2);
  });

  it('of an Alarm that chatters join silently from the fourth on', async () => {
    const { alarmGroupId, policyId } = await newPagedGroup({ steps: [step(ann)], groupSeconds: 0 });
    const alarmId = '018f0000-0000-7000-8000-0000000000c4';
    const fields = { alarmGroupId, alarmId, alarmName: 'Chatter' };
    for (let count = 1; count <= 3; count += 1) {
      await bench.clear(await bench.notify(fields));
      await expect.poll(async () => (await pagesOf(policyId)).length).toBe(count);
      await seen(policyId, { state: 'RESOLVED' });
    }
    for (let count = 1; count <= 2; count += 1) {
      const eventId = await bench.notify(fields);
      await seen(policyId, { state: 'ACTIVE', chatterCount: count });
      await bench.clear(eventId);
      await seen(policyId, { state: 'RESOLVED', chatterCount: count });
    }
    const found = await pagesOf(policyId);
    expect(found).toHaveLength(3);
    const { timeline, eventCount } = await page(found[0]?.id ?? '');
    expect(eventCount).toBe(3);
    expect(timeline.filter(({ kind }) => kind === 'CHATTERING')).toHaveLength(1);
  });

  it('make one page per Location in a storm of 10 000', async () => {
    const { alarmGroupId, policyId } = await newPagedGroup({ steps: [step(ben)] });
    const locationIds: (string | null)[] = [null];
    for (const name of ['North', 'South']) {
      const { body } = await server.call(operations.createLocation, { body: { name } });
      locationIds.push(body.id);
    }
    for (const locationId of [...locationIds, ...locationIds]) {
      await bench.notifyMany(1_667, { alarmGroupId, locationId });
    }
    const counts = async () => (await pagesOf(policyId)).map(({ eventCount }) => eventCount).sort();
    await expect.poll(counts, { interval: 200 }).toEqual(locationIds.map(() => 3_334));
  }, 60_000);
});
