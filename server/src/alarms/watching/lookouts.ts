import { epochAfter, type WatchChange, type Watched } from './step.ts';
import { isJudged, type JudgedTerms, judge, type TimedValue, type Watch } from './watch.ts';

/** A reading as far as judgement is concerned. */
export interface JudgedReading extends TimedValue {
  readonly variable: {
    readonly number: number;
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

/** The alarms on one Variable, and the time of the newest reading of it. */
export interface Lookout {
  newestAt: number;
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

export function lookoutOf(alarms: readonly Watched[], latestAt: number | null): Lookout {
  const judgedTo = alarms.map((each) => each.judgedTo ?? Number.NEGATIVE_INFINITY);
  return {
    newestAt: Math.max(latestAt ?? Number.NEGATIVE_INFINITY, ...judgedTo),
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
}

export interface Judged {
  readonly changes: readonly WatchChange[];
  /** The Devices that they are of. */
  readonly devices: ReadonlySet<DeviceWatch>;
}

/** Judges readings in their order. Memory is ahead of storage by what this gives. */
export function judgeSightings(sightings: readonly Sighting[], now: number): Judged {
  const changes = new Map<Standing, WatchChange>();
  const devices = new Set<DeviceWatch>();
  for (const { device, lookout, reading } of sightings) {
    if (!isJudged(reading.at, lookout.newestAt)) continue;
    lookout.newestAt = reading.at;
    for (const alarm of lookout.standing) {
      const judgement = judge(alarm.watch, alarm.terms, reading, now);
      if (judgement === null) continue;
      alarm.watch = judgement.watch;
      const before = changes.get(alarm)?.transitions ?? [];
      changes.set(alarm, {
        watched: { ...alarm.watched, version: alarm.version, epoch: alarm.epoch },
        watch: judgement.watch,
        transitions: [...before, ...judgement.transitions],
        judgedTo: reading.at,
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
