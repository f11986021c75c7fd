import { NOTIFICATION_REASONS } from '@fieldwatch/contract';
import { describe, expect, it } from 'vitest';
import { explain } from '../src/paging/explanation/explain.ts';
import {
  ACKNOWLEDGED,
  AT,
  type Case,
  DAY_MS,
  deliveryOf,
  EVENT,
  FACTS,
  GROUP,
  held,
  ME,
  MINUTE_MS,
  OTHER,
  PAGE,
  PAGED,
  PROGRESS,
  pageOf,
  push,
  quietHours,
  ROTA,
  ROTA_STEP,
  ranStep,
  rotaOf,
  SMS,
  subscriptionTo,
  suppressed,
  USER_STEP,
  WINDOW,
} from './support/notification-facts.ts';

const codesOf = (facts: Partial<typeof FACTS>) =>
  explain({ ...FACTS, ...facts }).reasons.map(({ code }) => code);

const CASES: readonly Case[] = [
  {
    when: 'the person has not accepted the invitation',
    facts: { person: { ...FACTS.person, isActive: false } },
    reason: { code: 'INVITATION_OPEN' },
  },
  {
    when: 'the Alarm was shelved',
    facts: { event: { ...EVENT, isShelved: true } },
    reason: { code: 'ALARM_SHELVED' },
  },
  {
    when: 'the notification is still in the outbox',
    facts: { progress: { ...PROGRESS, isQueued: true } },
    reason: { code: 'QUEUED' },
    outcome: 'PENDING',
  },
  {
    when: 'it waits for Devices above',
    facts: { progress: { ...PROGRESS, heldReason: 'WAIT', heldDueAt: AT } },
    reason: { code: 'WAITING_FOR_DEVICES_ABOVE', dateTime: new Date(AT).toISOString() },
    outcome: 'PENDING',
  },
  {
    when: 'a window holds it',
    facts: { event: suppressed('MAINTENANCE'), progress: held },
    reason: { code: 'HELD_BY_MAINTENANCE', id: WINDOW, name: 'Oil change' },
    outcome: 'PENDING',
  },
  {
    when: 'a test holds it',
    facts: { event: suppressed('TEST'), progress: held },
    reason: { code: 'HELD_BY_TEST', id: WINDOW, name: 'Oil change' },
    outcome: 'PENDING',
  },
  {
    when: 'a Device above is offline',
    facts: {
      event: suppressed('TOPOLOGY'),
      progress: { ...held, heldReason: 'TOPOLOGY', suppressionName: 'Gateway is offline' },
    },
    reason: { code: 'HELD_BY_TOPOLOGY', id: WINDOW, name: 'Gateway is offline' },
    outcome: 'PENDING',
  },
  {
    when: 'the event cleared within a window',
    facts: { event: { ...suppressed('MAINTENANCE'), clearedDateTime: EVENT.raisedDateTime } },
    reason: { code: 'CLEARED_WHILE_HELD', id: WINDOW },
  },
  {
    when: 'the window has ended',
    facts: { event: suppressed('MAINTENANCE') },
    reason: { code: 'RELEASED', id: WINDOW },
  },
  {
    when: 'the Alarm has no group',
    facts: { event: { ...EVENT, alarmGroupId: null }, group: null },
    reason: { code: 'NO_ALARM_GROUP' },
  },
  {
    when: 'the group was deleted',
    facts: { group: null },
    reason: { code: 'ALARM_GROUP_DELETED' },
  },
  {
    when: 'the group has an address of the person, in whatever case',
    facts: { subscriptions: [subscriptionTo('Me@Example.com')] },
    reason: { code: 'IN_ALARM_GROUP', name: 'Operators', address: 'Me@Example.com' },
  },
  {
    when: 'the person follows the group',
    facts: { isFollowing: true },
    reason: { code: 'FOLLOWS_ALARM_GROUP', name: 'Operators' },
  },
  {
    when: 'the group has others only',
    facts: { subscriptions: [subscriptionTo('other@example.com')] },
    reason: { code: 'NOT_IN_ALARM_GROUP', name: 'Operators' },
  },
  {
    when: 'the subscription wants other severities',
    facts: { subscriptions: [subscriptionTo('me@example.com', ['CRITICAL'])] },
    reason: { code: 'SEVERITY_NOT_WANTED', severities: ['CRITICAL'] },
  },
  {
    when: 'a browser of the person takes all severities',
    facts: { browsers: [{ ...push, severities: [] }] },
    reason: { code: 'BROWSER', name: 'Firefox' },
  },
  {
    when: 'a browser of the person takes other severities',
    facts: { browsers: [{ ...push, severities: ['CRITICAL'] }] },
    reason: { code: 'BROWSER_SEVERITY_NOT_WANTED', severities: ['CRITICAL'] },
  },
  {
    when: 'the group pages nobody',
    facts: {},
    reason: { code: 'NO_ESCALATION_POLICY', name: 'Operators' },
  },
  {
    when: 'the group got its policy after the event',
    facts: { group: { id: GROUP, name: 'Operators', policyName: 'Night shift' } },
    reason: { code: 'NO_PAGE', name: 'Night shift' },
  },
  {
    when: 'the event started a page',
    facts: PAGED,
    reason: { code: 'PAGE', id: PAGE, name: 'Night shift' },
  },
  {
    when: 'a step names the person',
    facts: PAGED,
    reason: { code: 'PAGED_AT_STEP', step: 0, loop: 0, dateTime: new Date(AT).toISOString() },
  },
  {
    when: 'the person was on call',
    facts: {
      page: pageOf([ROTA_STEP], { step: 0 }),
      steps: [ranStep(`ROTA ${ROTA}`)],
      rotas: rotaOf(ME),
    },
    reason: { code: 'ON_CALL_AT_STEP', name: 'Nights', step: 0 },
  },
  {
    when: 'somebody else was on call',
    facts: {
      page: pageOf([ROTA_STEP], { step: 0 }),
      steps: [ranStep(`ROTA ${ROTA}`)],
      rotas: rotaOf(OTHER),
    },
    reason: { code: 'OTHER_ON_CALL', name: 'Nights', step: 0 },
  },
  {
    when: 'nobody was on call',
    facts: {
      page: pageOf([ROTA_STEP], { step: 0 }),
      steps: [ranStep(`ROTA ${ROTA}`, false)],
      rotas: rotaOf(null),
    },
    reason: { code: 'NOBODY_ON_CALL', name: 'Nights', dateTime: new Date(AT).toISOString() },
  },
  {
    when: 'the page was reassigned to the person',
    facts: { page: pageOf([]), steps: [ranStep(`REASSIGNED ${ME} ${AT}`)] },
    reason: { code: 'REASSIGNED' },
  },
  {
    when: 'the step of the person is due later',
    facts: { page: pageOf([USER_STEP]) },
    reason: { code: 'STEP_PENDING', dateTime: new Date(AT + 10 * MINUTE_MS).toISOString() },
    outcome: 'PENDING',
  },
  {
    when: 'somebody acknowledged before the step of the person',
    facts: { page: ACKNOWLEDGED },
    reason: { code: 'ACKNOWLEDGED_BEFORE_STEP', step: 0, actor: 'other@example.com' },
  },
  {
    when: 'the event cleared before the step of the person',
    facts: { page: pageOf([USER_STEP], { state: 'RESOLVED', endedAt: AT }) },
    reason: { code: 'RESOLVED_BEFORE_STEP', dateTime: new Date(AT).toISOString() },
  },
  {
    when: 'the page is suppressed before the step of the person',
    facts: { page: pageOf([USER_STEP], { state: 'SUPPRESSED' }) },
    reason: { code: 'SUPPRESSED_BEFORE_STEP', step: 0 },
  },
  {
    when: 'no step concerns the person',
    facts: { page: pageOf([]) },
    reason: { code: 'NOT_IN_ESCALATION_POLICY', name: 'Night shift' },
  },
  {
    when: 'the person chose no message for the severity',
    facts: {
      ...PAGED,
      wishes: { ...FACTS.wishes, bands: [{ severities: ['HIGH'], steps: [] }] },
    },
    reason: { code: 'OWN_RULES_NONE', severities: ['HIGH'] },
  },
  {
    when: 'a contact method is not verified',
    facts: { ...PAGED, wishes: { ...FACTS.wishes, methods: [{ ...SMS, isVerified: false }] } },
    reason: { code: 'METHOD_NOT_VERIFIED', address: SMS.address },
  },
  {
    when: 'no contact method is verified',
    facts: { ...PAGED, wishes: { ...FACTS.wishes, methods: [] } },
    reason: { code: 'NO_VERIFIED_METHOD', address: 'me@example.com' },
  },
  {
    when: 'quiet hours hold the page',
    facts: { ...PAGED, wishes: { ...FACTS.wishes, quietHours } },
    reason: { code: 'HELD_BY_QUIET_HOURS', dateTime: '2026-11-16T12:00:00.000Z' },
  },
  {
    when: 'there is no mail server',
    facts: { hasMail: false, deliveries: [deliveryOf({ state: 'PENDING' })] },
    reason: { code: 'NO_MAIL_SERVER' },
    outcome: 'PENDING',
  },
  {
    when: 'a message was delivered',
    facts: { deliveries: [deliveryOf({})] },
    reason: { code: 'DELIVERED', address: 'me@example.com', channel: 'EMAIL' },
    outcome: 'NOTIFIED',
  },
  {
    when: 'a message is on its way',
    facts: { deliveries: [deliveryOf({ state: 'PENDING' })] },
    reason: { code: 'DELIVERY_PENDING', dateTime: new Date(AT).toISOString() },
    outcome: 'PENDING',
  },
  {
    when: 'a message failed',
    facts: { deliveries: [deliveryOf({ state: 'FAILED', lastError: '550 unknown' })] },
    reason: { code: 'DELIVERY_FAILED', error: '550 unknown' },
  },
  {
    when: 'a message was cancelled',
    facts: { deliveries: [deliveryOf({ state: 'CANCELLED', loop: 0, step: 1 })] },
    reason: { code: 'DELIVERY_CANCELLED', loop: 0, step: 1 },
  },
  {
    when: 'the event is older than deliveries are kept',
    facts: { now: AT + 30 * DAY_MS + 1 },
    reason: { code: 'DELIVERIES_EXPIRED' },
  },
];

describe('the explanation of a notification', () => {
  it.each(CASES)('has $reason.code when $when', ({ facts, reason, outcome = 'NOT_NOTIFIED' }) => {
    const explained = explain({ ...FACTS, ...facts });
    expect(explained.reasons).toContainEqual(expect.objectContaining(reason));
    expect(explained.outcome).toBe(outcome);
  });

  it('has a case for each reason', () => {
    expect(new Set(CASES.map(({ reason }) => reason.code))).toEqual(new Set(NOTIFICATION_REASONS));
  });

  it('says nothing but that the Alarm was shelved, since nothing else decided', () => {
    const { reasons } = explain({ ...FACTS, ...PAGED, event: { ...EVENT, isShelved: true } });
    expect(reasons).toEqual([{ code: 'ALARM_SHELVED' }]);
  });

  it('never holds CRITICAL for quiet hours', () => {
    const page = pageOf([USER_STEP], { severity: 'CRITICAL', step: 0 });
    const wishes = { ...FACTS.wishes, quietHours };
    expect(codesOf({ ...PAGED, page, wishes })).not.toContain('HELD_BY_QUIET_HOURS');
  });

  it('keeps deliveries until 30 days after the event', () => {
    expect(codesOf({ now: AT + 30 * DAY_MS })).not.toContain('DELIVERIES_EXPIRED');
  });

  it('lists reasons in the order of the way of a notification', () => {
    const event = suppressed('MAINTENANCE');
    const subscriptions = [subscriptionTo('me@example.com')];
    const codes = codesOf({ ...PAGED, event, subscriptions, deliveries: [deliveryOf({})] });
    expect(codes).toEqual(['RELEASED', 'IN_ALARM_GROUP', 'PAGE', 'PAGED_AT_STEP', 'DELIVERED']);
  });
});
