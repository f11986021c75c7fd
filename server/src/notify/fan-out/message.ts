import { type AlarmEvent, SEVERITIES, type Severity } from '@fieldwatch/contract';
import type { DigestCause } from '../../maintenance/index.ts';
import { isoDateTime } from '../../runtime/index.ts';
import {
  type EventContext,
  NOTIFICATION_KINDS,
  type Notification,
  type NotificationKind,
} from './notification.ts';

/** What a message of a page says beside its events. */
export interface PageNote {
  readonly id: string;
  readonly policyName: string;
  /** What it is: "Page", "Reminder", "Resolved", "Nobody acknowledged" or "Test page". */
  readonly title: string;
  readonly isTest: boolean;
  /** Events that joined silently, since their Alarm chatters. */
  readonly chatterCount?: number;
  /** Where the recipient acknowledges without signing in; null for others than people. */
  readonly acknowledgeUrl: string | null;
  /** By which the recipient of a text answers. */
  readonly replyCode?: string;
}

/** One thing that happened to one event, as it is sent. */
export interface EventMessage {
  readonly type: 'alarm.raised' | 'alarm.cleared' | 'alarm.acknowledged';
  readonly timestamp: string;
  readonly data: AlarmEvent;
  /** Absent in messages that an older version made. */
  readonly context?: EventContext;
  /** Present in messages of pages. */
  readonly page?: PageNote;
}

/** Many things that happened within a short time, as they are sent. */
export interface DigestMessage {
  readonly type: 'alarm.digest';
  /** When the first of them happened. */
  readonly timestamp: string;
  readonly data: {
    /** Why they are sent together, where it is not for their number. */
    readonly cause?: Omit<DigestCause, 'id'>;
    readonly count: number;
    /** How many by what happened and by severity; what did not happen is left out. */
    readonly counts: DigestCounts;
    /** The first of them, whole. */
    readonly messages: readonly EventMessage[];
  };
  /** Present in messages of pages. */
  readonly page?: PageNote;
}

export type DigestCounts = Readonly<
  Partial<Record<Lowercase<NotificationKind>, Readonly<Partial<Record<Severity, number>>>>>
>;

/** What a text says. */
export interface Text {
  readonly subject: string;
  readonly lines: readonly string[];
  /** Of the console; null where there is nothing to open. */
  readonly path: string | null;
}

/** Something that is about no alarm event: a code, a test, a hand-off. */
export interface TextMessage {
  readonly type: 'text';
  readonly timestamp: string;
  readonly data: Text;
  readonly page?: undefined;
}

export type Message = EventMessage | DigestMessage;

const NAMED_IN_DIGEST = 20;

export function messageOf(notification: Notification): EventMessage {
  const { kind, at, event: data, context: given, devicesBehind } = notification;
  const context = devicesBehind === undefined ? given : { ...given, devicesBehind };
  return { type: `alarm.${lower(kind)}`, timestamp: isoDateTime(at), data, context };
}

/** A digest of its own, which nothing joins. */
export function causedDigest(
  { kind, name }: DigestCause,
  notifications: readonly Notification[],
): DigestMessage {
  const { data, ...digest } = digestWith(null, notifications);
  return { ...digest, data: { cause: { kind, name }, ...data } };
}

/** The digest with more in it; a new one where there was none. */
export function digestWith(
  digest: DigestMessage | null,
  notifications: readonly Notification[],
): DigestMessage {
  const before = digest?.data ?? { count: 0, counts: {}, messages: [] };
  const room = Math.max(0, NAMED_IN_DIGEST - before.messages.length);
  return {
    type: 'alarm.digest',
    timestamp: digest?.timestamp ?? isoDateTime(notifications[0]?.at ?? 0),
    data: {
      count: before.count + notifications.length,
      counts: countsWith(before.counts, notifications),
      messages: [...before.messages, ...notifications.slice(0, room).map(messageOf)],
    },
  };
}

/** In a fixed order, the gravest first. */
function countsWith(before: DigestCounts, notifications: readonly Notification[]): DigestCounts {
  const counts: Partial<Record<Lowercase<NotificationKind>, Partial<Record<Severity, number>>>> =
    {};
  for (const kind of NOTIFICATION_KINDS) {
    for (const severity of [...SEVERITIES].reverse()) {
      const added = notifications.filter(
        (notification) => notification.kind === kind && notification.event.severity === severity,
      ).length;
      const total = (before[lower(kind)]?.[severity] ?? 0) + added;
      if (total > 0) counts[lower(kind)] = { ...counts[lower(kind)], [severity]: total };
    }
  }
  return counts;
}

function lower<K extends NotificationKind>(kind: K): Lowercase<K> {
  return kind.toLowerCase() as Lowercase<K>;
}
