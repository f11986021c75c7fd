import { type JudgedTerms, judge, type TimedValue, type Watch } from '../judgement/index.ts';
import {
  advance,
  isJudged,
  judgementTime,
  type OrderedReading,
  type ReadingMarks,
} from './reading-order.ts';
import { type Arrival, epochAfter, type WatchChange, type Watched } from './step.ts';

/** A reading as far as judgement is concerned. */
export interface JudgedReading extends OrderedReading {
  readonly variable: {
    readonly seriesId: number;
    readonly type: 'NUMBER' | 'STRING' | 'BOOLEAN';
    readonly deviceId: string;
    readonly organizationId: string;
  };
}

/** An alarm in memory, a step ahead of storage while its batch is being written. */
interface Standing {
  readonly watched: Watched;
  readonly terms: JudgedTerms;
  watch: Watch;
  version: number;
  epoch: number;
}

/** The alarms on one Variable, and how far its readings have been judged. */
export interface Lookout {
  readonly marks: ReadingMarks;
  readonly standing: readonly Standing[];
}

/** The alarms on the Variables of one Device. */
export interface DeviceWatch {
  readonly organizationId: string;
  readonly deviceId: string;
  /** By the key of the Variable's history; null when nothing of the Device is watched. */
  lookouts: ReadonlyMap<number, Lookout> | null;
  /** While what was judged is being written: who comes next waits for it. */
  settling: Promise<void> | undefined;
  /** Something changed meanwhile: it is read anew before it is used again. */
  isForgotten: boolean;
}

/** How long a reading may take from the Device to here. */
const DELIVERY_MS = 30_000;

/**
 * A latest reading that is ahead of the clock was judged at its arrival, as the alarms say. Nothing
 * can have been judged in the future: where it seems so, the clock was set back since, and readings
 * that may have been measured since then are judged.
 */
export function lookoutOf(
  alarms: readonly Watched[],
  latest: TimedValue | null,
  { now, arrivedAt }: { readonly now: number; readonly arrivedAt: number },
): Lookout {
  const none = Number.NEGATIVE_INFINITY;
  const known = latest !== null && latest.at <= now ? latest.at : none;
  const latestAt = Math.max(latest?.at ?? none, ...alarms.map((each) => each.judgedTo ?? none));
  const judgedTo = Math.max(known, ...alarms.map((each) => each.judgedAt ?? each.judgedTo ?? none));
  return {
    marks: {
      judgedTo: judgedTo > arrivedAt ? arrivedAt - DELIVERY_MS : judgedTo,
      latestAt,
      latestValue: latest?.at === latestAt ? latest.value : undefined,
    },
    standing: alarms.map((watched) => ({
      watched,
      terms: watched.terms,
      watch: watched.watch,
      version: watched.version,
      epoch: watched.epoch,
    })),
  };
}

/** A reading of a watched Variable. */
export interface Sighting {
  readonly device: DeviceWatch;
  readonly lookout: Lookout;
  readonly reading: JudgedReading;
  /** It is in the history: it was judged when it first arrived. */
  isStored: boolean;
}

export interface Judged {
  readonly changes: readonly WatchChange[];
  /** The Devices that they are of. */
  readonly devices: ReadonlySet<DeviceWatch>;
}

/** When readings arrived, by the clock and by one that nobody can set. */
export interface BatchArrival extends Arrival {
  readonly at: number;
}

/** Judges readings in their order. Memory is ahead of storage by what this gives. */
export function judgeSightings(sightings: readonly Sighting[], arrival: BatchArrival): Judged {
  const { at: arrivedAt } = arrival;
  const changes = new Map<Standing, WatchChange>();
  const devices = new Set<DeviceWatch>();
  for (const { device, lookout, reading, isStored } of sightings) {
    if (isStored || !isJudged(lookout.marks, reading, arrivedAt)) continue;
    advance(lookout.marks, reading, arrivedAt);
    const judgedAt = judgementTime(reading, arrivedAt);
    const isAtOwnTime = judgedAt === reading.at;
    const timed = isAtOwnTime ? reading : { at: judgedAt, value: reading.value };
    for (const alarm of lookout.standing) {
      const judgement = judge(alarm.watch, alarm.terms, timed, arrivedAt);
      if (judgement === null) continue;
      alarm.watch = judgement.watch;
      const before = changes.get(alarm)?.transitions ?? [];
      changes.set(alarm, {
        watched: { ...alarm.watched, version: alarm.version, epoch: alarm.epoch },
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
