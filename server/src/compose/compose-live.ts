import { type AlarmFeed, createAlarmFeed } from '../alarms/index.ts';
import { DeviceSearch } from '../devices/index.ts';
import type { ResponseCache } from '../http/index.ts';
import { createLive, type Live } from '../live/index.ts';
import { isAlone, type Membership, type Peers } from '../nodes/index.ts';
import {
  createPresence,
  type Presence,
  type PresenceListener,
  SessionReports,
} from '../presence/index.ts';
import type { Lifecycle } from '../runtime/index.ts';
import { createAlarmChangeCalls } from './alarm-change-calls.ts';
import type { CoreServices } from './core-services.ts';
import type { AlarmFanOut } from './fan-outs.ts';

/** Presence, from readings and from the sessions that all nodes report. */
export function startPresence(
  core: CoreServices,
  { membership, peers }: { membership: Membership; peers: Peers },
  options: { onlineMs: number; presenceChanged: PresenceListener },
): { presence: Presence; sessionReports: SessionReports } {
  const { clock, log, deviceIndex } = core;
  const { ownership } = membership;
  const sessionReports = new SessionReports({
    ...{ membership, ownership, peers, clock, log },
    onChanged({ deviceId, organizationId }, agoMs) {
      const index = deviceIndex.indexOf(deviceId);
      presence.sessionChanged({ index, deviceId, organizationId }, clock.now() - agoMs);
    },
  });
  const presence = createPresence({
    ...core,
    ownership,
    onlineMs: options.onlineMs,
    listener: options.presenceChanged,
    sessions: sessionReports,
  });
  sessionReports.start();
  return { presence, sessionReports };
}

/** Finds Devices in memory while there is no other node that changes them. */
export function startDeviceSearch(
  core: CoreServices,
  { membership, presence }: { membership: Membership; presence: Presence },
  { onStop }: Lifecycle,
): DeviceSearch {
  const { ownership } = membership;
  const search = new DeviceSearch({
    ...core,
    presence,
    isAlone: () => isAlone(membership),
  });
  // A node that acted for Devices before has written their presence.
  ownership.onChange(() => search.clear());
  core.metrics.addCounter({
    name: 'fieldwatch_device_searches_total',
    help: 'Searches for Devices, by what answered them',
    label: 'source',
    totals: search.totals,
  });
  search.start();
  onStop('device search', () => search.stop());
  return search;
}

/** Responses that contain the presence of a Device are invalid, and live streams show it. */
export function presenceAnnouncements(responseCache: ResponseCache, live: Live): PresenceListener {
  return {
    readingSeen({ organizationId, deviceId }, at) {
      responseCache.invalidate(organizationId);
      live.announceDevice(organizationId, deviceId, at);
    },
    sessionChanged({ organizationId, deviceId }) {
      responseCache.invalidate(organizationId);
      live.announcePresence(organizationId, deviceId);
    },
  };
}

export function startAlarmFeed(
  { storage, log, responseCache }: CoreServices,
  services: {
    lifecycle: Lifecycle;
    membership: Membership;
    peers: Peers;
    alarmChanged: AlarmFanOut;
  },
): AlarmFeed {
  const { lifecycle, membership, peers, alarmChanged } = services;
  const others = createAlarmChangeCalls({
    ...{ membership, peers, log },
    onChanged(organizationIds) {
      for (const organizationId of organizationIds) responseCache.invalidate(organizationId);
      feed.look(organizationIds);
    },
  });
  const feed = createAlarmFeed({
    storage,
    log,
    isFollowed: alarmChanged.isFollowed,
    announce: alarmChanged.announceAlarm,
    hasPeers: () => membership.hasPeers,
    onNoted: others.notify,
  });
  feed.start();
  lifecycle.onStop('alarm feed', feed.stop);
  return feed;
}

export function startLive(
  { clock, log, metrics, storage }: CoreServices,
  services: {
    presence: Presence;
    onlineMs: number;
    feed: AlarmFeed;
    membership: Membership;
    peers: Peers;
  },
): Live {
  const { presence, onlineMs, feed, membership, peers } = services;
  const live = createLive({
    storage,
    clock,
    log,
    alarms: feed,
    presenceOf: (device) => presence.of(device),
    saveSeen: () => presence.flush(),
    onlineMs,
    membership,
    peers,
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
