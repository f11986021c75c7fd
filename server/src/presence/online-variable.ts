import type { Clock, Log } from '../runtime/index.ts';
import type { Queries, Statement } from '../storage/index.ts';
import { type Places, Waiting } from './device-index.ts';
import type { PresenceBoard } from './presence.ts';
import { Said } from './reported-presence.ts';
import { listDevices, listOnline, type OnlineRow, turnedStatements } from './store.ts';

/** A reading of the built-in Variable of a Device. */
export interface OnlineReading {
  readonly variable: {
    readonly seriesId: number;
    readonly id: string;
    readonly organizationId: string;
    readonly deviceId: string;
    readonly type: 'BOOLEAN';
    readonly isLoggingEnabled: boolean;
    readonly path: string;
  };
  readonly at: number;
  readonly value: boolean;
}

export interface OnlineDeps {
  readonly places: Places;
  readonly storage: Queries;
  readonly clock: Clock;
  readonly log: Log;
  readonly presence: Pick<PresenceBoard, 'onlineSince'>;
  /** How long a Device counts as online after a reading, unless it says otherwise. */
  readonly onlineMs: number;
  readonly commit: (
    readings: readonly OnlineReading[],
    options: { readonly alongside: () => Iterable<Statement> },
  ) => Promise<void>;
  readonly announce: (readings: readonly OnlineReading[]) => void;
}

/** Makes readings of Devices' coming and going, for their built-in Variables. */
export interface Online {
  /** A reading came from the Device in this place. */
  moved(place: number): void;
  /** A session of it opened or closed. */
  met(place: number): void;
  /** The Device was edited: it may count as online for another time. */
  changed(deviceId: string): void;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const TICK_MS = 1_000;
const AT_ONCE = 2_000;
/** Sessions that a start has ended need a moment to come back: nobody went away. */
const RETURN_MS = 30_000;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

export function createOnline(deps: OnlineDeps): Online {
  const { places, storage, clock, log, presence, onlineMs } = deps;
  const said = new Said();
  /** To be looked at again. */
  const arrived = new Waiting();
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> | undefined;

  /** Says of each Device what is so, where that is not what was said last. */
  async function say(some: readonly number[]): Promise<void> {
    // Who moves from here on arrives anew.
    const began = clock.now();
    const rows = await listDevices(storage, some.map(places.idAt));
    const now = clock.now();
    // Asked once: whoever is said to be online must be looked at again when that ends.
    const present = presentOf(presence, rows);
    const turned = rows.filter((row) => present.has(row) !== row.isOnline);
    if (turned.length > 0) await store(deps, turned, now);
    for (const place of some) {
      if (said.wasSeenSince(place, began)) arrived.add(place);
      said.delete(place);
    }
    for (const [row, since] of present) keep(row, since);
  }

  function keep(row: OnlineRow, at: number): void {
    said.put(places.of(row.deviceId), at, windowOf(row, onlineMs));
  }

  async function tick(): Promise<void> {
    const now = clock.now();
    for (let place = 0; place < places.count; place += 1)
      if (said.isOver(place, now)) arrived.add(place);
    for (let left = arrived.count; left > 0; left -= AT_ONCE) {
      const some = arrived.take(AT_ONCE);
      try {
        await say(some);
      } catch (error) {
        for (const place of some) arrived.add(place);
        log.debug({ err: error }, 'who came and went could not be written; this is tried again');
        return;
      }
    }
  }

  return {
    moved(place) {
      if (said.has(place)) said.seen(place, clock.now());
      else arrived.add(place);
    },
    met: (place) => arrived.add(place),
    changed(deviceId) {
      const place = places.find(deviceId);
      // Another server's Device is that server's to speak of.
      if (place !== undefined && said.has(place)) arrived.add(place);
    },
    async start() {
      for (let after = BEFORE_ALL; ; ) {
        const rows = await listOnline(storage, after, AT_ONCE);
        const backBy = clock.now() + RETURN_MS;
        for (const row of rows) keep(row, heardAt(row, backBy - windowOf(row, onlineMs)));
        after = rows.at(-1)?.deviceId ?? after;
        if (rows.length < AT_ONCE) break;
      }
      timer = setInterval(() => {
        underWay ??= tick().finally(() => {
          underWay = undefined;
        });
      }, TICK_MS).unref();
    },
    async stop() {
      clearInterval(timer);
      await underWay;
    },
  };
}

/** Those who are online, and since when that counts. */
function presentOf(presence: OnlineDeps['presence'], rows: readonly OnlineRow[]) {
  const present = new Map<OnlineRow, number>();
  for (const row of rows) {
    const since = presence.onlineSince({ ...row, id: row.deviceId });
    if (since !== null) present.set(row, since);
  }
  return present;
}

function heardAt({ lastSeenAt }: OnlineRow, atLeast: number): number {
  return Math.max(lastSeenAt ?? 0, atLeast);
}

function windowOf({ onlineMinutes }: OnlineRow, onlineMs: number): number {
  return onlineMinutes === null ? onlineMs : onlineMinutes * 60_000;
}

/** What was said of each is turned round, with a reading that says so. */
async function store(
  { commit, announce }: OnlineDeps,
  turned: readonly OnlineRow[],
  now: number,
): Promise<void> {
  const readings = turned.map((row) => readingOf(row, now));
  await commit(readings, { alongside: () => turnedStatements(turned) });
  announce(readings);
}

function readingOf(row: OnlineRow, at: number): OnlineReading {
  const { organizationId, deviceId, variableId, seriesId } = row;
  return {
    variable: {
      seriesId,
      id: variableId,
      organizationId,
      deviceId,
      type: 'BOOLEAN',
      isLoggingEnabled: true,
      path: 'isOnline',
    },
    at,
    value: !row.isOnline,
  };
}
