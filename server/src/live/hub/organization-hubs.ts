import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { LiveEndReason } from '@fieldwatch/contract';
import type { Clock, Log } from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import type { LiveLimits } from '../limits.ts';
import type { Asked, Stream } from '../stream/index.ts';
import { createBindings } from './bindings.ts';
import type { PresenceOf } from './device-watch.ts';
import { type Channel, createChannel } from './hub.ts';
import { listSeenDevices } from './store.ts';

/** Where the streams of one organization are, while there are any. */
export interface Room {
  readonly channel: Channel;
  /** Resolves when the stream knows what it asked for, and who of the Devices is online. */
  follow(stream: Stream, asked: Asked): Promise<void>;
  forget(stream: Stream): void;
  bindingsChanged(): void;
  tick(now: number): void;
}

export interface Rooms {
  isEmpty(): boolean;
  find(organizationId: string): Room | undefined;
  /** The organization's room; who enters first makes it. */
  enter(organizationId: string): Room;
  leave(organizationId: string, stream: Stream): void;
  tick(now: number): void;
  /** Resolves when every stream is closed; who does not take the reason in time is cut off. */
  endAll(reason: LiveEndReason, limitMs: number): Promise<void>;
}

export interface RoomsDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly presenceOf: PresenceOf;
  readonly saveSeen: () => Promise<void>;
  readonly onlineMs: number;
  readonly limits: LiveLimits;
}

export function createRooms(deps: RoomsDeps): Rooms {
  const rooms = new Map<string, Room>();

  function enter(organizationId: string): Room {
    const known = rooms.get(organizationId);
    if (known) return known;
    const room = createRoom(deps, organizationId);
    rooms.set(organizationId, room);
    return room;
  }

  return {
    isEmpty: () => rooms.size === 0,
    find: (organizationId) => rooms.get(organizationId),
    enter,
    leave(organizationId, stream) {
      const room = rooms.get(organizationId);
      if (!room) return;
      room.forget(stream);
      room.channel.streams.delete(stream);
      room.channel.filtersChanged();
      if (room.channel.streams.size > 0) return;
      room.channel.close();
      rooms.delete(organizationId);
    },
    tick(now) {
      for (const room of rooms.values()) room.tick(now);
    },
    async endAll(reason, limitMs) {
      const streams = [...rooms.values()].flatMap(({ channel }) => [...channel.streams]);
      const closed = streams.map(({ readable }) => once(readable, 'close'));
      for (const stream of streams) stream.end(reason);
      await Promise.race([Promise.all(closed), pause(limitMs, undefined, { ref: false })]);
      for (const { readable } of streams) readable.destroy();
    },
  };
}

function createRoom(deps: RoomsDeps, organizationId: string): Room {
  const { storage, clock, presenceOf, saveSeen, onlineMs, limits } = deps;
  const channel = createChannel(presenceOf, limits);
  const bindings = createBindings(deps, organizationId);
  const openedAt = clock.now();
  let readAt = openedAt;
  const loaded = saveSeen()
    .then(() => listSeenDevices(storage, organizationId, openedAt - onlineMs, limits.maxDevices))
    .then((devices) => channel.loadDevices(devices, openedAt));
  return {
    channel,
    async follow(stream, asked) {
      await Promise.all([loaded, bindings.follow(stream, asked)]);
    },
    forget: bindings.forget,
    bindingsChanged: bindings.refresh,
    tick(now) {
      channel.tick(now);
      if (now - readAt < limits.recheckMs) return;
      readAt = now;
      bindings.refresh();
    },
  };
}
