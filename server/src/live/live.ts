import type { Operations, Query } from '@fieldwatch/contract';
import type { Caller, CredentialChange, Handler } from '../http/index.ts';
import { type Clock, every, type Log, type Periodic } from '../runtime/index.ts';
import type { Storage } from '../storage/index.ts';
import type { AlarmAnnouncement, AlarmSource, LiveReading } from './announcement.ts';
import type { PresenceOf } from './hub/index.ts';
import {
  createOrganizationHubs,
  createStreamQuota,
  liveDeviceOf,
  type OrganizationHubs,
  type StreamQuota,
} from './hub/index.ts';
import { LIVE_LIMITS, type LiveLimits } from './limits.ts';
import { type ReadingListener, ReadingListeners } from './listeners.ts';
import { LivePeers, type LivePeersDeps } from './peers/index.ts';
import type { StreamSelection } from './stream/index.ts';
import { createReplay, createStream, missedText, readyText, type Stream } from './stream/index.ts';

export interface LiveDeps extends Pick<LivePeersDeps, 'peers' | 'membership'> {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly alarms: AlarmSource;
  readonly presenceOf: PresenceOf;
  /** Writes the last-seen times of Devices that are not written yet. */
  readonly saveSeen: () => Promise<void>;
  /** The online window of Devices. */
  readonly onlineMs: number;
  readonly limits?: LiveLimits;
}

/** Live streams of server-sent events for consoles and other clients. */
export interface Live {
  readonly follow: Handler<Operations['followLive']>;
  /** Announces stored readings. Costs next to nothing without streams. */
  announceReadings(readings: readonly LiveReading[]): void;
  /**
   * Calls the listener with each stored reading of the organization, the built-in Variables of its
   * Devices included, until the returned function is called.
   */
  listen(organizationId: string, listener: ReadingListener): () => void;
  /** Called when a reading of a Device was seen. */
  announceDevice(organizationId: string, deviceId: string, at: number): void;
  /** Called when a Device may have come online or gone offline. */
  announcePresence(organizationId: string, deviceId: string): void;
  announceAlarm(organizationId: string, alarm: AlarmAnnouncement): void;
  /** Whether the organization has open streams. */
  isFollowed(organizationId: string): boolean;
  /** Called when Variables were bound to Assets or unbound. */
  bindingsChanged(organizationId: string): void;
  /** Re-authorizes the streams of these credentials at once; all streams with null. */
  reauthorize(change: CredentialChange | null): void;
  /** Streams since the start, by outcome. */
  totals(): Readonly<Record<string, number>>;
  start(): void;
  /** Ends every stream with its reason, within a time limit. */
  stop(): Promise<void>;
}

/** Ids in this form are safe to send back; the server generates no others. */
const EVENT_ID = /^[!-~]{1,100}$/;

export function createLive(deps: LiveDeps): Live {
  const { limits = LIVE_LIMITS } = deps;
  const hubs = createOrganizationHubs({ ...deps, limits });
  const listeners = new ReadingListeners();
  const quota = createStreamQuota(limits);
  const callers = new Map<Stream, Caller>();
  const ticks = ticksOf(hubs, deps, limits.tickMs);
  const livePeers = new LivePeers({
    ...deps,
    limits,
    follows: () => listeners.filtersWith(hubs.filters()),
    onNews(news) {
      listeners.announce(news.readings);
      hubs.find(news.organizationId)?.broadcaster.putNews(news);
    },
  });
  const open = opening({ ...deps, limits, hubs, quota, callers, livePeers });

  return {
    async follow({ params: { organizationId }, query }, { caller, reauthorize, lastEventId }) {
      const readsAlarms = (who: Caller) =>
        who.permissionsIn(organizationId)?.has('ReadAlarmConfigurations') ?? false;
      const getsAlarms = readsAlarms(caller);
      const stream = open(organizationId, caller, {
        getsAlarms,
        reauthorize: async () => readsAlarms(await reauthorize()),
      });
      try {
        await hubs.enter(organizationId).follow(stream, selectionOf(query));
        // What is stored from here on, at any node, comes over the stream.
        await livePeers.followed();
        const lastId = lastEventId ?? query.lastEventId;
        await begin(deps, limits, organizationId, { stream, lastId, getsAlarms });
      } catch (error) {
        stream.readable.destroy();
        throw error;
      }
      return { events: stream.readable };
    },
    ...announcing({ hubs, listeners, livePeers }, deps.presenceOf),
    listen(organizationId, listener) {
      const remove = listeners.add(organizationId, listener);
      livePeers.followsChanged();
      return () => {
        remove();
        livePeers.followsChanged();
      };
    },
    reauthorize(change) {
      for (const [stream, caller] of callers) {
        if (change === null || concerns(change, caller)) stream.reauthorize();
      }
    },
    totals: quota.totals,
    start() {
      ticks.start();
      livePeers.start();
    },
    async stop() {
      quota.close();
      await Promise.all([ticks.stop(), livePeers.stop()]);
      await hubs.endAll('STOPPING', limits.stopMs);
    },
  };
}

interface OpeningDeps {
  readonly clock: Clock;
  readonly limits: LiveLimits;
  readonly hubs: OrganizationHubs;
  readonly quota: StreamQuota;
  readonly callers: Map<Stream, Caller>;
  readonly livePeers: LivePeers;
}

function opening({ clock, limits, hubs, quota, callers, livePeers }: OpeningDeps) {
  return (organizationId: string, caller: Caller, access: StreamAccess): Stream => {
    const releaseQuota = quota.take(organizationId, `${caller.kind}:${caller.id}`);
    const { broadcaster } = hubs.enter(organizationId);
    const stream = createStream({
      ...access,
      clock,
      limits,
      onFiltered() {
        broadcaster.filtersChanged();
        livePeers.followsChanged();
      },
      onReady: broadcaster.arm,
      onEnd: quota.noteEnd,
      onClosed() {
        releaseQuota();
        callers.delete(stream);
        hubs.leave(organizationId, stream);
        livePeers.followsChanged();
      },
    });
    broadcaster.streams.add(stream);
    callers.set(stream, caller);
    return stream;
  };
}

function ticksOf(hubs: OrganizationHubs, { clock, log }: LiveDeps, tickMs: number): Periodic {
  const tick = () => hubs.tick(clock.now());
  return every(tickMs, tick, (error) => log.error({ err: error }, 'live tick failed'));
}

function concerns({ kind, id }: CredentialChange, caller: Caller): boolean {
  return kind === 'SESSION' ? caller.sessionId === id : caller.kind === kind && caller.id === id;
}

type StreamAccess = Pick<Parameters<typeof createStream>[0], 'getsAlarms' | 'reauthorize'>;

interface Audience {
  readonly hubs: OrganizationHubs;
  readonly listeners: ReadingListeners;
  readonly livePeers: LivePeers;
}

/** Called with every committed batch: the hub is looked up once for consecutive readings. */
function announcing(
  { hubs, listeners, livePeers }: Audience,
  presenceOf: PresenceOf,
): Pick<
  Live,
  | 'announceReadings'
  | 'announceDevice'
  | 'announcePresence'
  | 'announceAlarm'
  | 'isFollowed'
  | 'bindingsChanged'
> {
  return {
    announceReadings(readings) {
      if (livePeers.isFollowed) livePeers.announceReadings(readings);
      listeners.announce(readings);
      if (hubs.isEmpty()) return;
      let organizationId = '';
      let hub = hubs.find(organizationId);
      for (const reading of readings) {
        if (reading.variable.organizationId !== organizationId) {
          organizationId = reading.variable.organizationId;
          hub = hubs.find(organizationId);
        }
        hub?.broadcaster.putReading(reading);
      }
    },
    announceDevice(organizationId, deviceId, at) {
      if (livePeers.isFollowed) livePeers.deviceSeen(organizationId, deviceId, at);
      hubs.find(organizationId)?.broadcaster.putDevice(deviceId, at);
    },
    announcePresence(organizationId, deviceId) {
      const hub = hubs.find(organizationId);
      if (!livePeers.isFollowed && !hub) return;
      const stored = { id: deviceId, lastSeenAt: null, isOnline: false };
      const device = liveDeviceOf(deviceId, presenceOf(stored));
      livePeers.deviceChanged(organizationId, device);
      hub?.broadcaster.putPresence(device);
    },
    announceAlarm(organizationId, alarm) {
      hubs.find(organizationId)?.broadcaster.putAlarm(alarm);
    },
    isFollowed: (organizationId) => hubs.find(organizationId) !== undefined,
    bindingsChanged(organizationId) {
      hubs.find(organizationId)?.bindingsChanged();
    },
  };
}

interface Beginning {
  readonly stream: Stream;
  readonly lastId: string | undefined;
  readonly getsAlarms: boolean;
}

/** The stream already queues alarm events at this point, so that none is lost. */
async function begin(
  { alarms }: LiveDeps,
  { replayPageSize }: LiveLimits,
  organizationId: string,
  { stream, lastId = '', getsAlarms }: Beginning,
): Promise<void> {
  if (!getsAlarms) {
    stream.begin(readyText(null), null);
    return;
  }
  const isKnown = EVENT_ID.test(lastId) && (await alarms.after(organizationId, lastId, 1)) !== null;
  if (isKnown) {
    const missed = createReplay(alarms, organizationId, lastId, replayPageSize);
    stream.begin(readyText(lastId), missed);
    return;
  }
  const ready = readyText(await alarms.newestId(organizationId));
  stream.begin(lastId === '' ? ready : ready + missedText(0, true), null);
}

/** Ids are lower case, in whichever case they were requested. */
function selectionOf(query: Query<Operations['followLive']>): StreamSelection {
  const lower = (ids: readonly string[] = []) => ids.map((id) => id.toLowerCase());
  return {
    variableIds: lower(query.variableIds),
    deviceIds: lower(query.deviceIds),
    assetIds: lower(query.assetIds),
  };
}
