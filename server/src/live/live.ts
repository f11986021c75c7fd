import type { Operations, Query } from '@fieldwatch/contract';
import type { Caller, CredentialChange, Handler } from '../http/index.ts';
import type { Clock, Log } from '../runtime/index.ts';
import type { Storage } from '../storage/index.ts';
import type { AlarmAnnouncement, AlarmSource, LiveReading } from './announcement.ts';
import type { PresenceOf } from './hub/index.ts';
import { createRooms, createSeats, type Rooms } from './hub/index.ts';
import { LIVE_LIMITS, type LiveLimits } from './limits.ts';
import type { Asked } from './stream/index.ts';
import {
  createResumption,
  createStream,
  missedText,
  readyText,
  type Stream,
} from './stream/index.ts';

export interface LiveDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly alarms: AlarmSource;
  readonly presenceOf: PresenceOf;
  /** Writes down which Devices were seen, as far as that was not done yet. */
  readonly saveSeen: () => Promise<void>;
  /** A Device that was not heard of for so long is not online. */
  readonly onlineMs: number;
  readonly limits?: LiveLimits;
}

/** Tells open consoles and programs what happens, as it happens. */
export interface Live {
  readonly follow: Handler<Operations['followLive']>;
  /** Readings that are durable. Costs next to nothing where nobody listens. */
  announceReadings(readings: readonly LiveReading[]): void;
  /** A Device was heard of, or a session of it began or ended. */
  announceDevice(organizationId: string, deviceId: string, at: number): void;
  announceAlarm(organizationId: string, alarm: AlarmAnnouncement): void;
  /** Whether anybody listens to the organization. */
  isFollowed(organizationId: string): boolean;
  /** Variables were bound to Assets or unbound. */
  bindingsChanged(organizationId: string): void;
  /** Looks at once whether the streams of these credentials may go on; of all with null. */
  reauthorize(change: CredentialChange | null): void;
  /** Streams since the start, by what became of them. */
  totals(): Readonly<Record<string, number>>;
  start(): void;
  /** Ends every stream with its reason, within a limit. */
  stop(): Promise<void>;
}

/** Ids that are safe to say back; others were not given out by us. */
const EVENT_ID = /^[!-~]{1,100}$/;

export function createLive(deps: LiveDeps): Live {
  const { clock, limits = LIVE_LIMITS } = deps;
  const rooms = createRooms({ ...deps, limits });
  const seats = createSeats(limits);
  const callers = new Map<Stream, Caller>();
  let ticker: NodeJS.Timeout | undefined;

  function open(organizationId: string, caller: Caller, access: StreamAccess): Stream {
    const leaveSeat = seats.take(organizationId, `${caller.kind}:${caller.id}`);
    const { channel } = rooms.enter(organizationId);
    const stream = createStream({
      ...access,
      clock,
      limits,
      onFiltered: channel.filtersChanged,
      onReady: channel.arm,
      onEnd: seats.noteEnd,
      onClosed() {
        leaveSeat();
        callers.delete(stream);
        rooms.leave(organizationId, stream);
      },
    });
    channel.streams.add(stream);
    callers.set(stream, caller);
    return stream;
  }

  return {
    async follow({ params: { organizationId }, query }, { caller, readmit, lastEventId }) {
      const readsAlarms = (who: Caller) =>
        who.permissionsIn(organizationId)?.has('ReadAlarmConfigurations') ?? false;
      const getsAlarms = readsAlarms(caller);
      const stream = open(organizationId, caller, {
        getsAlarms,
        readmit: async () => readsAlarms(await readmit()),
      });
      try {
        await rooms.enter(organizationId).follow(stream, askedOf(query));
        const lastId = lastEventId ?? query.lastEventId;
        await begin(deps, limits, organizationId, { stream, lastId, getsAlarms });
      } catch (error) {
        stream.readable.destroy();
        throw error;
      }
      return { events: stream.readable };
    },
    ...announcing(rooms),
    reauthorize(change) {
      for (const [stream, caller] of callers) {
        if (change === null || concerns(change, caller)) stream.reauthorize();
      }
    },
    totals: seats.totals,
    start() {
      ticker = setInterval(() => rooms.tick(clock.now()), limits.tickMs);
      ticker.unref();
    },
    async stop() {
      clearInterval(ticker);
      seats.close();
      await rooms.endAll('STOPPING', limits.stopMs);
    },
  };
}

function concerns({ kind, id }: CredentialChange, caller: Caller): boolean {
  return kind === 'SESSION' ? caller.sessionId === id : caller.kind === kind && caller.id === id;
}

type StreamAccess = Pick<Parameters<typeof createStream>[0], 'getsAlarms' | 'readmit'>;

/** Called with every committed batch: the organization is looked up once for a run of readings. */
function announcing(
  rooms: Rooms,
): Pick<
  Live,
  'announceReadings' | 'announceDevice' | 'announceAlarm' | 'isFollowed' | 'bindingsChanged'
> {
  return {
    announceReadings(readings) {
      if (rooms.isEmpty()) return;
      let organizationId = '';
      let room = rooms.find(organizationId);
      for (const reading of readings) {
        if (reading.variable.organizationId !== organizationId) {
          organizationId = reading.variable.organizationId;
          room = rooms.find(organizationId);
        }
        room?.channel.putReading(reading);
      }
    },
    announceDevice(organizationId, deviceId, at) {
      rooms.find(organizationId)?.channel.putDevice(deviceId, at);
    },
    announceAlarm(organizationId, alarm) {
      rooms.find(organizationId)?.channel.putAlarm(alarm);
    },
    isFollowed: (organizationId) => rooms.find(organizationId) !== undefined,
    bindingsChanged(organizationId) {
      rooms.find(organizationId)?.bindingsChanged();
    },
  };
}

interface Beginning {
  readonly stream: Stream;
  readonly lastId: string | undefined;
  readonly getsAlarms: boolean;
}

/** Alarm events are taken in from before this on, so that none falls between. */
async function begin(
  { alarms }: LiveDeps,
  { resumePage }: LiveLimits,
  organizationId: string,
  { stream, lastId = '', getsAlarms }: Beginning,
): Promise<void> {
  if (!getsAlarms) {
    stream.begin(readyText(null), null);
    return;
  }
  const isKnown = EVENT_ID.test(lastId) && (await alarms.after(organizationId, lastId, 1)) !== null;
  if (isKnown) {
    const missed = createResumption(alarms, organizationId, lastId, resumePage);
    stream.begin(readyText(lastId), missed);
    return;
  }
  const ready = readyText(await alarms.newestId(organizationId));
  stream.begin(lastId === '' ? ready : ready + missedText(0, true), null);
}

/** Ids are lower case, whatever case they were asked for in. */
function askedOf(query: Query<Operations['followLive']>): Asked {
  const lower = (ids: readonly string[] = []) => ids.map((id) => id.toLowerCase());
  return {
    variableIds: lower(query.variableIds),
    deviceIds: lower(query.deviceIds),
    assetIds: lower(query.assetIds),
  };
}
