import { type Clock, every, type Log } from '../runtime/index.ts';
import type { Queries, Statement } from '../storage/index.ts';
import { type DeviceIndex, DeviceQueue, type IndexedDevice } from './device-index.ts';
import type { Presence, PresenceListener } from './presence.ts';
import { ReportedPresence } from './reported-presence.ts';
import { flipStatements, listDevices, listOnline, type OnlineRow } from './store.ts';

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

export interface OnlineVariableDeps {
  readonly deviceIndex: DeviceIndex;
  readonly storage: Queries;
  readonly clock: Clock;
  readonly log: Log;
  readonly presence: Pick<Presence, 'onlineSince'>;
  /** How long a Device counts as online after a reading, unless it has a window of its own. */
  readonly onlineMs: number;
  readonly commit: (
    readings: readonly OnlineReading[],
    options: { readonly alongside: () => Iterable<Statement> },
  ) => Promise<void>;
  readonly announce: (readings: readonly OnlineReading[]) => void;
}

/**
 * Writes a reading of the built-in Variable of a Device whenever its presence flips.
 *
 * Invariant: a Device whose presence may differ from its reported presence is queued for a check, or
 * its reported online window has an end at which it is checked. A check compares the stored report
 * with the presence in memory and writes the flip with its reading in one transaction. A reading
 * that is seen while the check runs queues the Device again (`wasSeenSince`), because the check may
 * have read the presence before it.
 */
export interface OnlineVariable extends PresenceListener {
  /** The Device was edited: its online window may have changed. */
  deviceChanged(deviceId: string): void;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const TICK_MS = 1_000;
const DEVICE_BATCH_SIZE = 2_000;
/** After a start, sessions get this long to reconnect before their Devices are reported offline. */
const RECONNECT_MS = 30_000;
const MIN_UUID = '00000000-0000-0000-0000-000000000000';

export function createOnlineVariable(deps: OnlineVariableDeps): OnlineVariable {
  const { deviceIndex, storage, clock, log, presence, onlineMs } = deps;
  const reported = new ReportedPresence();
  const queued = new DeviceQueue();

  async function check(batch: readonly number[]): Promise<void> {
    const startedAt = clock.now();
    const rows = await listDevices(storage, batch.map(deviceIndex.idAt));
    const now = clock.now();
    // Read once: a Device that is reported as online must be checked at the end of that window.
    const online = onlineAmong(presence, rows);
    const flipped = rows.filter((row) => online.has(row) !== row.isOnline);
    if (flipped.length > 0) await store(deps, flipped, now);
    for (const index of batch) {
      if (reported.wasSeenSince(index, startedAt)) queued.add(index);
      reported.delete(index);
    }
    for (const [row, since] of online) report(row, since);
  }

  function report(row: OnlineRow, since: number): void {
    reported.set(deviceIndex.indexOf(row.deviceId), since, windowOf(row, onlineMs));
  }

  async function tick(): Promise<void> {
    const now = clock.now();
    for (let index = 0; index < deviceIndex.size; index += 1)
      if (reported.isExpired(index, now)) queued.add(index);
    for (let left = queued.size; left > 0; left -= DEVICE_BATCH_SIZE) {
      const batch = queued.take(DEVICE_BATCH_SIZE);
      try {
        await check(batch);
      } catch (error) {
        for (const index of batch) queued.add(index);
        log.debug({ err: error }, 'could not write presence changes of Devices; will retry');
        return;
      }
    }
  }

  const ticks = every(TICK_MS, tick, (error) =>
    log.error({ err: error }, 'presence of Devices could not be checked'),
  );

  return {
    readingSeen({ index }) {
      if (reported.has(index)) reported.seen(index, clock.now());
      else queued.add(index);
    },
    sessionChanged: ({ index }: IndexedDevice) => queued.add(index),
    deviceChanged(deviceId) {
      const index = deviceIndex.find(deviceId);
      // The presence of a Device that another server has reported is checked by that server.
      if (index !== undefined && reported.has(index)) queued.add(index);
    },
    async start() {
      for await (const row of storedOnline(storage)) {
        const reconnectBy = clock.now() + RECONNECT_MS;
        report(row, Math.max(row.lastSeenAt ?? 0, reconnectBy - windowOf(row, onlineMs)));
      }
      ticks.start();
    },
    stop: ticks.stop,
  };
}

/** The Devices that were last reported as online, read in batches. */
async function* storedOnline(storage: Queries): AsyncGenerator<OnlineRow, void> {
  for (let after = MIN_UUID; ; ) {
    const rows = await listOnline(storage, after, DEVICE_BATCH_SIZE);
    yield* rows;
    after = rows.at(-1)?.deviceId ?? after;
    if (rows.length < DEVICE_BATCH_SIZE) return;
  }
}

/** The Devices that are online, each with the time from which its window counts. */
function onlineAmong(presence: OnlineVariableDeps['presence'], rows: readonly OnlineRow[]) {
  const online = new Map<OnlineRow, number>();
  for (const row of rows) {
    const since = presence.onlineSince({ ...row, id: row.deviceId });
    if (since !== null) online.set(row, since);
  }
  return online;
}

function windowOf({ onlineMinutes }: OnlineRow, onlineMs: number): number {
  return onlineMinutes === null ? onlineMs : onlineMinutes * 60_000;
}

/** Stores the flips together with a reading for each. */
async function store(
  { commit, announce }: OnlineVariableDeps,
  flipped: readonly OnlineRow[],
  now: number,
): Promise<void> {
  const readings = flipped.map((row) => readingOf(row, now));
  await commit(readings, { alongside: () => flipStatements(flipped) });
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
