import { expect, it } from 'vitest';
import { type Due, faultsOfMail, faultsOfWebhooks, mailName } from './notifications.ts';
import { faultsOfSessions, type Session } from './subscribers.ts';
import { Timeline } from './timeline.ts';

const EVENT = '01a1e243-4d5d-7ecc-aed4-b6e332761a84';

function sessionFaults(session: Partial<Session>): string[] {
  const whole = { from: 0, to: Number.POSITIVE_INFINITY, reason: null, received: new Map() };
  const kind = { name: 'client', version: 5, slownessMs: 0 } as const;
  const changes = [{ name: `${EVENT} RAISED`, from: 10_000, to: 10_100 }];
  return faultsOfSessions({ kind, sessions: [{ ...whole, ...session }] }, changes);
}

it('a subscription must bring each change once, unless it ended or was disconnected with 0x97', () => {
  expect(sessionFaults({ received: new Map([[`${EVENT} RAISED`, [10_100]]]) })).toEqual([]);
  expect(sessionFaults({})).toEqual([expect.stringContaining(`${EVENT} RAISED was not delivered`)]);
  expect(
    sessionFaults({ received: new Map([[`${EVENT} RAISED`, [10_100, 10_200]]]) }),
  ).toHaveLength(1);
  expect(sessionFaults({ from: 10_050 })).toEqual([]);
  expect(sessionFaults({ to: 11_000 })).toEqual([]);
  expect(sessionFaults({ to: 30_000 })).toHaveLength(1);
  expect(sessionFaults({ to: 30_000, reason: 0x97 })).toEqual([]);
});

const due: Due[] = [{ eventId: EVENT, type: 'alarm.raised', email: 'a@example.com' }];

function hook(deliveryId: string, body: object) {
  return { headers: { 'webhook-id': deliveryId }, text: '', body };
}

it('a notification must come by webhook under one id, by itself or in a digest', () => {
  const message = { type: 'alarm.raised', data: { id: EVENT } };
  const sound = { missing: [], doubled: [], invented: [] };
  expect(faultsOfWebhooks(due, [hook('1', message), hook('1', message)])).toEqual(sound);
  const digest = { type: 'alarm.digest', data: { messages: [message] } };
  expect(faultsOfWebhooks(due, [hook('1', digest)])).toEqual(sound);
  expect(faultsOfWebhooks(due, []).missing).toHaveLength(1);
  expect(faultsOfWebhooks(due, [hook('1', message), hook('2', message)]).doubled).toHaveLength(1);
  expect(faultsOfWebhooks([], [hook('1', message)]).invented).toHaveLength(1);
});

it('a mail must come once, or wait to be tried again', () => {
  const link = `http://torture.example.com/alarms/events/${EVENT}`;
  const text = `Subject: [HIGH] Hot: Device\n\n${link.slice(0, 60)}=\n${link.slice(60)}\n`;
  const letter = { from: 'f', to: ['a@example.com'], text };
  expect(mailName(letter)).toBe(`${EVENT} alarm.raised`);
  const waiting = { eventId: EVENT, email: 'a@example.com', eventCount: 1 };
  const faults = (count: number, isWaiting = false) =>
    faultsOfMail(due, Array(count).fill(letter), isWaiting ? [waiting] : []);
  expect(faults(1)).toEqual({ missing: [], doubled: [], invented: [] });
  expect(faults(0).missing).toHaveLength(1);
  expect(faults(0, true).missing).toEqual([]);
  expect(faults(2).doubled).toHaveLength(1);
});

it('a digest by mail must report as many messages as its address has not received singly', () => {
  const digest = (count: number, id = '1') => ({
    from: 'f',
    to: ['a@example.com'],
    text: `Subject: [HIGH] ${count} alarm messages within a short time\nMessage-ID: <${id}>\n`,
  });
  const cleared: Due = { eventId: EVENT, type: 'alarm.cleared', email: 'a@example.com' };
  const both = [...due, cleared];
  const sound = { missing: [], doubled: [], invented: [] };
  expect(faultsOfMail(both, [digest(2)], [])).toEqual(sound);
  expect(faultsOfMail(both, [digest(1)], []).missing).toEqual([`${EVENT} alarm.cleared`]);
  expect(faultsOfMail(both, [digest(3)], []).invented).toHaveLength(1);
  expect(faultsOfMail(both, [digest(2), digest(2)], []).doubled).toEqual(['digest <1>']);
  expect(faultsOfMail(both, [digest(1), digest(1, '2')], [])).toEqual(sound);
  const waiting = { eventId: null, email: 'a@example.com', eventCount: 2 };
  expect(faultsOfMail(both, [], [waiting])).toEqual(sound);
  expect(faultsOfMail(both, [digest(2)], [waiting])).toEqual(sound);
});

it('a hold that an outage met waits for the readings that Devices buffered', async () => {
  const timeline = new Timeline();
  const begunAt = Date.now() - 60_000;
  const begun = { begunSentAt: begunAt, begunAckedAt: begunAt, holdMs: 10_000 };
  const verdict = (nextAt: number) =>
    timeline.verdictOn({ ...begun, nextSentAt: nextAt, nextAckedAt: nextAt });
  expect(verdict(begunAt + 5_000)).toBe('waited');
  expect(verdict(begunAt + 20_000)).toBe('ended');
  expect(verdict(begunAt + 9_000)).toBe('either');
  timeline.beginOutage()();
  const [now, late] = [Date.now(), Date.now() + 40_000];
  const met = { begunSentAt: now - 5_000, begunAckedAt: now - 5_000 };
  const after = (nextAt: number) =>
    timeline.verdictOn({ ...met, holdMs: 10_000, nextSentAt: nextAt, nextAckedAt: nextAt });
  expect(after(now + 20_000)).toBe('waited');
  expect(after(late)).toBe('either');
});

it('a hold lasts as long as it is when the clock is set, and a jump forward counts as an outage', () => {
  const timeline = new Timeline();
  const now = Date.now();
  const begun = { begunSentAt: now - 5_000, begunAckedAt: now - 5_000, holdMs: 10_000 };
  const verdict = (nextAt: number) =>
    timeline.verdictOn({ ...begun, nextSentAt: nextAt, nextAckedAt: nextAt });
  timeline.beginStep(-60_000)();
  timeline.beginStep(-57_000)();
  expect(verdict(now + 1_000)).toBe('waited');
  expect(verdict(now + 9_000)).toBe('ended');
  timeline.beginStep(0)();
  expect(verdict(now + 9_000)).toBe('waited');
  expect(verdict(now + 40_000)).toBe('either');
});

it('what arrives while the clock is being set may have arrived by either clock', () => {
  const timeline = new Timeline();
  const before = Date.now() - 1_000;
  const isSet = timeline.beginStep(-60_000);
  const during = Date.now();
  expect(timeline.arrivalsOf(before, before)).toEqual([[before, before]]);
  const [first, second] = timeline.arrivalsOf(during, during);
  expect([first, second]).toEqual([
    [during, during],
    [during - 60_000, during - 60_000],
  ]);
  isSet();
  const after = Date.now() + 1_000;
  expect(timeline.arrivalsOf(after, after)).toEqual([[after - 60_000, after - 60_000]]);
});
