import type { OverviewWarning } from '@fieldwatch/contract';
import {
  type AlarmEngine,
  type AlarmFeed,
  createAlarmEngine,
  createAlarmFeed,
  meterAlarms,
} from '../alarms/index.ts';
import type { Config } from '../config.ts';
import type { Authenticate, ResponseCache } from '../http/index.ts';
import {
  createAlarmSubscribers,
  createIngest,
  type Ingest,
  type IngestDeps,
  type JudgeAndCommit,
  judgeAndCommit,
} from '../ingest/index.ts';
import { createLive, type Live } from '../live/index.ts';
import { fenced, type Membership, type Peers } from '../nodes/index.ts';
import {
  createOnlineVariable,
  createPresence,
  type DeviceIndex,
  type IndexedDevice,
  type OnlineVariable,
  type OnlineVariableDeps,
  type Presence,
  type PresenceListener,
} from '../presence/index.ts';
import { createReadings, quarantineWarnings, type Readings } from '../readings/index.ts';
import type { Clock, Keyring, Lifecycle, Log, Metrics, NewId } from '../runtime/index.ts';
import { createClockCheck, type Storage } from '../storage/index.ts';
import type { DeviceCache } from '../variables/index.ts';
import { type AlarmFanOut, createAlarmFanOut, createPresenceFanOut } from './fan-outs.ts';
import { joinNodes, meterLoad } from './join-nodes.ts';
import { type Drain, partitionHooks } from './partition-hooks.ts';

/** The services that nearly every part needs. */
export interface CoreServices {
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: NewId;
  readonly metrics: Metrics;
  readonly keyring: Keyring;
  readonly storage: Storage;
  /** The id of this server among the nodes on its database. */
  readonly nodeId: string;
  readonly deviceIndex: DeviceIndex;
  readonly responseCache: ResponseCache;
}

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
  const { responseCache } = core;
  const { deviceCache, config, lifecycle, authenticate } = options;
  const onlineMs = config.onlineMinutes * 60_000;
  const presenceChanged = createPresenceFanOut();
  const alarmChanged = createAlarmFanOut();
  const presence = createPresence({ ...core, onlineMs, listener: presenceChanged });
  const drains: Drain[] = [];
  const parts = () => ({ readings, ingest, onlineVariable, drains });
  const joined = await joinNodes(core, options, partitionHooks(parts));
  const { membership, peers } = joined;
  const { ownership } = membership;
  responseCache.followPeers(() => membership.hasPeers);
  const { readings, ...checks } = await startReadings(core, { lifecycle, membership, peers });
  const feed = startAlarmFeed(core, { lifecycle, membership, alarmChanged });
  const alarmSubscribers = createAlarmSubscribers({ authenticate, begin: feed.newestId });
  const live = startLive(core, { presence, onlineMs, feed });
  alarmChanged.subscribe(live);
  alarmChanged.subscribe(alarmSubscribers);
  const alarmEngine = startAlarmEngine(core, { ...options, readings, feed, membership });
  const steps = {
    judge: alarmEngine.judge,
    commit: readings.commit,
    announce: live.announceReadings,
  };
  const deps = { ...core, ...steps, presence, ownership };
  const onlineVariable = onlineVariableOf({ ...deps, onlineMs }, steps);
  presenceChanged.subscribe(onlineVariable);
  presenceChanged.subscribe(presenceAnnouncements(responseCache, live));
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
    presence,
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
  deps: Omit<OnlineVariableDeps, 'storage' | 'commit'> & Pick<CoreServices, 'storage'>,
  steps: JudgeAndCommit,
): OnlineVariable {
  return createOnlineVariable({
    ...deps,
    storage: deps.storage.ingest,
    commit: (flips, { alongside }) =>
      judgeAndCommit(steps, flips, { alongside, arrivedAt: deps.clock.now() }),
  });
}

/** Responses that contain the presence of a Device are invalid, and live streams show it. */
function presenceAnnouncements(responseCache: ResponseCache, live: Live): PresenceListener {
  const announce = ({ organizationId, deviceId }: IndexedDevice, at: number) => {
    responseCache.invalidate(organizationId);
    live.announceDevice(organizationId, deviceId, at);
  };
  return { readingSeen: announce, sessionChanged: announce };
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
    peers,
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

function startAlarmFeed(
  { storage, log }: CoreServices,
  services: { lifecycle: Lifecycle; membership: Membership; alarmChanged: AlarmFanOut },
): AlarmFeed {
  const { lifecycle, membership, alarmChanged } = services;
  const feed = createAlarmFeed({
    storage,
    log,
    isFollowed: alarmChanged.isFollowed,
    announce: alarmChanged.announceAlarm,
    hasPeers: () => membership.hasPeers,
    onNoted: () => undefined,
  });
  feed.start();
  lifecycle.onStop('alarm feed', feed.stop);
  return feed;
}

function startLive(
  { clock, log, metrics, storage }: CoreServices,
  services: { presence: Presence; onlineMs: number; feed: AlarmFeed },
): Live {
  const { presence, onlineMs, feed } = services;
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
    help: 'Live streams, by outcome',
    label: 'outcome',
    totals: live.totals,
  });
  return live;
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
