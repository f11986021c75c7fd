import type { Severity } from '@fieldwatch/contract';
import type { Change } from '../../http/index.ts';
import { type DigestCause, suppress } from '../../maintenance/index.ts';
import type { NewId } from '../../runtime/index.ts';
import type { Storage, Transaction } from '../../storage/index.ts';
import { formOf } from './digest-policy.ts';
import { causedDigest, digestWith, messageOf } from './message.ts';
import type { Notification } from './notification.ts';
import {
  destinationKey,
  type FollowerContact,
  type Recipient,
  recipientsOf,
} from './recipients.ts';
import * as store from './store.ts';
import { deliverLater, type WaitingRecipient, waitingRecipients } from './waiting.ts';

/** What pages have to do with notifications. */
export interface PageHooks {
  /** Starts and joins pages, in the transaction that takes the notifications out of the outbox. */
  join(tx: Transaction, notifications: readonly Notification[], now: number): Promise<void>;
  /** Does what is due of pages; returns when to call it again, null while no page waits. */
  runDue(now: number): Promise<number | null>;
  /** Deletes some of the pages that are over for longer than they are kept. */
  deleteOld(now: number): Promise<void>;
  /** Those who follow the alarm groups of notifications, as their own rules have them contacted. */
  contactFollowers(
    tx: Transaction,
    notifications: readonly Notification[],
    now: number,
  ): Promise<FollowerContact[]>;
  /** Those who follow the groups, about something that is no event: as they are contacted at INFO. */
  contactFollowersOf(
    tx: Transaction,
    groups: readonly { readonly organizationId: string; readonly alarmGroupId: string }[],
    now: number,
  ): Promise<Omit<FollowerContact, 'notificationId'>[]>;
  /** Where those who follow the groups are contacted after the contact that failed for good. */
  nextContactsOf(
    tx: Transaction,
    groups: readonly { readonly organizationId: string; readonly alarmGroupId: string }[],
    failed: { readonly severity: Severity; readonly failedKey: string },
    now: number,
  ): Promise<Omit<FollowerContact, 'notificationId'>[]>;
  /** Ends the following of a group for those whose address is meant. */
  unfollowByAddress(
    tx: Transaction,
    group: { readonly organizationId: string; readonly alarmGroupId: string },
    isMeant: (email: string) => boolean,
  ): Promise<Change[]>;
}

export interface FanOutDeps {
  readonly storage: Storage;
  readonly newId: NewId;
  readonly pages: Pick<PageHooks, 'join' | 'contactFollowers'>;
}

export const NOTIFICATION_BATCH_SIZE = 2_000;

/**
 * Turns the oldest notifications into deliveries to their recipients, in one transaction. Returns
 * how many notifications there were.
 */
export async function dispatchNext(
  { storage, newId, pages }: FanOutDeps,
  now: number,
): Promise<number> {
  // Without a transaction: mostly there is none.
  if (!(await store.hasNotifications(storage))) return 0;
  return await storage.transaction(async (tx) => {
    const taken = await store.takeNotifications(tx, NOTIFICATION_BATCH_SIZE);
    const notifications = await suppress(tx, taken, { newId, now });
    // Before the targets are locked, here as by the steps of a page.
    await pages.join(tx, notifications, now);
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
    const contacts = await pages.contactFollowers(tx, notifications, now);
    const isLater = ({ dueAt }: FollowerContact) => dueAt > now;
    const contactedNow = contacts.filter((each) => !isLater(each));
    const recipients = recipientsOf(notifications, subscriptions, contactedNow);
    const waiting = waitingRecipients(notifications, contacts.filter(isLater), recipients);
    if (recipients.length + waiting.length > 0) {
      await deliver(tx, { newId, now, recipients, waiting });
    }
    return taken.length;
  });
}

interface Delivering {
  readonly newId: NewId;
  readonly now: number;
  readonly recipients: readonly Recipient[];
  readonly waiting: readonly WaitingRecipient[];
}

/** All targets are locked together, in one order: two servers cannot wait for each other. */
async function deliver(
  tx: Transaction,
  { newId, now, recipients, waiting }: Delivering,
): Promise<void> {
  const wanted = [...recipients, ...waiting].map(
    ({ destination }) => [destinationKey(destination), destination] as const,
  );
  const targets = await store.lockTargets(
    tx,
    [...new Map(wanted).values()].map((destination) => ({ ...destination, newTargetId: newId() })),
  );
  const targetOf = new Map(targets.map((each) => [destinationKey(each), each]));
  await deliverNow(tx, { newId, now, recipients }, targets, targetOf);
  await deliverLater(tx, { newId, now }, waiting, targetOf);
}

async function deliverNow(
  tx: Transaction,
  { newId, now, recipients }: Omit<Delivering, 'waiting'>,
  targets: readonly store.TargetRow[],
  targetOf: ReadonlyMap<string, store.TargetRow>,
): Promise<void> {
  const recentOf = new Map(
    (await store.listRecentDeliveries(tx, targets, now)).map((each) => [each.targetId, each]),
  );
  const deliveries: store.NewDelivery[] = [];
  const digests: Parameters<typeof store.updateDigests>[1][number][] = [];
  for (const { destination, notifications: all } of recipients) {
    const target = targetOf.get(destinationKey(destination));
    if (!target) throw new Error('a locked target is gone');
    const { organizationId, openDigestId, lastDigestAt, takesDigests } = target;
    const { recentCount = 0, digest = null } = recentOf.get(target.id) ?? {};
    const recent = { recentCount, hasOpenDigest: digest !== null, lastDigestAt, takesDigests };
    const common = { organizationId, targetId: target.id };
    const { caused, others: notifications } = byCause(all, takesDigests);
    for (const [cause, gathered] of caused) {
      const named = digestName(gathered);
      const message = causedDigest(cause, gathered);
      deliveries.push({ ...common, ...named, id: newId(), message, dueAt: now });
    }
    if (notifications.length === 0) continue;
    const form = formOf(recent, notifications.length, now);
    const eventIds = notifications.map(({ event }) => event.id);
    if (form.form === 'JOIN') {
      const message = digestWith(digest, notifications);
      digests.push({ organizationId, id: openDigestId ?? '', eventIds, message });
    } else if (form.form === 'DIGEST') {
      const message = digestWith(null, notifications);
      const named = digestName(notifications);
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

/** What a delivery of a digest says about its events. */
function digestName(notifications: readonly Notification[]) {
  const eventIds = notifications.map(({ event }) => event.id);
  return { notificationId: null, eventId: null, eventIds, eventCount: eventIds.length };
}

/** Notifications that are sent together for a cause, and the others. */
function byCause(notifications: readonly Notification[], takesDigests: boolean) {
  const caused = new Map<string, [DigestCause, Notification[]]>();
  const others: Notification[] = [];
  for (const notification of notifications) {
    const { digest } = notification;
    if (!digest || !takesDigests) others.push(notification);
    else if (caused.has(digest.id)) caused.get(digest.id)?.[1].push(notification);
    else caused.set(digest.id, [digest, [notification]]);
  }
  return { caused: [...caused.values()], others };
}
