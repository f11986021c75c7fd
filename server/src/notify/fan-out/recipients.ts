import type { Severity } from '@fieldwatch/contract';
import type { Notification } from './notification.ts';

/** Where a message goes: to an address or to a webhook. */
export type Destination = { readonly organizationId: string } & (
  | { readonly email: string; readonly emailFolded: string; readonly webhookId: null }
  | { readonly email: null; readonly emailFolded: null; readonly webhookId: string }
);

/** A destination of a group, and the severities that it wants. */
export interface Subscription {
  readonly alarmGroupId: string;
  readonly destination: Destination;
  /** None means all. */
  readonly severities: readonly Severity[];
}

/** A destination with its notifications, in the order in which the changes happened. */
export interface Recipient {
  readonly destination: Destination;
  readonly notifications: Notification[];
}

export function destinationKey({ organizationId, emailFolded, webhookId }: Destination): string {
  return `${organizationId} ${webhookId ?? `mailto:${emailFolded}`}`;
}

/** Sends each notification once to every destination of its group that wants its severity. */
export function recipientsOf(
  notifications: readonly Notification[],
  subscriptions: readonly Subscription[],
): Recipient[] {
  const ofGroup = new Map<string, Subscription[]>();
  for (const each of subscriptions) {
    const known = ofGroup.get(each.alarmGroupId);
    if (known) known.push(each);
    else ofGroup.set(each.alarmGroupId, [each]);
  }
  const recipients = new Map<string, Recipient>();
  for (const notification of notifications) {
    const { alarmGroupId, severity } = notification.event;
    for (const { destination, severities } of ofGroup.get(alarmGroupId ?? '') ?? []) {
      if (destination.organizationId !== notification.organizationId) continue;
      if (severities.length > 0 && !severities.includes(severity)) continue;
      const key = destinationKey(destination);
      const recipient = recipients.get(key) ?? { destination, notifications: [] };
      recipient.notifications.push(notification);
      recipients.set(key, recipient);
    }
  }
  return [...recipients.values()];
}
