import type {
  ClearedReason,
  JudgedTerms,
  Judgement,
  Transition,
  Value,
  Watch,
} from '../judgement/index.ts';
import { eventIdOf, notificationIdOf } from './event-id.ts';
import { rowOf, type WatchRow } from './watch-row.ts';

/** What an update needs of an Alarm and the version of its watch that is replaced. */
export interface ChangedWatch {
  readonly organizationId: string;
  readonly alarmId: string;
  readonly deviceId: string;
  readonly terms: JudgedTerms;
  readonly arrival: Arrival | null;
  readonly version: number;
  readonly epoch: number;
}

/** An Alarm with its watch, as they were read from storage. */
export interface StoredWatch extends ChangedWatch {
  readonly watch: Watch;
  /** The time of the newest reading that changed it. */
  readonly judgedTo: number | null;
  /** When that was judged, where it was ahead of the clock. */
  readonly judgedAt: number | null;
}

/** When the reading that began a hold or a clearing arrived, by the monotonic clock. */
export interface Arrival {
  /** The run of a server whose monotonic clock it is. */
  readonly runId: string;
  readonly elapsed: number;
}

/** One watch that is to be stored, in place of the version that it was judged on. */
export interface WatchWrite extends WatchRow {
  readonly organizationId: string;
  readonly alarmId: string;
  readonly judgedTo: number | null;
  readonly judgedAt: number | null;
  readonly arrivalRun: string | null;
  readonly arrivalElapsed: number | null;
  readonly version: number;
  readonly epoch: number;
}

interface Named {
  readonly organizationId: string;
  readonly alarmId: string;
  readonly eventId: string;
}

export interface Cleared {
  readonly clearedAt: number;
  readonly clearedValue: Value | null;
  readonly clearedReason: ClearedReason;
}

export interface ClearedEvent extends Named, Cleared {}

/** A new event, with its end when that is part of the same update. */
export interface RaisedEvent extends Named {
  readonly raisedAt: number;
  readonly raisedValue: Value;
  readonly cleared: Cleared | null;
}

/** An entry of the log of an event, and the id of its notification. */
export interface LogEntry extends Named {
  readonly kind: 'RAISED' | 'CLEARED';
  readonly at: number;
  readonly detail: string | null;
  readonly notificationId: string;
}

/** The changes of a judgement, stored in one transaction. */
export interface WatchUpdate {
  readonly watches: readonly WatchWrite[];
  readonly raised: readonly RaisedEvent[];
  readonly cleared: readonly ClearedEvent[];
  readonly logEntries: readonly LogEntry[];
}

/** A watch and its judgement. */
export interface WatchChange extends Judgement {
  readonly stored: ChangedWatch;
  readonly judgedTo: number | null;
  readonly judgedAt: number | null;
  /** Set when a reading began a hold or a clearing; without one it is as it was. */
  readonly arrival?: Arrival;
  /** Set when an edit ended a hold or an event. */
  readonly isEnded?: boolean;
}

export function watchUpdateOf(changes: readonly WatchChange[]): WatchUpdate {
  const raised: RaisedEvent[] = [];
  const cleared: ClearedEvent[] = [];
  const logEntries: LogEntry[] = [];
  for (const { stored, transitions } of changes) {
    const { organizationId, alarmId } = stored;
    let { epoch } = stored;
    const open = new Map<string, RaisedEvent>();
    for (const transition of transitions) {
      const eventId = eventIdOf(alarmId, epoch, transition.startedAt);
      const named = { organizationId, alarmId, eventId };
      logEntries.push(logEntryOf(named, transition));
      if (transition.kind === 'RAISED') {
        const { at: raisedAt, value: raisedValue } = transition;
        open.set(eventId, { ...named, raisedAt, raisedValue, cleared: null });
        continue;
      }
      if (transition.isAtStart) epoch += 1;
      const { at: clearedAt, value: clearedValue, reason: clearedReason } = transition;
      const end = { clearedAt, clearedValue, clearedReason };
      const own = open.get(eventId);
      if (own) open.set(eventId, { ...own, cleared: end });
      else cleared.push({ ...named, ...end });
    }
    raised.push(...open.values());
  }
  return { watches: changes.map(watchWrite).sort(byAlarm), raised, cleared, logEntries };
}

/** Clears events that belong to no watch. */
export function clearedUpdateOf(events: readonly (Named & { raisedAt: number })[], now: number) {
  const cleared: ClearedEvent[] = [];
  const logEntries: LogEntry[] = [];
  for (const { raisedAt, ...named } of events) {
    const at = Math.max(now, raisedAt);
    const kind = 'CLEARED' as const;
    const reason = 'RECOVERED' as const;
    cleared.push({ ...named, clearedAt: at, clearedValue: null, clearedReason: reason });
    const notificationId = notificationIdOf(named.eventId, kind, at);
    logEntries.push({ ...named, kind, at, detail: reason, notificationId });
  }
  return { watches: [], raised: [], cleared, logEntries } satisfies WatchUpdate;
}

/** Occurrences of one epoch begin at times of their own. */
export function epochAfter({ stored, transitions, isEnded }: WatchChange): number {
  const atStart = transitions.filter((each) => each.kind === 'CLEARED' && each.isAtStart);
  return stored.epoch + atStart.length + (isEnded ? 1 : 0);
}

function watchWrite(change: WatchChange): WatchWrite {
  const { stored, watch, judgedTo, judgedAt } = change;
  const { organizationId, alarmId, terms, version } = stored;
  const row = rowOf(watch, terms);
  const arrival = row.arrivedAt === null ? null : (change.arrival ?? stored.arrival);
  return {
    ...row,
    organizationId,
    alarmId,
    judgedTo,
    judgedAt,
    arrivalRun: arrival?.runId ?? null,
    arrivalElapsed: arrival?.elapsed ?? null,
    version: version + 1,
    epoch: epochAfter(change),
  };
}

/** One order everywhere, which prevents deadlocks. */
function byAlarm(one: WatchWrite, other: WatchWrite): number {
  return one.alarmId < other.alarmId ? -1 : 1;
}

function logEntryOf(named: Named, transition: Transition): LogEntry {
  const { kind, at } = transition;
  const detail = transition.kind === 'CLEARED' ? transition.reason : null;
  return { ...named, kind, at, detail, notificationId: notificationIdOf(named.eventId, kind, at) };
}
