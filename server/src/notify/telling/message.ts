import { SEVERITIES, type Severity } from '@fieldwatch/contract';
import { isoDateTime } from '../../runtime/index.ts';
import {
  type EventContext,
  type EventRecord,
  NOTICE_KINDS,
  type Notice,
  type NoticeKind,
} from './notice.ts';

/** One thing that happened to one event, as it is sent. */
export interface EventMessage {
  readonly type: 'alarm.raised' | 'alarm.cleared' | 'alarm.acknowledged';
  readonly timestamp: string;
  readonly data: EventRecord;
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
  Partial<Record<Lowercase<NoticeKind>, Readonly<Partial<Record<Severity, number>>>>>
>;

export type Message = EventMessage | DigestMessage;

const NAMED_IN_DIGEST = 20;

export function messageOf({ kind, at, event, context }: Notice): EventMessage {
  return { type: `alarm.${lower(kind)}`, timestamp: isoDateTime(at), data: event, context };
}

/** The digest with more in it; a new one where there was none. */
export function digestWith(
  digest: DigestMessage | null,
  notices: readonly Notice[],
): DigestMessage {
  const before = digest?.data ?? { count: 0, counts: {}, messages: [] };
  const room = Math.max(0, NAMED_IN_DIGEST - before.messages.length);
  return {
    type: 'alarm.digest',
    timestamp: digest?.timestamp ?? isoDateTime(notices[0]?.at ?? 0),
    data: {
      count: before.count + notices.length,
      counts: countsWith(before.counts, notices),
      messages: [...before.messages, ...notices.slice(0, room).map(messageOf)],
    },
  };
}

/** In a fixed order, the gravest first. */
function countsWith(before: DigestCounts, notices: readonly Notice[]): DigestCounts {
  const counts: Partial<Record<Lowercase<NoticeKind>, Partial<Record<Severity, number>>>> = {};
  for (const kind of NOTICE_KINDS) {
    for (const severity of [...SEVERITIES].reverse()) {
      const added = notices.filter(
        (notice) => notice.kind === kind && notice.event.severity === severity,
      ).length;
      const total = (before[lower(kind)]?.[severity] ?? 0) + added;
      if (total > 0) counts[lower(kind)] = { ...counts[lower(kind)], [severity]: total };
    }
  }
  return counts;
}

function lower<K extends NoticeKind>(kind: K): Lowercase<K> {
  return kind.toLowerCase() as Lowercase<K>;
}
