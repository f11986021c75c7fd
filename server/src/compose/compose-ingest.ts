import type { OverviewWarning } from '@fieldwatch/contract';
import {
  type AlarmEngine,
  type AlarmFeed,
  createAlarmEngine,
  meterAlarms,
} from '../alarms/index.ts';
import type { Config } from '../config.ts';
import type { Authenticate } from '../http/index.ts';
import {
  createAlarmSubscribers,
  createIngest,
  type Ingest,
  type IngestDeps,
  type JudgeAndCommit,
  judgeAndCommit,
} from '../ingest/index.ts';
import type { Live } from '../live/index.ts';
import { allKnow, fenced, isAlone, type Membership, type Peers } from '../nodes/index.ts';
import {
  createOnlineVariable,
  type OnlineVariable,
  type OnlineVariableDeps,
  saveAdopted,
} from '../presence/index.ts';
import { createReadings, quarantineWarnings, type Readings } from '../readings/index.ts';
import { type Lifecycle, momentOf } from '../runtime/index.ts';
import { createClockCheck } from '../storage/index.ts';
import type { DeviceCache } from '../variables/index.ts';
import {
  presenceAnnouncements,
  startAlarmFeed,
  startDeviceSearch,
  startLive,
  startPresence,
} from './compose-live.ts';
import type { CoreServices } from './core-services.ts';
import { createAlarmFanOut, createPresenceFanOut } from './fan-outs.ts';
import { joinNodes, meterLoad } from './join-nodes.ts';
import { type Drain, partitionHooks } from './partition-hooks.ts';

export interface IngestOptions {
  readonly deviceCache: DeviceCache;
  readonly config: Config;
  readonly lifecycle: Lifecycle;
  readonly failpoint: (name: string) => void;
  readonly onFenced: () => void;
  readonly authenticate: Authenticate;
  /** Wakes the part that sends notifications, after an alarm event was stored. */
  readonly wakeNotify: () => void;
}

export type IngestServices = Awaited<ReturnType<typeof composeIngest>>;

/** Wires the way of readings: presence, history, alarms, live streams and ingest. */
export async function composeIngest(core: CoreServices, options: IngestOptions) {
  const { deviceCache, config, lifecycle, authenticate } = options;
  const onlineMs = config.onlineMinutes * 60_000;
  const presenceChanged = createPresenceFanOut();
  const alarmChanged = createAlarmFanOut();
  const drains: Drain[] = [];
  const parts = () => ({ readings, ingest, onlineVariable, presence, drains });
  const joined = await joinNodes(core, options, partitionHooks(parts));
  const { membership, peers } = joined;
  const { ownership } = membership;
  core.responseCache.followPeers(() => membership.hasPeers);
  const seen = startPresence(core, joined, { onlineMs, presenceChanged });
  const { presence } = seen;
  const { readings, ...checks } = await startReadings(core, { lifecycle, membership, peers });
  const feed = startAlarmFeed(core, { lifecycle, membership, peers, alarmChanged });
  const alarmSubscribers = createAlarmSubscribers({ authenticate, begin: feed.newestId });
  const live = startLive(core, { presence, onlineMs, feed, membership, peers });
  alarmChanged.subscribe(live);
  alarmChanged.subscribe(alarmSubscribers);
  const alarmEngine = startAlarmEngine(core, { ...options, readings, feed, membership });
  const steps = {
    judge: alarmEngine.judge,
    judgeInParts: alarmEngine.judgeInParts,
    commit: readings.commit,
    announce: live.announceReadings,
  };
  const deps = { ...core, ...steps, presence, ownership };
  const onlineVariable = onlineVariableOf({ ...deps, onlineMs }, steps, live);
  presenceChanged.subscribe(onlineVariable);
  presenceChanged.subscribe(presenceAnnouncements(core.responseCache, live));
  const ingest = await startIngest(core, lifecycle, {
    ...deps,
    deviceCache,
    peers,
    latestFrom: readings.latestFrom,
  });
  meterLoad(core, joined.load, { ingest, readings, ...checks });
  const changes = changesOf({ deviceCache, alarmEngine, onlineVariable, readings });
  await membership.start();
  return {
    ...joined,
    ...seen,
    search: startDeviceSearch(core, { membership, presence }, lifecycle),
    readings,
    warnings: checks.warnings,
    ingest,
    live,
    alarmEngine,
    feed,
    alarmSubscribers,
    onlineVariable,
    changes,
    /** Registers what precedes the hand-over of partitions. */
    beforeHandOver: (drain: Drain) => void drains.push(drain),
  };
}

/** Records presence changes like readings. */
function onlineVariableOf(
  deps: Omit<OnlineVariableDeps, 'storage' | 'commit' | 'announce'> & Pick<CoreServices, 'storage'>,
  steps: JudgeAndCommit,
  live: Live,
): OnlineVariable {
  return createOnlineVariable({
    ...deps,
    storage: deps.storage.ingest,
    announce(flips) {
      live.announceReadings(flips);
      for (const { variable } of flips)
        live.announcePresence(variable.organizationId, variable.deviceId);
    },
    commit: (flips, { alongside }) =>
      judgeAndCommit(steps, flips, { alongside, arrived: momentOf(deps.clock) }),
  });
}

/** The reaction of the ingest side to a change of a Device through the API. */
function changesOf(services: {
  deviceCache: DeviceCache;
  alarmEngine: AlarmEngine;
  onlineVariable: OnlineVariable;
  readings: Readings;
}) {
  const { deviceCache, alarmEngine, onlineVariable, readings } = services;
  return {
    onChanged(deviceId: string) {
      deviceCache.invalidate(deviceId);
      alarmEngine.invalidate(deviceId);
      onlineVariable.deviceChanged(deviceId);
    },
    onVariablesDeleted: (seriesIds: readonly number[]) => seriesIds.forEach(readings.dropSeries),
  };
}

async function startIngest(
  { metrics }: CoreServices,
  lifecycle: Lifecycle,
  deps: IngestDeps,
): Promise<Ingest> {
  const ingest = createIngest(deps);
  metrics.addCounter({
    name: 'fieldwatch_readings_total',
    help: 'Readings received, by outcome',
    label: 'outcome',
    totals: ingest.rejections.totals,
  });
  await ingest.start();
  lifecycle.onStop('ingest', ingest.stop);
  return ingest;
}

/** Opens the history after the clock was checked. */
async function startReadings(
  { storage, clock, log, metrics }: CoreServices,
  options: { lifecycle: Lifecycle; membership: Membership; peers: Peers },
) {
  const { lifecycle, membership, peers } = options;
  const clockCheck = createClockCheck({ storage: storage.background, clock, log });
  await clockCheck.start();
  lifecycle.onStop('clock check', clockCheck.stop);
  const isClockTrusted = () => clockCheck.warnings().length === 0;
  const { ownership } = membership;
  const readings = createReadings({
    ...{ storage, clock, log, isClockTrusted },
    fence: membership,
    ownership,
    isKnownToAll: (migration) => allKnow(membership.nodes, migration),
    isAlone: () => isAlone(membership),
    peers,
    onAdopted: (newest) => saveAdopted({ storage: storage.background, clock, log }, newest),
  });
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
  return { readings, warnings, clockDeviationSeconds: () => clockCheck.deviations().database };
}

/** Judges readings by alarms before they are committed. */
function startAlarmEngine(
  { clock, log, metrics, storage, responseCache }: CoreServices,
  options: IngestOptions & { readings: Readings; feed: AlarmFeed; membership: Membership },
) {
  const { readings, feed, membership, lifecycle, failpoint, wakeNotify } = options;
  const metered = meterAlarms(metrics, { storage, clock });
  const alarmEngine = createAlarmEngine({
    storage: fenced(storage.ingest, membership),
    ownership: membership.ownership,
    clock,
    log,
    latest: readings.ingestLatest,
    isStored: readings.isStored,
    onStored(update, now) {
      const organizationIds = new Set(update.watches.map(({ organizationId }) => organizationId));
      for (const organizationId of organizationIds) responseCache.invalidate(organizationId);
      metered(update, now);
      if (update.logEntries.length === 0) return;
      feed.note([...organizationIds]);
      wakeNotify();
    },
    failpoint,
  });
  lifecycle.onStop('alarms', alarmEngine.stop);
  return alarmEngine;
}
