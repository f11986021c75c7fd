import { type AlarmEvent, SEVERITIES, type Severity } from '@fieldwatch/contract';
import { isoDateTime } from '../../runtime/index.ts';
import {
  type EventContext,
  NOTIFICATION_KINDS,
  type Notification,
  type NotificationKind,
} from './notification.ts';

/** One thing that happened to one event, as it is sent. */
export interface EventMessage {
  readonly type: 'alarm.raised' | 'alarm.cleared' | 'alarm.acknowledged';
  readonly timestamp: string;
  readonly data: AlarmEvent;
  /** Absent in messages that an older version made. */
  readonly context?: EventContext;
}

/** Many things that happened within a short time, as they are sent. */
export interface DigestMessage {
  readonly type: 'alarm.digest';
  /** When the first of them happened. */
  readonly timestamp: string;
  readonly data: {
    readonly count: number;
    /** How many by what happened and by severity; what did not happen is left out. */
    readonly counts: DigestCounts;
    /** The first of them, whole. */
    readonly messages: readonly EventMessage[];
  };
}

export type DigestCounts = Readonly<
  Partial<Record<Lowercase<NotificationKind>, Readonly<Partial<Record<Severity, number>>>>>
>;

export type Message = EventMessage | DigestMessage;

const NAMED_IN_DIGEST = 20;

export function messageOf({ kind, at, event, context }: Notification): EventMessage {
  return { type: `alarm.${lower(kind)}`, timestamp: isoDateTime(at), data: event, context };
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
