import type { PhoneKind, Severity } from '@fieldwatch/contract';
import { fold } from '../../runtime/index.ts';
import type { Notification } from './notification.ts';

/** Where a message goes: to an address, a webhook, a browser or a telephone. */
export type Destination = { readonly organizationId: string } & (
  | {
      readonly email: string;
      readonly emailFolded: string;
      readonly webhookId: null;
      readonly pushId: null;
    }
  | {
      readonly email: null;
      readonly emailFolded: null;
      readonly webhookId: string;
      readonly pushId: null;
    }
  | {
      readonly email: null;
      readonly emailFolded: null;
      readonly webhookId: null;
      readonly pushId: string;
    }
  | PhoneDestination
);

interface PhoneDestination {
  readonly email: null;
  readonly emailFolded: null;
  readonly webhookId: null;
  readonly pushId: null;
  /** An international number with its plus sign. */
  readonly phone: string;
  readonly phoneKind: PhoneKind;
}

const NOWHERE = { email: null, emailFolded: null, webhookId: null, pushId: null } as const;

export function toAddress(organizationId: string, email: string): Destination {
  return { ...NOWHERE, organizationId, email, emailFolded: fold(email) };
}

export function toWebhook(organizationId: string, webhookId: string): Destination {
  return { ...NOWHERE, organizationId, webhookId };
}

export function toPush(organizationId: string, pushId: string): Destination {
  return { ...NOWHERE, organizationId, pushId };
}

/** By text or by call, at an international number with its plus sign. */
export function toPhone(organizationId: string, phoneKind: PhoneKind, phone: string): Destination {
  return { ...NOWHERE, organizationId, phone, phoneKind };
}

/** A destination of a group, and the severities that it wants. */
export interface Subscription {
  /** Null for a browser, which gets the events of all groups and of none. */
  readonly alarmGroupId: string | null;
  readonly destination: Destination;
  /** None means all. */
  readonly severities: readonly Severity[];
}

/** As much of a notification as decides who gets it. */
type Addressed = Pick<Notification, 'id' | 'organizationId' | 'event'>;

/** A destination with its notifications, in the order in which the changes happened. */
export interface Recipient<N extends Addressed = Notification> {
  readonly destination: Destination;
  readonly notifications: N[];
}

/** Where and when somebody who follows the group of a notification is contacted about it. */
export interface FollowerContact {
  readonly notificationId: string;
  readonly userId: string;
  readonly destination: Destination;
  readonly dueAt: number;
}

type DestinationName = Readonly<
  Record<'organizationId', string> &
    Record<'emailFolded' | 'webhookId' | 'pushId', string | null> &
    Partial<Record<'phone' | 'phoneKind', string | null>>
>;

export function destinationKey(name: DestinationName): string {
  const { organizationId, emailFolded, webhookId, pushId, phone, phoneKind } = name;
  if (phone) return `${organizationId} ${phoneKind}:${phone}`;
  return `${organizationId} ${webhookId ?? pushId ?? `mailto:${emailFolded}`}`;
}

/**
 * Sends each notification once to every destination of its group, or of all, that wants its severity,
 * and to those who follow the group.
 */
export function recipientsOf<N extends Addressed>(
  notifications: readonly N[],
  subscriptions: readonly Subscription[],
  contacts: readonly FollowerContact[] = [],
): Recipient<N>[] {
  const ofGroup = new Map<string | null, Subscription[]>();
  for (const each of subscriptions) {
    const known = ofGroup.get(each.alarmGroupId);
    if (known) known.push(each);
    else ofGroup.set(each.alarmGroupId, [each]);
  }
  const ofAll = ofGroup.get(null) ?? [];
  const contactsOf = new Map<string, FollowerContact[]>();
  for (const each of contacts) {
    const known = contactsOf.get(each.notificationId);
    if (known) known.push(each);
    else contactsOf.set(each.notificationId, [each]);
  }
  const recipients = new Map<string, Recipient<N>>();
  const add = (destination: Destination, notification: N) => {
    const key = destinationKey(destination);
    const recipient = recipients.get(key) ?? { destination, notifications: [] as N[] };
    // An address of the group may also be that of somebody who follows it.
    if (recipient.notifications.at(-1) !== notification) recipient.notifications.push(notification);
    recipients.set(key, recipient);
  };
  for (const notification of notifications) {
    const { alarmGroupId, severity } = notification.event;
    const named = alarmGroupId === null ? [] : (ofGroup.get(alarmGroupId) ?? []);
    for (const { destination, severities } of [...named, ...ofAll]) {
      if (destination.organizationId !== notification.organizationId) continue;
      if (severities.length > 0 && !severities.includes(severity)) continue;
      add(destination, notification);
    }
    for (const { destination } of contactsOf.get(notification.id) ?? []) {
      add(destination, notification);
    }
  }
  return [...recipients.values()];
}
