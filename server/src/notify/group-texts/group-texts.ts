import type { Severity } from '@fieldwatch/contract';
import type { NewId } from '../../runtime/index.ts';
import type { Transaction } from '../../storage/index.ts';
import {
  type Destination,
  destinationKey,
  listSubscriptions,
  lockTargets,
  type PageHooks,
  type Text,
} from '../fan-out/index.ts';
import { deliverText } from '../texts/index.ts';

export interface GroupTextDeps {
  readonly newId: NewId;
  readonly pages: Pick<PageHooks, 'contactFollowersOf'>;
}

/** Whom a text of alarm groups goes to. */
export interface GroupAudience {
  readonly organizationId: string;
  readonly alarmGroupIds: readonly string[];
  /** What it concerns; none means all. A subscription that wants none of them is left out. */
  readonly severities: readonly Severity[];
}

/**
 * Sends a text to the addresses and webhooks of alarm groups and to those who follow them, each once.
 * Services that keep the state of each event by themselves are left out: there a text would be an
 * incident.
 */
export async function sendTextToGroups(
  tx: Transaction,
  { newId, pages }: GroupTextDeps,
  audience: GroupAudience,
  text: Text,
  now: number,
): Promise<void> {
  const { organizationId, alarmGroupIds, severities } = audience;
  const groups = alarmGroupIds.map((alarmGroupId) => ({ organizationId, alarmGroupId }));
  const subscriptions = (await listSubscriptions(tx, groups)).filter((each) =>
    overlap(each.severities, severities),
  );
  const followers = await pages.contactFollowersOf(tx, groups, now);
  const recipients = new Map<string, { destination: Destination; dueAt: number }>();
  for (const { destination, dueAt } of followers) {
    recipients.set(destinationKey(destination), { destination, dueAt });
  }
  for (const { destination } of subscriptions) {
    recipients.set(destinationKey(destination), { destination, dueAt: now });
  }
  if (recipients.size === 0) return;
  const wanted = [...recipients.values()];
  // In one order, as the fan-out locks them.
  const targets = await lockTargets(
    tx,
    wanted.map(({ destination }) => ({ ...destination, newTargetId: newId() })),
  );
  const isStateful = new Set(
    targets.filter(({ takesDigests }) => !takesDigests).map((each) => destinationKey(each)),
  );
  for (const { destination, dueAt } of wanted) {
    if (isStateful.has(destinationKey(destination))) continue;
    await deliverText(tx, newId, destination, text, now, dueAt);
  }
}

function overlap(some: readonly Severity[], others: readonly Severity[]): boolean {
  return some.length === 0 || others.length === 0 || some.some((each) => others.includes(each));
}
