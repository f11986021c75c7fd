import type { NewId } from '../../runtime/index.ts';
import type { Storage, Transaction } from '../../storage/index.ts';
import { formOf } from './digest-policy.ts';
import { digestWith, messageOf } from './message.ts';
import { destinationKey, type Recipient, recipientsOf } from './recipients.ts';
import * as store from './store.ts';

export interface FanOutDeps {
  readonly storage: Storage;
  readonly newId: NewId;
}

export const NOTIFICATION_BATCH_SIZE = 2_000;

/**
 * Turns the oldest notifications into deliveries to their recipients, in one transaction. Returns
 * how many notifications there were.
 */
export async function dispatchNext({ storage, newId }: FanOutDeps, now: number): Promise<number> {
  // Without a transaction: mostly there is none.
  if (!(await store.hasNotifications(storage))) return 0;
  return await storage.transaction(async (tx) => {
    const notifications = await store.takeNotifications(tx, NOTIFICATION_BATCH_SIZE);
    const groups = new Map(
      notifications.flatMap(({ organizationId, event: { alarmGroupId } }) =>
        alarmGroupId === null ? [] : [[alarmGroupId, { organizationId, alarmGroupId }] as const],
      ),
    );
    const organizationIds = new Set(notifications.map(({ organizationId }) => organizationId));
    const subscriptions = [
      ...(groups.size === 0 ? [] : await store.listSubscriptions(tx, [...groups.values()])),
      ...(await store.listPushSubscriptions(tx, [...organizationIds])),
    ];
    const recipients = recipientsOf(notifications, subscriptions);
    if (recipients.length > 0) await deliver(tx, { newId, now, recipients });
    return notifications.length;
  });
}

interface Delivering {
  readonly newId: NewId;
  readonly now: number;
  readonly recipients: readonly Recipient[];
}

async function deliver(tx: Transaction, { newId, now, recipients }: Delivering): Promise<void> {
  const targets = await store.lockTargets(
    tx,
    recipients.map(({ destination }) => ({ ...destination, newTargetId: newId() })),
  );
  const recentOf = new Map(
    (await store.listRecentDeliveries(tx, targets, now)).map((each) => [each.targetId, each]),
  );
  const targetOf = new Map(targets.map((each) => [destinationKey(each), each]));
  const deliveries: store.NewDelivery[] = [];
  const digests: Parameters<typeof store.updateDigests>[1][number][] = [];
  for (const { destination, notifications } of recipients) {
    const target = targetOf.get(destinationKey(destination));
    if (!target) throw new Error('a locked target is gone');
    const { organizationId, openDigestId, lastDigestAt } = target;
    const { recentCount = 0, digest = null } = recentOf.get(target.id) ?? {};
    const recent = { recentCount, hasOpenDigest: digest !== null, lastDigestAt };
    const form = formOf(recent, notifications.length, now);
    const common = { organizationId, targetId: target.id };
    const eventIds = notifications.map(({ event }) => event.id);
    if (form.form === 'JOIN') {
      const message = digestWith(digest, notifications);
      digests.push({ organizationId, id: openDigestId ?? '', eventIds, message });
    } else if (form.form === 'DIGEST') {
      const message = digestWith(null, notifications);
      const named = {
        notificationId: null,
        eventId: null,
        eventIds,
        eventCount: notifications.length,
      };
      deliveries.push({ ...common, ...named, id: newId(), message, dueAt: form.dueAt });
    } else {
      for (const notification of notifications) {
        const { id: eventId } = notification.event;
        const named = { notificationId: notification.id, eventId, eventIds: null, eventCount: 1 };
        const message = messageOf(notification);
        deliveries.push({ ...common, ...named, id: newId(), message, dueAt: now });
      }
    }
  }
  await store.insertDeliveries(tx, deliveries, now);
  await store.updateDigests(tx, digests);
}
