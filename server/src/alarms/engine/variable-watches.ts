import { type JudgedTerms, judge, type TimedValue, type Watch } from '../judgement/index.ts';
import {
  advance,
  isJudged,
  judgementTime,
  type OrderedReading,
  type ReadingMarks,
} from './reading-order.ts';
import {
  type Arrival,
  type ChangedWatch,
  epochAfter,
  type StoredWatch,
  type WatchChange,
} from './watch-update.ts';

/** A reading as far as judgement is concerned. */
export interface JudgedReading extends OrderedReading {
  readonly variable: {
    readonly seriesId: number;
    readonly type: 'NUMBER' | 'STRING' | 'BOOLEAN';
    readonly deviceId: string;
    readonly organizationId: string;
    readonly isLoggingEnabled: boolean;
  };
}

/*
 * With a hundred thousand Alarms in memory, each object of one is megabytes: what Alarms have in common
 * is stored once, and what is known from the Device is stored there.
 */

/** An Alarm in memory, one update ahead of storage while its batch is committed. */
interface LiveWatch {
  readonly alarmId: string;
  readonly terms: JudgedTerms;
  watch: Watch;
  version: number;
  epoch: number;
}

/** The alarms on one Variable, and how far its readings have been judged. */
export interface VariableWatches extends ReadingMarks {
  /** The key of the history of the Variable. */
  readonly seriesId: number;
  readonly liveWatches: readonly LiveWatch[];
}

/** The alarms on the Variables of one Device. */
export interface DeviceWatch {
  readonly organizationId: string;
  readonly deviceId: string;
  /** In the order of their series ids; null when no Variable of the Device is watched. */
  variables: readonly VariableWatches[] | null;
  /** Set while it is loaded or an update of it is committed; the next batch waits for it. */
  busy: Promise<void> | undefined;
  /** To be called by a batch that waits for it. */
  onAwaited: (() => void) | undefined;
  /** The Device or its alarms were changed: it is loaded again before its next use. */
  isInvalid: boolean;
}

/** The alarms on a Variable of a Device; undefined when it is not watched. */
export function watchesOn(
  { variables }: DeviceWatch,
  seriesId: number,
): VariableWatches | undefined {
  if (variables === null) return undefined;
  let low = 0;
  for (let high = variables.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((variables[middle] as VariableWatches).seriesId < seriesId) low = middle + 1;
    else high = middle;
  }
  const found = variables[low];
  return found?.seriesId === seriesId ? found : undefined;
}

/** How long a reading may take from the Device to here. */
const DELIVERY_MS = 30_000;

/**
 * A latest reading that is ahead of the clock was judged at its arrival, as the alarms say. Nothing
 * can have been judged in the future: where it seems so, the clock was set back since, and readings
 * that may have been measured since then are judged. A batch that is retried arrived before now:
 * what was judged in between makes its readings late.
 */
export function variableWatchesOf(
  seriesId: number,
  alarms: readonly StoredWatch[],
  latest: TimedValue | null,
  { now, arrivedAt }: { readonly now: number; readonly arrivedAt: number },
): VariableWatches {
  const none = Number.NEGATIVE_INFINITY;
  const known = latest !== null && latest.at <= now ? latest.at : none;
  const latestAt = Math.max(latest?.at ?? none, ...alarms.map((each) => each.judgedTo ?? none));
  const judgedTo = Math.max(known, ...alarms.map((each) => each.judgedAt ?? each.judgedTo ?? none));
  return {
    seriesId,
    judgedTo: judgedTo > now ? arrivedAt - DELIVERY_MS : judgedTo,
    latestAt,
    latestValue: latest?.at === latestAt ? latest.value : undefined,
    liveWatches: alarms.map(({ alarmId, terms, watch, version, epoch }) => {
      return { alarmId, terms, watch, version, epoch };
    }),
  };
}

/** A reading of a watched Variable. */
export interface WatchedReading {
  readonly device: DeviceWatch;
  readonly watches: VariableWatches;
  readonly reading: JudgedReading;
  /** It is in the history: it was judged when it first arrived. */
  isStored: boolean;
}

export interface Judged {
  readonly changes: readonly WatchChange[];
  /** The Devices that they are of. */
  readonly devices: ReadonlySet<DeviceWatch>;
}

/** When readings arrived, by the clock and by the monotonic clock. */
export interface BatchArrival extends Arrival {
  readonly at: number;
}

/** Judges readings in their order. Memory is ahead of storage by the returned changes. */
export function judgeWatchedReadings(
  watchedReadings: readonly WatchedReading[],
  arrival: BatchArrival,
): Judged {
  const { at: arrivedAt } = arrival;
  const changes = new Map<LiveWatch, WatchChange>();
  const devices = new Set<DeviceWatch>();
  for (const { device, watches, reading, isStored } of watchedReadings) {
    if (isStored || !isJudged(watches, reading, arrivedAt)) continue;
    advance(watches, reading, arrivedAt);
    const judgedAt = judgementTime(reading, arrivedAt);
    const isAtOwnTime = judgedAt === reading.at;
    const timed = isAtOwnTime ? reading : { at: judgedAt, value: reading.value };
    for (const alarm of watches.liveWatches) {
      const judgement = judge(alarm.watch, alarm.terms, timed, arrivedAt);
      if (judgement === null) continue;
      alarm.watch = judgement.watch;
      const before = changes.get(alarm)?.transitions ?? [];
      changes.set(alarm, {
        stored: changedWatch(device, alarm),
        watch: judgement.watch,
        transitions: [...before, ...judgement.transitions],
        judgedTo: reading.at,
        judgedAt: isAtOwnTime ? null : judgedAt,
        arrival,
      });
      devices.add(device);
    }
  }
  for (const [alarm, change] of changes) {
    alarm.version += 1;
    alarm.epoch = epochAfter(change);
  }
  return { changes: [...changes.values()], devices };
}

/** The watch before its change, whose arrival is that of the batch. */
function changedWatch(
  { organizationId, deviceId }: DeviceWatch,
  { alarmId, terms, version, epoch }: LiveWatch,
): ChangedWatch {
  return { organizationId, alarmId, deviceId, terms, arrival: null, version, epoch };
}
