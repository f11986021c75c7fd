import type {
  ClearedReason,
  JudgedTerms,
  Judgement,
  Transition,
  Value,
  Watch,
} from '../judgement/index.ts';
import { eventIdOf, noticeIdOf } from './event-id.ts';
import { rowOf, type WatchRow } from './watch-row.ts';

/** An alarm that watches, with what it remembers and what that was read as. */
export interface Watched {
  readonly organizationId: string;
  readonly alarmId: string;
  readonly deviceId: string;
  readonly terms: JudgedTerms;
  readonly watch: Watch;
  /** The time of the newest reading that changed it. */
  readonly judgedTo: number | null;
  /** When that was judged, where it was ahead of the clock. */
  readonly judgedAt: number | null;
  readonly arrival: Arrival | null;
  readonly version: number;
  readonly epoch: number;
}

/** When the reading that began a hold or a clearing arrived, by a clock that nobody can set. */
export interface Arrival {
  /** The run of a server whose monotonic clock it is. */
  readonly runId: string;
  readonly elapsed: number;
}

/** One watch that is to be stored, in place of the version that it was judged on. */
export interface StoredWatch extends WatchRow {
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

/** A new event; one that ended within the same step is already cleared. */
export interface RaisedEvent extends Named {
  readonly raisedAt: number;
  readonly raisedValue: Value;
  readonly cleared: Cleared | null;
}

/** A line of the log of an event, and the notice about it. */
export interface Told extends Named {
  readonly kind: 'RAISED' | 'CLEARED';
  readonly at: number;
  readonly detail: string | null;
  readonly noticeId: string;
}

/** What a judgement asks storage to do, all of it or nothing. */
export interface Step {
  readonly watches: readonly StoredWatch[];
  readonly raised: readonly RaisedEvent[];
  readonly cleared: readonly ClearedEvent[];
  readonly told: readonly Told[];
}

/** A watch and what became of it. */
export interface WatchChange extends Judgement {
  readonly watched: Watched;
  readonly judgedTo: number | null;
  readonly judgedAt: number | null;
  /** Set when a reading began a hold or a clearing; without one it is as it was. */
  readonly arrival?: Arrival;
  /** Set when a change ended what was under way. */
  readonly isEnded?: boolean;
}

export function stepOf(changes: readonly WatchChange[]): Step {
  const raised: RaisedEvent[] = [];
  const cleared: ClearedEvent[] = [];
  const told: Told[] = [];
  for (const { watched, transitions } of changes) {
    const { organizationId, alarmId } = watched;
    let { epoch } = watched;
    const open = new Map<string, RaisedEvent>();
    for (const transition of transitions) {
      const eventId = eventIdOf(alarmId, epoch, transition.startedAt);
      const named = { organizationId, alarmId, eventId };
      told.push(toldOf(named, transition));
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
  return { watches: changes.map(storedWatch).sort(byAlarm), raised, cleared, told };
}

/** Occurrences of one epoch begin at times of their own. */
export function epochAfter({ watched, transitions, isEnded }: WatchChange): number {
  const atStart = transitions.filter((each) => each.kind === 'CLEARED' && each.isAtStart);
  return watched.epoch + atStart.length + (isEnded ? 1 : 0);
}

function storedWatch(change: WatchChange): StoredWatch {
  const { watched, watch, judgedTo, judgedAt } = change;
  const { organizationId, alarmId, terms, version } = watched;
  const row = rowOf(watch, terms);
  const arrival = row.arrivedAt === null ? null : (change.arrival ?? watched.arrival);
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

/** One order for all, so that no two wait for each other. */
function byAlarm(one: StoredWatch, other: StoredWatch): number {
  return one.alarmId < other.alarmId ? -1 : 1;
}

function toldOf(named: Named, transition: Transition): Told {
  const { kind, at } = transition;
  const detail = transition.kind === 'CLEARED' ? transition.reason : null;
  return { ...named, kind, at, detail, noticeId: noticeIdOf(named.eventId, kind, at) };
}
