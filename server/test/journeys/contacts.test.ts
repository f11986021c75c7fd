import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listContactPlans } from '../../src/paging/contacts/index.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type SmtpServer, startSmtp } from '../support/smtp.ts';
import { openTestStorage } from '../support/storage.ts';

let server: TestServer;
let other: string;
let smtp: SmtpServer;
let token: string;

beforeAll(async () => {
  smtp = await startSmtp();
  server = await startServer({
    env: {
      FIELDWATCH_SMTP_URL: smtp.url,
      FIELDWATCH_MAIL_FROM: 'fieldwatch@example.com',
    },
  });
  token = server.administrator;
  other = await server.newUser('VIEWER');
});

afterAll(async () => {
  await server.stop();
  await smtp.stop();
});

const asUser = () => ({ auth: token });
/** Access tokens end before that. */
const advance = async (ms: number) => {
  server.clock.advance(ms);
  token = await server.signIn(server.adminEmail, server.adminPassword);
};
const list = async () => (await server.call(operations.listContactMethods, asUser())).body.items;
const add = (kind: string, address: string, auth = token) =>
  server.call(operations.createContactMethod, { auth, body: { kind, address } });
const one = (contactMethodId: string) => ({ ...asUser(), params: { contactMethodId } });

beforeEach(async () => {
  for (const { id } of await list()) await server.call(operations.deleteContactMethod, one(id));
});

describe('a contact method', () => {
  it('is an address of its kind, which is not verified at first', async () => {
    const { status, body } = await add('SMS', '+43 (660) 123-4567');
    expect(status).toBe(201);
    expect(body).toMatchObject({ address: '+436601234567', isVerified: false, position: 0 });
  });

  it.each([
    ['EMAIL', 'nobody'],
    ['SMS', '0660 1234567'],
    ['VOICE', '+123456'],
    ['SMS', '+1234567890123456'],
    ['WEB_PUSH', '018f0000-0000-7000-8000-00000000dead'],
    ['CHAT', '018f0000-0000-7000-8000-00000000dead'],
  ])('of kind %s refuses %s by field', async (kind, address) => {
    const { status, body } = await add(kind, address);
    expect({ status, path: body.errors?.[0].path }).toEqual({ status: 400, path: 'address' });
  });

  it('is one of at most ten of a user, each once, in an order that can be changed', async () => {
    const ids: string[] = [];
    for (let number = 0; number < 10; number += 1) {
      const { status, body } = await add('EMAIL', `ann${number}@example.com`);
      expect(status).toBe(201);
      ids.push(body.id);
    }
    expect((await add('EMAIL', 'ann10@example.com')).status).toBe(409);
    await server.call(operations.deleteContactMethod, one(ids[9] ?? ''));
    expect((await add('EMAIL', 'ann0@example.com')).body.detail).toBe(
      'The user has this contact method already.',
    );
    const moved = { ...one(ids[8] ?? ''), body: { position: 1 } };
    expect((await server.call(operations.updateContactMethod, moved)).body.position).toBe(1);
    const order = (await list()).map(({ id }: { id: string }) => ids.indexOf(id));
    expect(order).toEqual([0, 8, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('of another user answers as an unknown one', async () => {
    const { body } = await add('EMAIL', 'viewer@example.com', other);
    expect((await server.call(operations.deleteContactMethod, one(body.id))).status).toBe(404);
    const rules = { bands: [{ severities: ['LOW'], steps: [step(body.id)] }] };
    expect((await update(rules)).body.errors[0].path).toBe('bands[0].steps[0].contactMethodId');
  });
});

const sendCode = (id: string) => server.call(operations.sendContactCode, one(id));
const verify = (id: string, code: string) =>
  server.call(operations.verifyContactMethod, { ...one(id), body: { code } });
const lettersTo = (email: string) => smtp.letters.filter(({ to }) => to.includes(email));
const codeSentTo = async (email: string, nth = 0) => {
  await expect.poll(() => lettersTo(email)).toHaveLength(nth + 1);
  return /(\d{6}) is your code/.exec(lettersTo(email)[nth]?.text ?? '')?.[1] ?? '';
};

describe('the verification of a contact method', () => {
  it('takes the code of the mail, after which a test is sent and rules use it', async () => {
    const { body: method } = await add('EMAIL', 'verified@example.com');
    expect((await server.call(operations.testContactMethod, one(method.id))).status).toBe(409);
    expect((await sendCode(method.id)).body.codeExpiresDateTime).not.toBeNull();
    const code = await codeSentTo('verified@example.com');
    expect((await verify(method.id, code)).body).toMatchObject({
      isVerified: true,
      codeExpiresDateTime: null,
    });
    expect((await verify(method.id, code)).status).toBe(409);
    expect((await preview('LOW'))[0].address).toBe('verified@example.com');
    expect((await server.call(operations.testContactMethod, one(method.id))).status).toBe(200);
    await expect.poll(() => lettersTo('verified@example.com')).toHaveLength(2);
    expect(lettersTo('verified@example.com')[1]?.text).toContain('You asked for this test.');
  });

  it('ends after five wrong codes', async () => {
    const { body: method } = await add('EMAIL', 'guessed@example.com');
    await sendCode(method.id);
    const code = await codeSentTo('guessed@example.com');
    const wrong = code === '000000' ? '000001' : '000000';
    for (let left = 4; left >= 1; left -= 1) {
      const message = `is not the code that was sent: ${left} more attempts are left`;
      expect((await verify(method.id, wrong)).body.errors).toEqual([{ path: 'code', message }]);
    }
    expect((await verify(method.id, wrong)).status).toBe(400);
    expect((await verify(method.id, code)).body.detail).toBe(
      'There is no valid code: have a new one sent.',
    );
  });

  it('takes a code for 10 minutes', async () => {
    const { body: method } = await add('EMAIL', 'late@example.com');
    await sendCode(method.id);
    const first = await codeSentTo('late@example.com');
    await advance(600_000);
    expect((await verify(method.id, first)).status).toBe(409);
    await sendCode(method.id);
    const second = await codeSentTo('late@example.com', 1);
    await advance(590_000);
    expect((await verify(method.id, second)).status).toBe(200);
  });

  it('of a phone needs an active phone channel', async () => {
    const { body: method } = await add('SMS', '+436601234567');
    expect((await sendCode(method.id)).body.detail).toMatch(
      /^The organization has no active phone channel for SMS/,
    );
  });

  it('sends at most 10 messages to a user within an hour', async () => {
    await advance(2 * 3_600_000);
    const { body: method } = await add('EMAIL', 'often@example.com');
    for (let number = 1; number <= 10; number += 1) {
      expect((await sendCode(method.id)).status).toBe(200);
    }
    expect((await sendCode(method.id)).status).toBe(429);
  });
});

const step = (contactMethodId: string, afterSeconds = 0) => ({ contactMethodId, afterSeconds });
const update = (body: object) =>
  server.call(operations.updateNotificationRules, { ...asUser(), body });
const preview = async (severity: string, at = '2026-11-17T01:00:00.000Z') =>
  (
    await server.call(operations.previewNotificationRules, {
      ...asUser(),
      query: `severity=${severity}&at=${at}`,
    })
  ).body.items;
const NIGHTS = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'].map(
  (weekday) => ({ weekday, from: '22:00', to: '06:00' }),
);

describe('notification rules', () => {
  it('contact a user without a verified contact method by the mail of the account', async () => {
    await add('EMAIL', 'unverified@example.com');
    expect(await preview('CRITICAL')).toEqual([
      {
        contactMethodId: null,
        kind: 'EMAIL',
        address: server.adminEmail,
        dueDateTime: '2026-11-17T01:00:00.000Z',
      },
    ]);
    const { body } = await server.call(operations.retrieveNotificationRules, asUser());
    expect(body.warnings[0]).toMatch(/^You have no verified contact method/);
  });

  it('are looked up for many people, and reach nobody who is no member', async () => {
    const storage = await openTestStorage({ databaseUrl: server.databaseUrl });
    const { organizationId } = server;
    const { id } = (await server.call(operations.listUsers)).body.items[0];
    const severity = 'LOW' as const;
    const wanted = [id, organizationId].map((userId) => ({ organizationId, userId, severity }));
    const plans = await listContactPlans(storage, wanted, server.clock.now());
    expect(plans.map(({ userId, steps }) => [userId, steps.length])).toEqual([
      [id, 1],
      [organizationId, 0],
    ]);
  });

  it('hold in quiet hours what is not CRITICAL', async () => {
    const quietHours = { timeZone: 'Europe/Vienna', hours: NIGHTS, upToSeverity: 'HIGH' };
    expect((await update({ bands: [], quietHours })).status).toBe(200);
    expect((await preview('HIGH'))[0].dueDateTime).toBe('2026-11-17T05:00:00.000Z');
    expect((await preview('CRITICAL'))[0].dueDateTime).toBe('2026-11-17T01:00:00.000Z');
    expect((await update({ quietHours: null })).body.quietHours).toBeNull();
  });

  it('refuse what would never reach the user, by field', async () => {
    const critical = await update({ bands: [{ severities: ['CRITICAL'], steps: [] }] });
    expect(critical.body.errors[0].path).toBe('bands[0].steps');
    const { body: method } = await add('EMAIL', 'ann@example.com');
    const twice = { severities: ['LOW'], steps: [step(method.id)] };
    expect((await update({ bands: [twice, twice] })).body.errors[0].path).toBe(
      'bands[1].severities',
    );
    const always = NIGHTS.map(({ weekday }) => ({ weekday, from: '00:00', to: '24:00' }));
    const quietHours = { timeZone: 'UTC', hours: always, upToSeverity: 'LOW' };
    expect((await update({ quietHours })).body.errors[0].path).toBe('quietHours.hours');
  });
});
