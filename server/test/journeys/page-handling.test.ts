import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../support/call.ts';
import { type NotificationBench, notificationBench } from '../support/notification-bench.ts';
import { pagingCalls } from '../support/paging.ts';
import { startNeighbour, startServer, type TestServer } from '../support/server.ts';
import { type SmtpServer, startSmtp } from '../support/smtp.ts';

const PASSWORD = 'correct horse battery';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** What the copy of a page has of its own. */
const CHANGED = ['id', 'policy_name', 'is_test', 'created_at', 'ended_at'];

let server: TestServer;
let bench: NotificationBench;
let smtp: SmtpServer;
let ann = { kind: 'USER', userId: '' };

const { newPagedGroup, page, seen, userId } = pagingCalls(() => server);

const step = (target: object) => ({ afterSeconds: 0, targets: [target] });
/** Access tokens end after 15 minutes of the clock, so each request has a new one. */
const annAuth = () => server.signIn('ann@example.com', PASSWORD);
const post = async (operation: Parameters<TestServer['call']>[0], pageId: string, body?: object) =>
  server.call(operation, {
    params: { pageId },
    auth: await annAuth(),
    ...(body ? { body } : {}),
  });
const decoded = (text: string) => text.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
const mails = async (text: string, count: number) => {
  const found = () =>
    smtp.letters.map((each) => decoded(each.text)).filter((each) => each.includes(text));
  await expect.poll(() => found().length, { interval: 50 }).toBe(count);
  return found();
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
  const body = { email: 'ann@example.com', role: 'EDITOR', password: PASSWORD };
  await server.call(operations.createUser, { body });
  ann = { kind: 'USER', userId: await userId('ann@example.com') };
});

afterAll(async () => {
  await bench.stop();
  await server.stop();
  await smtp.stop();
});

async function newPage(alarmName: string, group: object = {}) {
  const made = await newPagedGroup({ steps: [step(ann)] }, { ...group });
  const eventId = await bench.notify({ alarmGroupId: made.alarmGroupId, alarmName });
  const { id } = await seen(made.policyId, { step: 0 });
  return { ...made, eventId, id };
}

describe('the acknowledge link of a page', () => {
  const linkIn = (text: string) =>
    /https:\/\/watch\.example\.com\/a\/([\w-]+)/.exec(text)?.[1] ?? '';
  const open = (
    token: string,
    operation: typeof operations.showPageLink | typeof operations.acknowledgePageByLink,
  ) => call(server.url, operation, { params: { token } });

  it('changes nothing when it is opened, and acknowledges by the button without signing in', async () => {
    const { id, policyId } = await newPage('Link oil');
    const [mail = ''] = await mails('Page: [CRITICAL] Link oil', 1);
    const token = linkIn(mail);
    for (let time = 0; time < 3; time += 1) {
      const { status, text } = await open(token, operations.showPageLink);
      expect(status).toBe(200);
      expect(text).toContain('<form method="post">');
      expect(text).not.toContain('Link oil');
    }
    expect((await page(id)).state).toBe('ACTIVE');
    expect((await open(token, operations.acknowledgePageByLink)).status).toBe(200);
    const { timeline } = await seen(policyId, {
      state: 'ACKNOWLEDGED',
      acknowledgedBy: 'ann@example.com',
    });
    expect(timeline.at(-1)).toMatchObject({ kind: 'ACKNOWLEDGED', detail: 'by link' });
    const { body: audit } = await server.call(operations.listAuditLog, { query: 'take=5' });
    expect(JSON.stringify(audit.items[0])).toContain('ann@example.com, by link');
  });

  it('is refused after a day, with a changed sign, and to one who is no longer a member', async () => {
    const { body: made } = await server.call(operations.createUser, {
      body: { email: 'eve@example.com', role: 'VIEWER', password: PASSWORD },
    });
    const eve = { kind: 'USER', userId: made.id };
    const { alarmGroupId, policyId } = await newPagedGroup({ steps: [step(eve)] });
    await bench.notify({ alarmGroupId, alarmName: 'Late oil' });
    const { id } = await seen(policyId, { step: 0 });
    const token = linkIn((await mails('Page: [CRITICAL] Late oil', 1))[0] ?? '');
    const forged = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`;
    expect((await open(forged, operations.showPageLink)).status).toBe(404);
    await server.call(operations.deleteUser, { params: { userId: made.id } });
    expect((await open(token, operations.acknowledgePageByLink)).status).toBe(404);
    server.clock.advance(DAY_MS);
    expect((await open(token, operations.showPageLink)).status).toBe(404);
    expect((await page(id)).acknowledgedBy).toBeNull();
  });
});

describe('a page', () => {
  it('is escalated, reassigned and resolved by a person, each in the timeline', async () => {
    const { id, policyId } = await newPage('Hand oil');
    await post(operations.escalatePage, id);
    await seen(policyId, { loop: 1, step: 0 });
    const admin = await userId(server.adminEmail);
    const reassigned = await post(operations.reassignPage, id, { userId: admin, note: 'Yours' });
    expect(reassigned.body.timeline.at(-1)).toMatchObject({
      kind: 'REASSIGNED',
      actor: 'ann@example.com',
      detail: `to ${server.adminEmail}: Yours`,
    });
    const unknown = { userId: '018f0000-0000-7000-8000-00000000dead' };
    expect((await post(operations.reassignPage, id, unknown)).status).toBe(400);
    const resolved = await post(operations.resolvePage, id);
    expect(resolved.body).toMatchObject({ state: 'RESOLVED' });
    expect((await post(operations.acknowledgePage, id)).status).toBe(409);
  });

  it('is acknowledged when its events are, and reminds whoever acknowledged it', async () => {
    const { eventId, policyId } = await newPage('Reminded oil', { reminderMinutes: 30 });
    const params = { eventId };
    await server.call(operations.acknowledgeAlarmEvent, { params, auth: await annAuth() });
    await seen(policyId, { state: 'ACKNOWLEDGED', acknowledgedBy: 'ann@example.com' });
    for (const count of [1, 2]) {
      server.clock.advance(30 * MINUTE_MS);
      await mails('Reminder: [CRITICAL] Reminded oil', count);
    }
    await bench.clear(eventId);
    await seen(policyId, { state: 'RESOLVED' });
  });

  it('that is a test goes the whole way to oneself, marked as one', async () => {
    const { status, body } = await server.call(operations.createTestPage, {
      auth: await annAuth(),
    });
    expect(status).toBe(200);
    const [mail = ''] = await mails('Subject: Test page', 1);
    expect(mail).toContain('This is a test: no alarm was raised.');
    await post(operations.acknowledgePage, body.id);
    expect(await page(body.id)).toMatchObject({ state: 'ACKNOWLEDGED', isTest: true });
  });

  it('of another organization is as unknown', async () => {
    const { id } = await newPage('Foreign oil');
    const neighbour = await startNeighbour(server);
    const params = { pageId: id };
    expect((await neighbour.call(operations.retrievePage, { params })).status).toBe(404);
    const auth = neighbour.administrator;
    expect((await neighbour.call(operations.acknowledgePage, { params, auth })).status).toBe(404);
  });
});

describe('a page that is over', () => {
  it('is deleted two years after its end, a test two years after its start, and no other', async () => {
    const made = await newPage('Old oil');
    await post(operations.resolvePage, made.id);
    const years = 2 * 365 * DAY_MS;
    /** As it is when the cleanup runs, a day from now. */
    const at = (ageMs: number) => new Date(server.clock.now() + DAY_MS - ageMs).toISOString();
    const columns = await bench.query<{ name: string }>(
      `select column_name as name from information_schema.columns where table_name = 'pages'`,
    );
    const others = columns.map(({ name }) => name).filter((name) => !CHANGED.includes(name));
    const copies = [
      {
        policy_name: 'kept',
        is_test: false,
        created_at: at(2 * years),
        ended_at: at(years - MINUTE_MS),
      },
      {
        policy_name: 'ended',
        is_test: false,
        created_at: at(2 * years),
        ended_at: at(years + MINUTE_MS),
      },
      { policy_name: 'open', is_test: false, created_at: at(2 * years), ended_at: null },
      { policy_name: 'new test', is_test: true, created_at: at(years - MINUTE_MS), ended_at: null },
      { policy_name: 'old test', is_test: true, created_at: at(years + MINUTE_MS), ended_at: null },
    ];
    await bench.query(
      `insert into pages (id, ${CHANGED.slice(1)}, ${others})
       select gen_random_uuid(), ${CHANGED.slice(1).map((name) => `given.${name}`)},
         ${others.map((name) => `pages.${name}`)}
       from pages, json_to_recordset($2) as given (policy_name text, is_test boolean,
         created_at timestamptz, ended_at timestamptz)
       where pages.id = $1`,
      [made.id, JSON.stringify(copies)],
    );
    server.clock.advance(DAY_MS);
    const left = async () =>
      (
        await bench.query<{ policy_name: string }>(
          `select policy_name from pages where created_at < $1 order by policy_name`,
          [at(0.5 * years)],
        )
      ).map((row) => row.policy_name);
    await expect.poll(left, { interval: 50 }).toEqual(['kept', 'new test', 'open']);
  });
});
