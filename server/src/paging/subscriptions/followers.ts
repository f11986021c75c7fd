import type { Severity } from '@fieldwatch/contract';
import { destinationKey, type FollowerContact, type Notification } from '../../notify/index.ts';
import type { Transaction } from '../../storage/index.ts';
import { destinationOf, listContactPlans } from '../contacts/index.ts';
import * as store from './store.ts';

const memberKey = ({ organizationId, userId }: store.MemberName) => `${organizationId} ${userId}`;

/**
 * Where and when those who follow the groups of notifications are contacted: once for each, by the
 * first contact method of their rules, since nothing would stop the later ones.
 */
export async function contactFollowers(
  tx: Transaction,
  notifications: readonly Notification[],
  now: number,
): Promise<FollowerContact[]> {
  const groups = new Map(
    notifications.flatMap(({ organizationId, event: { alarmGroupId } }) =>
      alarmGroupId === null ? [] : [[alarmGroupId, { organizationId, alarmGroupId }] as const],
    ),
  );
  if (groups.size === 0) return [];
  const followers = await store.listFollowers(tx, [...groups.values()]);
  if (followers.length === 0) return [];
  const followersOf = new Map<string, store.MemberName[]>();
  for (const { alarmGroupId, ...member } of followers) {
    const known = followersOf.get(alarmGroupId);
    if (known) known.push(member);
    else followersOf.set(alarmGroupId, [member]);
  }
  const wanted = notifications.flatMap(({ id, event: { alarmGroupId, severity } }) =>
    (followersOf.get(alarmGroupId ?? '') ?? []).map((member) => ({
      ...member,
      ...{ severity, notificationId: id },
    })),
  );
  // Many notifications of one severity have one plan.
  const distinct = new Map(
    wanted.map(({ notificationId: _, ...each }) => [`${memberKey(each)} ${each.severity}`, each]),
  );
  const plans = await listContactPlans(tx, [...distinct.values()], now);
  const firstOf = new Map(
    plans.map((plan) => [`${memberKey(plan)} ${plan.severity}`, plan.steps[0]]),
  );
  return wanted.flatMap(({ organizationId, userId, severity, notificationId }) => {
    const step = firstOf.get(`${memberKey({ organizationId, userId })} ${severity}`);
    if (!step) return [];
    const destination = destinationOf(organizationId, step);
    return [{ notificationId, userId, destination, dueAt: step.dueAt }];
  });
}

/** The same about something that is no event, as they are contacted at the severity INFO. */
export async function contactFollowersOf(
  tx: Transaction,
  groups: readonly store.GroupName[],
  now: number,
): Promise<Omit<FollowerContact, 'notificationId'>[]> {
  const followers = await store.listFollowers(tx, groups);
  const wanted = new Map(
    followers.map(({ organizationId, userId }) => [
      memberKey({ organizationId, userId }),
      { organizationId, userId, severity: 'INFO' as const },
    ]),
  );
  const plans = await listContactPlans(tx, [...wanted.values()], now);
  return plans.flatMap(({ organizationId, userId, steps: [step] }) =>
    step ? [{ userId, destination: destinationOf(organizationId, step), dueAt: step.dueAt }] : [],
  );
}

/**
 * Where those who follow the groups are contacted after a contact that failed for good: by the next
 * method of their rules, at once, unless quiet hours have begun meanwhile.
 */
export async function nextContactsOf(
  tx: Transaction,
  groups: readonly store.GroupName[],
  { severity, failedKey }: { readonly severity: Severity; readonly failedKey: string },
  now: number,
): Promise<Omit<FollowerContact, 'notificationId'>[]> {
  const followers = await store.listFollowers(tx, groups);
  const wanted = new Map(
    followers.map(({ organizationId, userId }) => [
      memberKey({ organizationId, userId }),
      { organizationId, userId, severity },
    ]),
  );
  const plans = await listContactPlans(tx, [...wanted.values()], now);
  return plans.flatMap(({ organizationId, userId, steps, opensAt }) => {
    const destinations = steps.map((step) => destinationOf(organizationId, step));
    const failed = destinations.findIndex((each) => destinationKey(each) === failedKey);
    const next = failed === -1 ? undefined : destinations[failed + 1];
    return next ? [{ userId, destination: next, dueAt: opensAt ?? now }] : [];
  });
}
