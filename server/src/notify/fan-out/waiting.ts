import type { NewId } from '../../runtime/index.ts';
import type { Transaction } from '../../storage/index.ts';
import { digestWith, messageOf } from './message.ts';
import type { Notification } from './notification.ts';
import {
  type Destination,
  destinationKey,
  type FollowerContact,
  type Recipient,
} from './recipients.ts';
import * as store from './store.ts';

/** What somebody is sent later: at the end of their quiet hours, or after a time of their rules. */
export interface WaitingRecipient {
  readonly destination: Destination;
  readonly userId: string;
  /** The earliest of the notifications. */
  readonly dueAt: number;
  readonly notifications: readonly Notification[];
}

/** The contacts that are due later, without what the same destination is sent now. */
export function waitingRecipients(
  notifications: readonly Notification[],
  contacts: readonly FollowerContact[],
  recipients: readonly Recipient[],
): WaitingRecipient[] {
  if (contacts.length === 0) return [];
  const byId = new Map(notifications.map((each) => [each.id, each]));
  const sentNow = new Set(
    recipients.flatMap(({ destination, notifications: sent }) =>
      sent.map(({ id }) => `${destinationKey(destination)} ${id}`),
    ),
  );
  const waiting = new Map<string, WaitingRecipient & { notifications: Notification[] }>();
  for (const { notificationId, userId, destination, dueAt } of contacts) {
    const notification = byId.get(notificationId);
    const key = destinationKey(destination);
    if (!notification || sentNow.has(`${key} ${notificationId}`)) continue;
    const known = waiting.get(`${key} ${userId}`) ?? {
      destination,
      userId,
      dueAt,
      notifications: [],
    };
    known.notifications.push(notification);
    waiting.set(`${key} ${userId}`, { ...known, dueAt: Math.min(known.dueAt, dueAt) });
  }
  return [...waiting.values()];
}

/**
 * What waits for one person is one message, or a digest that later notifications join while it waits:
 * a night of alarms is not a hundred messages in the morning.
 */
export async function deliverLater(
  tx: Transaction,
  { newId, now }: { readonly newId: NewId; readonly now: number },
  recipients: readonly WaitingRecipient[],
  targetOf: ReadonlyMap<string, store.TargetRow>,
): Promise<void> {
  if (recipients.length === 0) return;
  const addressed = recipients.map((each) => {
    const target = targetOf.get(destinationKey(each.destination));
    if (!target) throw new Error('a locked target is gone');
    return { ...each, target };
  });
  const names = addressed.map(({ userId, target: { organizationId, id: targetId } }) => {
    return { organizationId, targetId, userId };
  });
  const found = await store.listWaitingDigests(tx, names, now);
  const digestOf = new Map(found.map((each) => [`${each.targetId} ${each.userId}`, each]));
  const deliveries: store.NewDelivery[] = [];
  const digests: Parameters<typeof store.updateDigests>[1][number][] = [];
  for (const { target, userId, dueAt, notifications } of addressed) {
    const { organizationId, id: targetId, takesDigests } = target;
    const common = { organizationId, targetId, userId, dueAt };
    const eventIds = notifications.map(({ event }) => event.id);
    const digest = digestOf.get(`${targetId} ${userId}`);
    if (takesDigests && digest) {
      const message = digestWith(digest.message, notifications);
      digests.push({ organizationId, id: digest.id, eventIds, message });
    } else if (takesDigests && notifications.length > 1) {
      const message = digestWith(null, notifications);
      const named = { notificationId: null, eventId: null, eventIds, eventCount: eventIds.length };
      deliveries.push({ ...common, ...named, id: newId(), message });
    } else {
      for (const notification of notifications) {
        const { id: notificationId, event } = notification;
        const named = { notificationId, eventId: event.id, eventIds: null, eventCount: 1 };
        deliveries.push({ ...common, ...named, id: newId(), message: messageOf(notification) });
      }
    }
  }
  await store.insertDeliveries(tx, deliveries, now);
  await store.updateDigests(tx, digests);
}
