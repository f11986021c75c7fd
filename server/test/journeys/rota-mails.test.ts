import { operations, type RotaLayer } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { send } from '../support/call.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type SmtpServer, startSmtp } from '../support/smtp.ts';

const DAY_MS = 86_400_000;
const PASSWORD = 'correct horse battery';
let server: TestServer;
let smtp: SmtpServer;
let ann: string;
let bob: string;

beforeAll(async () => {
  smtp = await startSmtp();
  server = await startServer({
    env: { FIELDWATCH_SMTP_URL: smtp.url, FIELDWATCH_MAIL_FROM: 'fieldwatch@example.com' },
  });
  const newUser = async (name: string) => {
    const body = { email: `${name}@example.com`, role: 'VIEWER', password: PASSWORD };
    return (await server.call(operations.createUser, { body })).body.id;
  };
  ann = await newUser('ann');
  bob = await newUser('bob');
});

afterAll(async () => {
  await server.stop();
  await smtp.stop();
});

const create = async (layer: Partial<RotaLayer>, fields: object = {}) => {
  const now = server.clock.now();
  const body = {
    name: 'Night, south',
    timeZone: 'UTC',
    layers: [
      {
        userIds: [ann, bob],
        rotation: 'DAILY',
        every: 1,
        handoffTime: '08:00',
        startDate: new Date(now - 10 * DAY_MS).toISOString().slice(0, 10),
        ...layer,
      },
    ],
    ...fields,
  };
  return (await server.call(operations.createRota, { body })).body;
};
const subjects = (email: string) =>
  smtp.letters
    .filter(({ to }) => to.includes(email))
    .map(({ text }) => /^Subject: (.*)$/m.exec(text)?.[1]);

describe('a rota', () => {
  it('mails who goes on and off call once, and a summary on Monday', async () => {
    const rota = await create({ rotation: 'HOURS', every: 240 }, { sendsWeeklySummary: true });
    const params = { rotaId: rota.id };
    const { body } = await server.call(operations.retrieveOnCall, { params });
    const [off, on] = body.userId === ann ? ['ann', 'bob'] : ['bob', 'ann'];
    server.clock.advance(Date.parse(body.untilDateTime) - server.clock.now());
    await expect
      .poll(() => subjects(`${on}@example.com`))
      .toContain('You are on call: Night, south');
    await expect
      .poll(() => subjects(`${off}@example.com`))
      .toContain('You are off call: Night, south');
    server.clock.advance(7 * DAY_MS);
    await expect
      .poll(() => subjects(`${on}@example.com`))
      .toContain('On call this week: Night, south');
    const handoffs = subjects(`${on}@example.com`).filter((each) => each?.startsWith('You are on'));
    expect(handoffs).toHaveLength(1);
    await server.call(operations.deleteRota, { params });
  });

  it('is a calendar by a secret link, until that is revoked or replaced', async () => {
    const rota = await create({ userIds: [ann, null] }, { sendsHandoffMail: false });
    const params = { rotaId: rota.id };
    const link = async () =>
      (await server.call(operations.createRotaCalendarLink, { params })).body.path;
    const read = (path: string) => send(server.url, 'GET', path);
    const first = await link();
    const { status, headers, text } = await read(first);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
    expect(text).toContain('SUMMARY:ann@example.com on call: Night\\, south\r\n');
    expect(text).toContain('SUMMARY:Nobody on call: Night\\, south\r\n');
    const second = await link();
    expect([(await read(first)).status, (await read(second)).status]).toEqual([404, 200]);
    const { body } = await server.call(operations.retrieveRota, { params });
    expect(body.hasCalendarLink).toBe(true);
    expect((await server.call(operations.revokeRotaCalendarLink, { params })).status).toBe(204);
    expect((await read(second)).status).toBe(404);
  });
});
