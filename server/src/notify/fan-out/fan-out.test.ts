import { SEVERITIES, type Severity } from '@fieldwatch/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formOf } from './digest-policy.ts';
import { digestWith, messageOf } from './message.ts';
import { NOTIFICATION_KINDS, type Notification, type NotificationKind } from './notification.ts';
import { type Destination, recipientsOf, type Subscription } from './recipients.ts';
import { waitingRecipients } from './waiting.ts';

const ORGANIZATION = 'organization';
const NOW = 1_800_000_000_000;

function notification(fields: {
  id?: string;
  kind?: NotificationKind;
  severity?: Severity;
  alarmGroupId?: string | null;
  organizationId?: string;
}): Notification {
  const { id = 'n', kind = 'RAISED', severity = 'HIGH', alarmGroupId = 'group' } = fields;
  return {
    id,
    organizationId: fields.organizationId ?? ORGANIZATION,
    kind,
    at: NOW,
    event: {
      id: `event of ${id}`,
      alarmId: 'alarm',
      alarmName: 'Alarm',
      severity,
      operator: 'EQUAL',
      thresholdValue: 1,
      deviceId: 'device',
      deviceName: 'Device',
      deviceVariableId: 'variable',
      deviceVariableName: 'Variable',
      assetIds: [],
      locationId: null,
      alarmGroupId,
      raisedDateTime: '2027-01-15T08:00:00.000Z',
      raisedValue: 1,
      clearedDateTime: null,
      clearedValue: null,
      clearedReason: null,
      isAcknowledgeable: false,
      acknowledgedDateTime: null,
      acknowledgedBy: null,
      notes: [],
    },
    context: { unit: null, locationPath: [], timeZone: null },
    hasWaited: false,
    digest: null,
  };
}

const webhook = (webhookId: string, organizationId = ORGANIZATION): Destination => ({
  organizationId,
  email: null,
  emailFolded: null,
  webhookId,
  pushId: null,
});

const address = (email: string): Destination => ({
  organizationId: ORGANIZATION,
  email,
  emailFolded: email.toLowerCase(),
  webhookId: null,
  pushId: null,
});

const subscription = (
  destination: Destination,
  severities: readonly Severity[] = [],
  alarmGroupId = 'group',
): Subscription => ({ alarmGroupId, destination, severities });

describe('those who follow an alarm group', () => {
  const contact = (email: string, notificationId: string, dueAt = NOW) => ({
    ...{ notificationId, dueAt, userId: `user of ${email}` },
    destination: address(email),
  });
  const [first, second] = [notification({ id: 'a' }), notification({ id: 'b' })];

  it('are sent a notification once, also at an address of the group', () => {
    const contacts = [contact('ann@example.com', 'a'), contact('bob@example.com', 'a')];
    const subscriptions = [subscription(address('Ann@example.com'))];
    const found = recipientsOf([first], subscriptions, contacts);
    expect(
      found.map(({ destination, notifications }) => [destination.emailFolded, notifications]),
    ).toEqual([
      ['ann@example.com', [first]],
      ['bob@example.com', [first]],
    ]);
  });

  it('get what waits for them together, at the earliest time', () => {
    const contacts = [
      contact('ann@example.com', 'a', NOW + 2_000),
      contact('ann@example.com', 'b', NOW + 1_000),
      contact('bob@example.com', 'b', NOW + 3_000),
    ];
    expect(waitingRecipients([first, second], contacts, [])).toMatchObject([
      { userId: 'user of ann@example.com', dueAt: NOW + 1_000, notifications: [first, second] },
      { userId: 'user of bob@example.com', dueAt: NOW + 3_000, notifications: [second] },
    ]);
  });

  it('do not wait for what the same address is sent now', () => {
    const contacts = [contact('ann@example.com', 'a', NOW + 2_000)];
    const sent = [{ destination: address('ann@example.com'), notifications: [first] }];
    expect(waitingRecipients([first], contacts, sent)).toEqual([]);
  });
});

describe('recipients of notifications', () => {
  it('are the destinations of the group of the event that want its severity', () => {
    const subscriptions = [
      subscription(webhook('all')),
      subscription(address('High@example.com'), ['HIGH', 'CRITICAL']),
      subscription(address('low@example.com'), ['LOW']),
      subscription(webhook('elsewhere'), [], 'another group'),
    ];
    const notifications = [notification({ id: '1' }), notification({ id: '2', severity: 'INFO' })];
    const messages = recipientsOf(notifications, subscriptions).map((recipient) => [
      recipient.destination.webhookId ?? recipient.destination.email,
      recipient.notifications.map(({ id }) => id),
    ]);
    expect(messages).toEqual([
      ['all', ['1', '2']],
      ['High@example.com', ['1']],
    ]);
  });

  it('are browsers, too, for events of any group and of none', () => {
    const browser: Destination = {
      organizationId: ORGANIZATION,
      email: null,
      emailFolded: null,
      webhookId: null,
      pushId: 'browser',
    };
    const subscriptions = [
      { alarmGroupId: null, destination: browser, severities: ['HIGH'] as const },
    ];
    const notifications = [
      notification({ id: '1' }),
      notification({ id: '2', alarmGroupId: null }),
      notification({ id: '3', alarmGroupId: null, severity: 'LOW' }),
      notification({ id: '4', alarmGroupId: null, organizationId: 'neighbour' }),
    ];
    const [recipient, ...others] = recipientsOf(notifications, subscriptions);
    expect(recipient?.notifications.map(({ id }) => id)).toEqual(['1', '2']);
    expect(others).toEqual([]);
  });

  it('are one destination when two groups name the same', () => {
    const subscriptions = [
      subscription(address('Ann@example.com')),
      subscription(address('ann@example.com'), [], 'second'),
    ];
    const recipients = recipientsOf(
      [notification({}), notification({ alarmGroupId: 'second' })],
      subscriptions,
    );
    expect(recipients.map(({ notifications }) => notifications.length)).toEqual([2]);
  });

  it('are none for an event without a group, or of another organization', () => {
    const subscriptions = [subscription(webhook('all'))];
    expect(recipientsOf([notification({ alarmGroupId: null })], subscriptions)).toEqual([]);
    expect(recipientsOf([notification({ organizationId: 'neighbour' })], subscriptions)).toEqual(
      [],
    );
  });
});

describe('the form of a message to a target', () => {
  const calm = { recentCount: 0, hasOpenDigest: false, lastDigestAt: null, takesDigests: true };

  it.each([
    [0, 19, 'SINGLE'],
    [0, 20, 'SINGLE'],
    [0, 21, 'DIGEST'],
    [19, 1, 'SINGLE'],
    [20, 1, 'DIGEST'],
  ])('after %i within the last minute, %i more are sent as %s', (recentCount, count, form) => {
    expect(formOf({ ...calm, recentCount }, count, NOW).form).toBe(form);
  });

  it('is a digest that collects for five seconds, joined by further events', () => {
    expect(formOf(calm, 21, NOW)).toEqual({ form: 'DIGEST', dueAt: NOW + 5_000 });
    expect(formOf({ ...calm, hasOpenDigest: true }, 1, NOW)).toEqual({ form: 'JOIN' });
    const single = { ...calm, takesDigests: false };
    expect(formOf({ ...single, hasOpenDigest: true }, 10_000, NOW)).toEqual({ form: 'SINGLE' });
  });

  it.each([
    [20, 59_999, { form: 'DIGEST', dueAt: NOW + 5_000 }],
    [20, 10_000, { form: 'DIGEST', dueAt: NOW + 50_000 }],
    [19, 10_000, { form: 'SINGLE' }],
    [0, 60_000, { form: 'SINGLE' }],
  ])(
    'after %i within the last minute and a digest %i ms ago is the one expected',
    (recentCount, ago, form) => {
      expect(formOf({ ...calm, recentCount, lastDigestAt: NOW - ago }, 1, NOW)).toEqual(form);
    },
  );
});

describe('a message', () => {
  it.each([
    ['RAISED', 'alarm.raised'],
    ['CLEARED', 'alarm.cleared'],
    ['ACKNOWLEDGED', 'alarm.acknowledged'],
  ] as const)('of %s has the type %s', (kind, type) => {
    const changed = notification({ kind });
    expect(messageOf(changed)).toEqual({
      type,
      timestamp: '2027-01-15T08:00:00.000Z',
      data: changed.event,
      context: changed.context,
    });
  });

  it('of a digest counts each event once by kind and severity, and has the first twenty', () => {
    const kinds = fc.constantFrom(...NOTIFICATION_KINDS);
    const severities = fc.constantFrom(...SEVERITIES);
    const batches = fc.array(
      fc.array(fc.record({ kind: kinds, severity: severities }), { minLength: 1, maxLength: 30 }),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(batches, (given) => {
        let number = 0;
        const all = given.map((batch) =>
          batch.map((fields) => {
            number += 1;
            return notification({ ...fields, id: String(number) });
          }),
        );
        let digest: ReturnType<typeof digestWith> | null = null;
        for (const batch of all) digest = digestWith(digest, batch);
        const flat = all.flat();
        const { data } = digest ?? digestWith(null, []);
        expect(data.count).toBe(flat.length);
        expect(data.messages).toEqual(flat.slice(0, 20).map(messageOf));
        const sum = Object.values(data.counts)
          .flatMap((counts) => Object.values(counts))
          .reduce((one, other) => one + other, 0);
        expect(sum).toBe(flat.length);
        const critical = flat.filter(
          ({ kind, event }) => kind === 'CLEARED' && event.severity === 'CRITICAL',
        ).length;
        expect(data.counts.cleared?.CRITICAL ?? 0).toBe(critical);
      }),
    );
  });
});
