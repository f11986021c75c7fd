import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type MailRig, newMailGroup, startMailRig } from '../support/mail.ts';
import { pagingCalls } from '../support/paging.ts';
import { startReceiver } from '../support/receiver.ts';
import { startNeighbour, type TestServer } from '../support/server.ts';

const WEEKDAYS = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'];
const UNKNOWN = '018f0000-0000-7000-8000-00000000dead';
const soon = { interval: 50 };

let rig: MailRig;
let server: TestServer;
let auth: string;
let email: string;

beforeAll(async () => {
  rig = await startMailRig({
    FIELDWATCH_PUBLIC_URL: 'https://watch.example.org',
    FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.1',
  });
  ({ server } = rig);
  ({ administrator: auth, adminEmail: email } = server);
});

afterAll(() => rig.stop());

beforeEach(async () => {
  await rig.bench.query('delete from alarm_group_followers');
  await rig.bench.query('delete from deliveries');
  rig.smtp.letters.length = 0;
});

const { newPagedGroup, seen } = pagingCalls(() => server);
const newGroup = async (at = server): Promise<string> =>
  (await at.call(operations.createAlarmGroup, { body: { name: 'Pumps' } })).body.id;
const follow = (alarmGroupId: string) =>
  server.call(operations.createGroupSubscription, { auth, body: { alarmGroupId } });
const unfollow = (alarmGroupId: string) =>
  server.call(operations.deleteGroupSubscription, { auth, params: { alarmGroupId } });
const followed = async () =>
  (await server.call(operations.listGroupSubscriptions, { auth })).body.items;
const setRules = (body: object) => server.call(operations.updateNotificationRules, { auth, body });
const lettersTo = (address: string) =>
  rig.smtp.letters.filter(({ to }) => to.includes(address)).length;

describe('the alarm groups that a user follows', () => {
  it('are added, listed and ended by the user, with an entry in the audit log each', async () => {
    const alarmGroupId = await newGroup();
    const { status, body } = await follow(alarmGroupId);
    expect(status).toBe(201);
    expect(body).toEqual({
      alarmGroupId,
      alarmGroupName: 'Pumps',
      createdDateTime: expect.any(String),
    });
    expect(await followed()).toEqual([body]);
    expect((await follow(alarmGroupId)).body.detail).toContain('already');
    expect((await unfollow(alarmGroupId)).status).toBe(204);
    expect((await unfollow(alarmGroupId)).status).toBe(404);
    expect(await followed()).toEqual([]);
    const query = 'resource=GroupSubscription&take=2';
    const { items } = (await server.call(operations.listAuditLog, { query })).body;
    expect(items.map(({ changes }: { changes: object[] }) => changes)).toEqual([
      [{ field: 'alarmGroupId', from: alarmGroupId, to: null }],
      [{ field: 'alarmGroupId', from: null, to: alarmGroupId }],
    ]);
  });

  it('exist in the organization: one of a neighbour is as unknown', async () => {
    const foreign = await newGroup(await startNeighbour(server));
    for (const id of [foreign, UNKNOWN]) {
      const { status, body } = await follow(id);
      expect({ status, path: body.errors?.[0]?.path }).toEqual({
        status: 400,
        path: 'alarmGroupId',
      });
    }
    expect((await unfollow(foreign)).status).toBe(404);
  });

  it('end with the group', async () => {
    const alarmGroupId = await newGroup();
    await follow(alarmGroupId);
    await server.call(operations.deleteAlarmGroup, { params: { alarmGroupId } });
    expect(await followed()).toEqual([]);
  });

  it('are at most 100', async () => {
    await rig.bench.query(
      `with made as (
         insert into alarm_groups (organization_id, id, name, name_folded, created_at, updated_at)
         select $1, gen_random_uuid(), 'G', 'g', now(), now() from generate_series(1, 99)
         returning id)
       insert into alarm_group_followers (organization_id, alarm_group_id, user_id, created_at)
       select $1, made.id, users.id, now() from made, users where users.email = $2`,
      [server.organizationId, email],
    );
    expect((await follow(await newGroup())).status).toBe(201);
    const refused = await follow(await newGroup());
    expect(refused.status).toBe(409);
    expect(refused.body.detail).toContain('at most 100');
  });
});

describe('a follower of an alarm group', () => {
  it('is notified once about each change, beside the subscriptions of the group', async () => {
    const alarmGroupId = await newMailGroup(server, email);
    await follow(alarmGroupId);
    const other = await newGroup();
    await follow(other);
    const eventId = await rig.bench.notify({ alarmGroupId });
    await rig.bench.notify({ alarmGroupId: other });
    await rig.bench.clear(eventId);
    await expect.poll(() => lettersTo(email), soon).toBe(3);
    await unfollow(other);
    await rig.bench.notify({ alarmGroupId: other });
    await rig.bench.notify({ alarmGroupId });
    await expect.poll(() => lettersTo(email), soon).toBe(4);
  });

  it('is not contacted at a severity that their rules leave out', async () => {
    const alarmGroupId = await newGroup();
    await follow(alarmGroupId);
    await setRules({ bands: [{ severities: ['LOW'], steps: [] }] });
    await rig.bench.notify({ alarmGroupId, severity: 'LOW' });
    await rig.bench.notify({ alarmGroupId, severity: 'HIGH' });
    await expect.poll(() => lettersTo(email), soon).toBe(1);
    await setRules({ bands: [] });
    expect(rig.smtp.letters[0]?.text).toContain('HIGH');
  });

  it('gets what quiet hours held at their end, as one digest, and CRITICAL at once', async () => {
    const alarmGroupId = await newGroup();
    await follow(alarmGroupId);
    const today = new Date(server.clock.now()).getUTCDay();
    const hours = WEEKDAYS.map((weekday, day) => {
      const isOpen = day === (today + 2) % 7;
      return { weekday, from: isOpen ? '12:00' : '00:00', to: '24:00' };
    });
    await setRules({ quietHours: { timeZone: 'UTC', hours, upToSeverity: 'HIGH' } });
    const waiting = () =>
      rig.bench.query<{ type: string; event_count: number }>(
        `select type, event_count from deliveries where user_id is not null order by created_at`,
      );
    const single = { type: 'alarm.raised', event_count: 1 };
    const digest = (count: number) => ({ type: 'alarm.digest', event_count: count });
    await rig.bench.notify({ alarmGroupId, severity: 'HIGH' });
    await expect.poll(waiting, soon).toEqual([single]);
    await rig.bench.notifyMany(2, { alarmGroupId, severity: 'HIGH' });
    await expect.poll(waiting, soon).toEqual([single, digest(2)]);
    await rig.bench.notify({ alarmGroupId, severity: 'HIGH' });
    await expect.poll(waiting, soon).toEqual([single, digest(3)]);
    await rig.bench.notify({ alarmGroupId, severity: 'CRITICAL' });
    await expect.poll(() => lettersTo(email), soon).toBe(1);
    await setRules({ quietHours: null });
    server.clock.advance(3 * 24 * 3_600_000);
    await expect.poll(() => lettersTo(email), soon).toBe(3);
    auth = await server.signIn(email, server.adminPassword);
  });

  it('is contacted by the next methods at once when one has failed for good', async () => {
    const receiver = await startReceiver();
    const addChat = async () => {
      const { body: webhook } = await server.call(operations.createWebhook, {
        body: { name: 'Chat', url: receiver.url },
      });
      const body = { kind: 'CHAT', address: webhook.id };
      const made = await server.call(operations.createContactMethod, { auth, body });
      expect(made.status, made.text).toBe(201);
    };
    await addChat();
    await addChat();
    await rig.bench.query(
      `insert into contact_methods (organization_id, id, user_id, kind, address, position,
         verified_at, created_at, updated_at)
       select $1, gen_random_uuid(), id, 'EMAIL', 'second@example.com', 9, now(), now(), now()
       from users where email = $2`,
      [server.organizationId, email],
    );
    const alarmGroupId = await newGroup();
    await follow(alarmGroupId);
    await rig.bench.notify({ alarmGroupId });
    await expect.poll(() => receiver.received.length, soon).toBe(1);
    expect(lettersTo('second@example.com')).toBe(0);
    receiver.answer(410);
    const eventId = await rig.bench.notify({ alarmGroupId });
    await expect.poll(() => lettersTo('second@example.com'), soon).toBe(1);
    expect(receiver.received.map(({ body }) => body.data.id).slice(1)).toEqual([eventId, eventId]);
    expect(lettersTo(email)).toBe(0);
    await rig.bench.query('delete from contact_methods');
    await receiver.stop();
  });

  it('is paged where the group is a target of an escalation policy', async () => {
    const followedId = await newGroup();
    await follow(followedId);
    const targets = [{ kind: 'ALARM_GROUP', alarmGroupId: followedId }];
    const { alarmGroupId, policyId } = await newPagedGroup({
      steps: [{ afterSeconds: 0, targets }],
    });
    const { body } = await server.call(operations.retrieveEscalationPolicy, {
      params: { policyId },
    });
    expect(body.warnings).toEqual([]);
    await rig.bench.notify({ alarmGroupId });
    await seen(policyId, { state: 'ACTIVE', step: 0 });
    await expect.poll(() => lettersTo(email), soon).toBe(1);
    expect(rig.smtp.letters[0]?.text).toContain('Acknowledge: https://');
  });

  it('follows no longer after the unsubscribe link of a mail', async () => {
    const alarmGroupId = await newGroup();
    await follow(alarmGroupId);
    await rig.bench.notify({ alarmGroupId });
    await expect.poll(() => lettersTo(email), soon).toBe(1);
    const headers = (rig.smtp.letters[0]?.text ?? '').replaceAll('\n ', ' ');
    const [, path = ''] =
      /^List-Unsubscribe: <https:\/\/watch\.example\.org(\/unsubscribe\/.*)>$/m.exec(headers) ?? [];
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    expect((await fetch(`${server.url}${path}`, { method: 'POST', body })).status).toBe(200);
    expect(await followed()).toEqual([]);
  });
});
