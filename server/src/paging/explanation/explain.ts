import type {
  DeliveryState,
  NotificationExplanation,
  NotificationOutcome,
  NotificationReason,
  NotificationReasonCode,
} from '@fieldwatch/contract';
import { DELIVERY_RETENTION_MS } from '../../notify/index.ts';
import { isoDateTime } from '../../runtime/index.ts';
import type { DeliveryFacts, Facts } from './facts.ts';
import { pageReasons } from './page-reasons.ts';
import { subscriptionReasons } from './subscription-reasons.ts';

const MAX_REASONS = 200;

/** Reasons that something may still be sent. */
const PENDING: readonly NotificationReasonCode[] = [
  'QUEUED',
  'WAITING_FOR_DEVICES_ABOVE',
  'HELD_BY_MAINTENANCE',
  'HELD_BY_TEST',
  'HELD_BY_TOPOLOGY',
  'STEP_PENDING',
  'DELIVERY_PENDING',
];

/** Why a person was notified of an event, or was not, in the order of the way of a notification. */
export function explain(facts: Facts): NotificationExplanation {
  const { userId, email } = facts.person;
  const reasons = reasonsOf(facts).slice(0, MAX_REASONS);
  return { userId, email, outcome: outcomeOf(reasons), reasons };
}

function outcomeOf(reasons: readonly NotificationReason[]): NotificationOutcome {
  if (reasons.some(({ code }) => code === 'DELIVERED')) return 'NOTIFIED';
  return reasons.some(({ code }) => PENDING.includes(code)) ? 'PENDING' : 'NOT_NOTIFIED';
}

function reasonsOf(facts: Facts): NotificationReason[] {
  const { person, event } = facts;
  const invited: NotificationReason[] = person.isActive ? [] : [{ code: 'INVITATION_OPEN' }];
  // Nothing is queued for an event that is raised while its Alarm is shelved.
  if (event.isShelved) return [...invited, { code: 'ALARM_SHELVED' }];
  return [
    ...invited,
    ...progressReasons(facts),
    ...subscriptionReasons(facts),
    ...pageReasons(facts),
    ...deliveryReasons(facts),
  ];
}

const HELD_BY = {
  MAINTENANCE: 'HELD_BY_MAINTENANCE',
  TEST: 'HELD_BY_TEST',
  TOPOLOGY: 'HELD_BY_TOPOLOGY',
} as const;

function progressReasons({ event, progress, page, deliveries }: Facts): NotificationReason[] {
  const { isQueued, heldReason, heldDueAt, suppressionName, wasNotified } = progress;
  const { suppression } = event;
  const named = {
    ...(suppression ? { id: suppression.id } : {}),
    ...(suppressionName === null ? {} : { name: suppressionName }),
  };
  if (heldReason === 'WAIT') {
    const dateTime = heldDueAt === null ? {} : { dateTime: isoDateTime(heldDueAt) };
    return [{ code: 'WAITING_FOR_DEVICES_ABOVE', ...dateTime }];
  }
  if (heldReason !== null) return [{ code: HELD_BY[suppression?.kind ?? heldReason], ...named }];
  if (isQueued) return [{ code: 'QUEUED' }];
  if (!suppression) return [];
  const isSent = wasNotified || page !== null || deliveries.length > 0;
  const isOver = event.clearedDateTime !== null && !isSent;
  return [{ code: isOver ? 'CLEARED_WHILE_HELD' : 'RELEASED', ...named }];
}

const DELIVERY_CODES = {
  PENDING: 'DELIVERY_PENDING',
  DELIVERED: 'DELIVERED',
  FAILED: 'DELIVERY_FAILED',
  CANCELLED: 'DELIVERY_CANCELLED',
} as const satisfies Record<DeliveryState, NotificationReasonCode>;

function deliveryReasons({ deliveries, hasMail, event, now }: Facts): NotificationReason[] {
  const isMailMissing = deliveries.some(
    ({ channel, state }) => channel === 'EMAIL' && state !== 'DELIVERED' && !hasMail,
  );
  const isOld = now - Date.parse(event.raisedDateTime) > DELIVERY_RETENTION_MS;
  return [
    ...(isMailMissing ? [{ code: 'NO_MAIL_SERVER' as const }] : []),
    ...deliveries.map(deliveryReason),
    ...(isOld && deliveries.length === 0 ? [{ code: 'DELIVERIES_EXPIRED' as const }] : []),
  ];
}

function deliveryReason(delivery: DeliveryFacts): NotificationReason {
  const { state, channel, address, dueAt, lastAttemptAt, lastError, step, loop } = delivery;
  const at = state === 'PENDING' ? dueAt : (lastAttemptAt ?? dueAt);
  return {
    code: DELIVERY_CODES[state],
    channel,
    address,
    dateTime: isoDateTime(at),
    ...(step === null || loop === null ? {} : { step, loop }),
    ...(lastError === null || state === 'DELIVERED' ? {} : { error: lastError }),
  };
}
