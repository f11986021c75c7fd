import type { Ownership, OwnershipChange } from '../nodes/index.ts';
import { type Clock, every, type Log, type Periodic } from '../runtime/index.ts';
import type { Queries, Statement } from '../storage/index.ts';
import { type DeviceIndex, DeviceQueue, type IndexedDevice } from './device-index.ts';
import { type Presence, type PresenceListener, RECONNECT_MS } from './presence.ts';
import { ReportedPresence } from './reported-presence.ts';
import {
  flipStatements,
  listDevices,
  listDisconnected,
  listOnline,
  listSeenSince,
  type OnlinePage,
  type OnlineRow,
} from './store.ts';

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
  readonly presence: Pick<Presence, 'onlineSince' | 'connectionRead'>;
  /** Each node writes for the Devices that it acts for. */
  readonly ownership: Ownership;
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
  /** A reading of before the start was found, which may have kept the Device online. */
  replayed(index: number): void;
  /** Resolves once the presence of the Devices that this node acts for is stored as it is now. */
  recorded(): Promise<void>;
  /** Resolves when nothing is being written for Devices that this node no longer acts for. */
  settled(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const TICK_MS = 1_000;
const DEVICE_BATCH_SIZE = 2_000;
const MIN_UUID = '00000000-0000-0000-0000-000000000000';

export function createOnlineVariable(deps: OnlineVariableDeps): OnlineVariable {
  return new PresenceReports(deps);
}

class PresenceReports implements OnlineVariable {
  readonly #deps: OnlineVariableDeps;
  readonly #reported = new ReportedPresence();
  readonly #queued = new DeviceQueue();
  readonly #ticks: Periodic;
  #checking = Promise.resolve();
  #isStarted = false;

  constructor(deps: OnlineVariableDeps) {
    this.#deps = deps;
    this.#ticks = every(
      TICK_MS,
      () => this.#tick(),
      (error) => deps.log.error({ err: error }, 'presence of Devices could not be checked'),
    );
    deps.ownership.onChange((change) => {
      if (this.#isStarted) this.#ownershipChanged(change);
    });
  }

  readingSeen({ index }: IndexedDevice): void {
    if (this.#reported.has(index)) this.#reported.seen(index, this.#deps.clock.now());
    else this.#queued.add(index);
  }

  sessionChanged({ index }: IndexedDevice): void {
    this.#queued.add(index);
  }

  deviceChanged(deviceId: string): void {
    this.#queued.add(this.#deps.deviceIndex.indexOf(deviceId));
  }

  replayed(index: number): void {
    this.#queued.add(index);
  }

  recorded(): Promise<void> {
    return this.#ticks.run();
  }

  settled(): Promise<void> {
    return this.#checking.catch(() => undefined);
  }

  async start(): Promise<void> {
    this.#isStarted = true;
    await this.#load(this.#deps.ownership.partitions);
    this.#ticks.start();
  }

  stop(): Promise<void> {
    return this.#ticks.stop();
  }

  #isOwn(index: number): boolean {
    const { ownership, deviceIndex } = this.#deps;
    return ownership.owns(deviceIndex.idAt(index));
  }

  #ownershipChanged({ gained, lost }: OwnershipChange): void {
    const { size } = this.#deps.deviceIndex;
    for (let index = 0; lost.size > 0 && index < size; index += 1)
      if (!this.#isOwn(index)) this.#reported.delete(index);
    if (gained.size > 0) void this.#gain([...gained]);
  }

  async #gain(partitions: readonly number[]): Promise<void> {
    try {
      await this.#load(partitions);
    } catch (error) {
      const { log } = this.#deps;
      log.debug({ err: error }, 'could not read which Devices are online; will retry');
      setTimeout(() => void this.#gain(partitions), TICK_MS).unref();
    }
  }

  /**
   * Devices that were last reported as online, by whichever node acted for them, may reconnect. Others
   * are online where the default window is longer than it was.
   */
  async #load(partitions: readonly number[] | null): Promise<void> {
    const { storage, clock, onlineMs } = this.#deps;
    const seen = listSeenSince({ now: clock.now(), onlineMs });
    for await (const row of listed(storage, partitions, seen)) {
      this.#queued.add(this.#indexOf(row));
    }
    for await (const row of listed(storage, partitions, listDisconnected)) this.#read(row);
    for await (const row of listed(storage, partitions, listOnline)) {
      this.#read(row);
      if (row.disconnectedAt !== null) this.#queued.add(this.#indexOf(row));
      const reconnectBy = clock.now() + RECONNECT_MS;
      this.#report(row, Math.max(row.lastSeenAt ?? 0, reconnectBy - windowOf(row, onlineMs)));
    }
  }

  #indexOf({ deviceId }: OnlineRow): number {
    return this.#deps.deviceIndex.indexOf(deviceId);
  }

  #read(row: OnlineRow): void {
    this.#deps.presence.connectionRead(this.#indexOf(row), row);
  }

  #report(row: OnlineRow, since: number): void {
    this.#reported.set(this.#indexOf(row), since, windowOf(row, this.#deps.onlineMs));
  }

  async #tick(): Promise<void> {
    const { clock, deviceIndex, log } = this.#deps;
    const now = clock.now();
    for (let index = 0; index < deviceIndex.size; index += 1)
      if (this.#reported.isExpired(index, now)) this.#queued.add(index);
    for (let left = this.#queued.size; left > 0; left -= DEVICE_BATCH_SIZE) {
      const batch = this.#queued.take(DEVICE_BATCH_SIZE).filter((index) => this.#isOwn(index));
      try {
        this.#checking = this.#check(batch);
        await this.#checking;
      } catch (error) {
        for (const index of batch) this.#queued.add(index);
        log.debug({ err: error }, 'could not write presence changes of Devices; will retry');
        return;
      }
    }
  }

  async #check(batch: readonly number[]): Promise<void> {
    const { clock, storage, deviceIndex, presence } = this.#deps;
    const startedAt = clock.now();
    const rows = await listDevices(storage, batch.map(deviceIndex.idAt));
    const now = clock.now();
    for (const row of rows) this.#read(row);
    // Read once: a Device that is reported as online must be checked at the end of that window.
    const online = onlineAmong(presence, rows);
    const flipped = rows.filter((row) => online.has(row) !== row.isOnline);
    if (flipped.length > 0) await store(this.#deps, flipped, now);
    for (const index of batch) {
      if (this.#reported.wasSeenSince(index, startedAt)) this.#queued.add(index);
      this.#reported.delete(index);
    }
    for (const [row, since] of online) this.#report(row, since);
  }
}

/** Devices of these partitions, read in batches. */
async function* listed(
  storage: Queries,
  partitions: readonly number[] | null,
  list: (db: Queries, page: OnlinePage) => Promise<OnlineRow[]>,
): AsyncGenerator<OnlineRow, void> {
  for (let after = MIN_UUID; ; ) {
    const rows = await list(storage, { after, partitions, max: DEVICE_BATCH_SIZE });
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
  await commit(readings, { alongside: () => flipStatements(flipped, now) });
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
