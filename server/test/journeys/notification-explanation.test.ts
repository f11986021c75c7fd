import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type NotificationBench, notificationBench } from '../support/notification-bench.ts';
import { pagingCalls } from '../support/paging.ts';
import { startNeighbour, startServer, type TestServer } from '../support/server.ts';
import { type SmtpServer, startSmtp } from '../support/smtp.ts';

const PASSWORD = 'correct horse battery';
const UNKNOWN = '00000000-0000-7000-8000-000000000000';

let server: TestServer;
let bench: NotificationBench;
let smtp: SmtpServer;
const ids = { ann: '', ben: '', cem: '' };

const { newPagedGroup, seen, userId } = pagingCalls(() => server);
const authOf = (name: keyof typeof ids) => server.signIn(`${name}@example.com`, PASSWORD);

const explain = (
  eventId: string,
  given: { auth?: string; userId?: string; on?: TestServer } = {},
) =>
  (given.on ?? server).call(operations.retrieveNotificationExplanation, {
    params: { eventId },
    ...(given.userId === undefined ? {} : { query: `userId=${given.userId}` }),
    ...(given.auth ? { auth: given.auth } : {}),
  });

/** The explanation for a user, by an administrator. */
const explained = async (eventId: string, name: keyof typeof ids) => {
  const { body } = await explain(eventId, { userId: ids[name], auth: server.administrator });
  const codes = body.reasons.map(({ code }: { code: string }) => code);
  return { outcome: body.outcome, codes, reasons: body.reasons };
};

beforeAll(async () => {
  smtp = await startSmtp();
  server = await startServer({
    env: { FIELDWATCH_SMTP_URL: smtp.url, FIELDWATCH_MAIL_FROM: 'alarms@example.com' },
  });
  bench = await notificationBench(server);
  for (const name of ['ann', 'ben', 'cem'] as const) {
    const body = { email: `${name}@example.com`, role: 'EDITOR', password: PASSWORD };
    await server.call(operations.createUser, { body });
    ids[name] = await userId(`${name}@example.com`);
  }
});

afterAll(async () => {
  await bench.stop();
  await server.stop();
  await smtp.stop();
});

describe('the explanation of a notification', () => {
  let eventId = '';

  it('names the step, the address and the delivery of who was paged', async () => {
    const { body: rota } = await server.call(operations.createRota, {
      body: { name: 'Empty rota', timeZone: 'Europe/Vienna', layers: [] },
    });
    const target = (name: 'ann' | 'ben') => [{ kind: 'USER', userId: ids[name] }];
    const { alarmGroupId, policyId } = await newPagedGroup({
      steps: [
        { afterSeconds: 0, targets: [...target('ann'), { kind: 'ROTA', rotaId: rota.id }] },
        { afterSeconds: 300, targets: target('ben') },
      ],
    });
    eventId = await bench.notify({ alarmGroupId, severity: 'HIGH' });
    await seen(policyId, { state: 'ACTIVE', step: 0 });
    await expect
      .poll(async () => (await explained(eventId, 'ann')).outcome, { timeout: 10_000 })
      .toBe('NOTIFIED');
    const { reasons } = await explained(eventId, 'ann');
    expect(reasons).toMatchObject([
      { code: 'NOT_IN_ALARM_GROUP', name: 'Paged' },
      { code: 'PAGE', name: 'Policy' },
      { code: 'NOBODY_ON_CALL', name: 'Empty rota', step: 0, loop: 0 },
      { code: 'PAGED_AT_STEP', step: 0, loop: 0 },
      { code: 'NO_VERIFIED_METHOD', address: 'ann@example.com' },
      { code: 'DELIVERED', channel: 'EMAIL', address: 'ann@example.com', step: 0, loop: 0 },
    ]);
  });

  it('says that the step of another is due later, and that a third is in no step', async () => {
    expect(await explained(eventId, 'ben')).toMatchObject({ outcome: 'PENDING' });
    expect((await explained(eventId, 'ben')).codes).toContain('STEP_PENDING');
    expect(await explained(eventId, 'cem')).toMatchObject({
      outcome: 'NOT_NOTIFIED',
      codes: ['NOT_IN_ALARM_GROUP', 'PAGE', 'NOBODY_ON_CALL', 'NOT_IN_ESCALATION_POLICY'],
    });
  });

  it('names the window that holds a notification back', async () => {
    const body = { name: 'Held', subscriptions: [{ kind: 'EMAIL', email: 'ann@example.com' }] };
    const { body: group } = await server.call(operations.createAlarmGroup, { body });
    const to = new Date(server.clock.now() + 3_600_000).toISOString();
    const { body: window } = await server.call(operations.createMaintenanceWindow, {
      body: { scope: { alarmGroupIds: [group.id] }, reason: 'Oil change', to },
    });
    const heldId = await bench.notify({ alarmGroupId: group.id });
    await expect
      .poll(async () => (await explained(heldId, 'ann')).reasons, { timeout: 10_000 })
      .toMatchObject([
        { code: 'HELD_BY_MAINTENANCE', id: window.id, name: 'Oil change' },
        { code: 'IN_ALARM_GROUP', name: 'Held', address: 'ann@example.com' },
      ]);
  });

  it('is for oneself, and for others with ManageUsers only', async () => {
    const own = await explain(eventId, { auth: await authOf('ann') });
    expect(own).toMatchObject({ status: 200, body: { email: 'ann@example.com' } });
    const other = await explain(eventId, { auth: await authOf('ann'), userId: ids.ben });
    expect(other).toMatchObject({ status: 403, body: { code: 'PERMISSION_MISSING' } });
    const byKey = await explain(eventId);
    expect(byKey).toMatchObject({ status: 400, body: { errors: [{ path: 'userId' }] } });
    expect((await explain(eventId, { userId: ids.ben })).status).toBe(200);
  });

  it('answers 404 for an unknown event and user, and for those of a neighbour', async () => {
    expect((await explain(UNKNOWN, { userId: ids.ann })).status).toBe(404);
    expect((await explain('nothing', { userId: ids.ann })).status).toBe(404);
    expect((await explain(eventId, { userId: UNKNOWN })).status).toBe(404);
    const neighbour = await startNeighbour(server);
    const { administrator: auth } = neighbour;
    expect((await explain(eventId, { on: neighbour, auth })).status).toBe(404);
    await neighbour.stop();
  });
});
