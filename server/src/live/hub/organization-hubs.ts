import { once } from 'node:events';
import type { LiveEndReason } from '@fieldwatch/contract';
import { type Clock, endsWithin, type Log } from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import type { LiveLimits } from '../limits.ts';
import type { Filter, Stream, StreamSelection } from '../stream/index.ts';
import { createBindings } from './bindings.ts';
import { type Broadcaster, createBroadcaster } from './broadcaster.ts';
import type { PresenceOf } from './device-watch.ts';
import { listSeenDevices } from './store.ts';

/** The hub of one organization, which exists while it has streams. */
export interface OrganizationHub {
  readonly broadcaster: Broadcaster;
  /** Resolves when the stream has its filter and the online Devices are loaded. */
  follow(stream: Stream, selection: StreamSelection): Promise<void>;
  unfollow(stream: Stream): void;
  bindingsChanged(): void;
  tick(now: number): void;
}

export interface OrganizationHubs {
  isEmpty(): boolean;
  /** The filters of the streams, by organization. */
  filters(): ReadonlyMap<string, readonly Filter[]>;
  find(organizationId: string): OrganizationHub | undefined;
  /** The hub of the organization, created on first use. */
  enter(organizationId: string): OrganizationHub;
  leave(organizationId: string, stream: Stream): void;
  tick(now: number): void;
  /** Resolves when every stream is closed, at the latest after the limit. */
  endAll(reason: LiveEndReason, limitMs: number): Promise<void>;
}

export interface OrganizationHubsDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly presenceOf: PresenceOf;
  readonly saveSeen: () => Promise<void>;
  readonly onlineMs: number;
  readonly limits: LiveLimits;
}

export function createOrganizationHubs(deps: OrganizationHubsDeps): OrganizationHubs {
  const hubs = new Map<string, OrganizationHub>();

  function enter(organizationId: string): OrganizationHub {
    const known = hubs.get(organizationId);
    if (known) return known;
    const hub = createOrganizationHub(deps, organizationId);
    hubs.set(organizationId, hub);
    return hub;
  }

  return {
    isEmpty: () => hubs.size === 0,
    filters: () =>
      new Map(
        [...hubs].map(([id, { broadcaster }]) => [
          id,
          [...broadcaster.streams].map((stream) => stream.filter()),
        ]),
      ),
    find: (organizationId) => hubs.get(organizationId),
    enter,
    leave(organizationId, stream) {
      const hub = hubs.get(organizationId);
      if (!hub) return;
      hub.unfollow(stream);
      hub.broadcaster.streams.delete(stream);
      hub.broadcaster.filtersChanged();
      if (hub.broadcaster.streams.size > 0) return;
      hub.broadcaster.close();
      hubs.delete(organizationId);
    },
    tick(now) {
      for (const hub of hubs.values()) hub.tick(now);
    },
    async endAll(reason, limitMs) {
      const streams = [...hubs.values()].flatMap(({ broadcaster }) => [...broadcaster.streams]);
      const closed = streams.map(({ readable }) => once(readable, 'close'));
      for (const stream of streams) stream.end(reason);
      await endsWithin(limitMs, Promise.all(closed));
      for (const { readable } of streams) readable.destroy();
    },
  };
}

function createOrganizationHub(
  deps: OrganizationHubsDeps,
  organizationId: string,
): OrganizationHub {
  const { storage, clock, presenceOf, saveSeen, onlineMs, limits } = deps;
  const broadcaster = createBroadcaster(presenceOf, limits);
  const bindings = createBindings(deps, organizationId);
  const openedAt = clock.now();
  let readAt = openedAt;
  const loaded = saveSeen()
    .then(() => listSeenDevices(storage, organizationId, openedAt - onlineMs, limits.maxDevices))
    .then((devices) => broadcaster.loadDevices(devices, openedAt));
  return {
    broadcaster,
    async follow(stream, selection) {
      await Promise.all([loaded, bindings.follow(stream, selection)]);
    },
    unfollow: bindings.unfollow,
    bindingsChanged: bindings.refresh,
    tick(now) {
      broadcaster.tick(now);
      if (now - readAt < limits.reauthorizeMs) return;
      readAt = now;
      bindings.refresh();
    },
  };
}
