import type { OverviewWarning } from '@fieldwatch/contract';
import {
  type AlarmFeed,
  createAlarmFeed,
  createWatching,
  meterAlarms,
  type Watching,
} from '../alarms/index.ts';
import type { Config } from '../config.ts';
import type { AnswerCache, Authenticate } from '../http/index.ts';
import { createAlarmSubscribers, createIngest, type Ingest } from '../ingest/index.ts';
import { createLive, type Live } from '../live/index.ts';
import {
  createOnline,
  createPresence,
  type Online,
  type Placed,
  type Places,
  type PresenceBoard,
} from '../presence/index.ts';
import {
  type CommitOptions,
  createReadings,
  quarantineWarnings,
  type Reading,
  type Readings,
} from '../readings/index.ts';
import type { Clock, Keyring, Lifecycle, Log, Metrics, NewId } from '../runtime/index.ts';
import { createClockCheck, type Storage } from '../storage/index.ts';
import type { DeviceEntries } from '../variables/index.ts';

/** What nearly every part stands on. */
export interface Ground {
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: NewId;
  readonly metrics: Metrics;
  readonly keyring: Keyring;
  readonly storage: Storage;
  readonly places: Places;
  readonly answers: AnswerCache;
}

export interface IntakeParts {
  readonly entries: DeviceEntries;
  readonly config: Config;
  readonly lifecycle: Lifecycle;
  readonly failpoint: (name: string) => void;
  readonly authenticate: Authenticate;
  /** Something was written that others are to be told of. */
  readonly onTold: () => void;
}

export type Intake = Awaited<ReturnType<typeof startIntake>>;

/** Where readings come in, are judged and kept. */
export async function startIntake(ground: Ground, parts: IntakeParts) {
  const { clock, log, metrics, storage, places, answers } = ground;
  const { entries, config, lifecycle } = parts;
  const onlineMs = config.onlineMinutes * 60_000;
  const telling = (how: 'moved' | 'met') => (device: Placed, at: number) => {
    online[how](device.place);
    answers.forget(device.organizationId);
    live.announceDevice(device.organizationId, device.deviceId, at);
  };
  const presence = createPresence({
    places,
    storage,
    clock,
    log,
    onlineMs,
    onMoved: telling('moved'),
    onSession: telling('met'),
  });
  const { readings, warnings } = await startReadings(ground, lifecycle);
  const feed = createAlarmFeed({
    storage,
    log,
    isFollowed: (organizationId) =>
      live.isFollowed(organizationId) || alarmSubscribers.hasSubscribers(organizationId),
    announce(organizationId, change) {
      live.announceAlarm(organizationId, change);
      alarmSubscribers.announce(organizationId, change);
    },
  });
  const { authenticate } = parts;
  const alarmSubscribers = createAlarmSubscribers({ authenticate, begin: feed.newestId });
  lifecycle.onStop('alarm feed', feed.stop);
  const live = startLive(ground, { presence, onlineMs, feed });
  const { watching, commit } = startWatching(ground, { ...parts, readings, feed });
  const taking = { places, storage, clock, log, presence, commit, announce: live.announceReadings };
  const online = createOnline({ ...taking, storage: storage.ingest, onlineMs });
  const storedAhead = await readings.latestFrom(clock.now());
  const ingest = createIngest({ ...taking, entries, storedAhead });
  meterReadings(metrics, ingest);
  ingest.start();
  lifecycle.onStop('ingest', ingest.stop);
  const changes = changesOf({ entries, watching, online, readings });
  return {
    presence,
    readings,
    warnings,
    ingest,
    live,
    watching,
    feed,
    alarmSubscribers,
    online,
    changes,
  };
}

/** What a change of a Device through the interface concerns on the ingest side. */
function changesOf(parts: {
  entries: DeviceEntries;
  watching: Watching;
  online: Online;
  readings: Readings;
}) {
  const { entries, watching, online, readings } = parts;
  return {
    onChanged(deviceId: string) {
      entries.forget(deviceId);
      watching.forget(deviceId);
      online.changed(deviceId);
    },
    onVariablesDeleted: (seriesIds: readonly number[]) => seriesIds.forEach(readings.forget),
  };
}

function meterReadings(metrics: Metrics, { exits }: Ingest): void {
  metrics.addCounter({
    name: 'fieldwatch_readings_total',
    help: 'Readings that came in, by what became of them',
    label: 'outcome',
    totals: exits.totals,
  });
}

/** Opens the history, once it is known whether the clock is right. */
async function startReadings({ storage, clock, log, metrics }: Ground, lifecycle: Lifecycle) {
  const clockCheck = createClockCheck({ storage: storage.background, clock, log });
  await clockCheck.start();
  lifecycle.onStop('clock check', clockCheck.stop);
  const isClockTrusted = () => clockCheck.warnings().length === 0;
  const readings = createReadings({ storage, clock, log, isClockTrusted });
  await readings.start();
  lifecycle.onStop('readings', readings.stop);
  metrics.addGauge({
    name: 'fieldwatch_clock_deviation_seconds',
    help: 'How far the clock is ahead of the database, and its last step since it was recorded',
    label: 'reference',
    values: async () => clockCheck.deviations(),
  });
  metrics.addGauge({
    name: 'fieldwatch_quarantined_rows',
    help: 'Rows that could not be decoded and were set aside, by table',
    label: 'table',
    values: async () => ({ journal: readings.quarantinedRows }),
  });
  const warnings = (): readonly OverviewWarning[] => [
    ...clockCheck.warnings(),
    ...quarantineWarnings(readings.quarantinedRows),
  ];
  return { readings, warnings };
}

function startLive(
  { clock, log, metrics, storage }: Ground,
  parts: { presence: PresenceBoard; onlineMs: number; feed: AlarmFeed },
): Live {
  const { presence, onlineMs, feed } = parts;
  const live = createLive({
    storage,
    clock,
    log,
    alarms: feed,
    presenceOf: (device) => presence.of(device),
    saveSeen: () => presence.flush(),
    onlineMs,
  });
  live.start();
  metrics.addCounter({
    name: 'fieldwatch_live_streams_total',
    help: 'Live streams, by what became of them',
    label: 'outcome',
    totals: live.totals,
  });
  return live;
}

/** What judges readings on their way into storage. */
function startWatching(
  { clock, log, metrics, storage, answers }: Ground,
  parts: IntakeParts & { readings: Readings; feed: AlarmFeed },
) {
  const { readings, feed, lifecycle, failpoint, onTold } = parts;
  const metered = meterAlarms(metrics, { storage, clock });
  const watching = createWatching({
    storage: storage.ingest,
    clock,
    log,
    latest: readings.ingestLatest,
    isStored: readings.isStored,
    onStored(step, now) {
      const organizationIds = new Set(step.watches.map(({ organizationId }) => organizationId));
      for (const organizationId of organizationIds) {
        answers.forget(organizationId);
        feed.note(organizationId);
      }
      metered(step, now);
      if (step.told.length > 0) onTold();
    },
    failpoint,
  });
  lifecycle.onStop('alarms', watching.stop);
  const commit = (
    batch: readonly Reading[],
    { alongside, arrivedAt = clock.now() }: CommitOptions & { readonly arrivedAt?: number } = {},
  ) =>
    watching.commit(batch, arrivedAt, (own, judged) => {
      const works = [judged?.alongside, alongside].filter((work) => work !== undefined);
      if (works.length === 0) return readings.commit(own);
      return readings.commit(own, {
        *alongside() {
          for (const statements of works) yield* statements();
        },
      });
    });
  return { watching, commit };
}
