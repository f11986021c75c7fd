import type { Operations } from '@fieldwatch/contract';
import type { Handler } from '../../http/index.ts';
import { isoDateTime, type Log, notFound } from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import { addTallies, addUnmatched, findIngest, hasDevice, listUnmatched } from './store.ts';
import {
  addOlder,
  addOutcome,
  type ExitReason,
  emptyTally,
  type Outcome,
  type Tally,
} from './tally.ts';

export interface ExitsDeps {
  readonly storage: Storage;
  readonly log: Log;
}

/** What became of readings, Device by Device: counted at once, written down a little later. */
export interface Exits {
  note(device: { organizationId: string; deviceId: string }, outcome: Outcome): void;
  /** Readings since the start, by what became of them. */
  totals(): Readonly<Record<'accepted' | ExitReason, number>>;
  /**
   * Resolves once what was noted so far, or as many Devices of it as are said, is written, or could
   * not be and is kept for later.
   */
  flush(most?: number): Promise<void>;
  readonly retrieve: Handler<Operations['retrieveDeviceIngest']>;
  readonly listUnmatched: Handler<Operations['listUnmatchedPaths']>;
}

/** Unmatched paths of all Devices together; more are not remembered until these are written. */
const MAX_PENDING_PATHS = 10_000;
const MAX_PENDING_DEVICES = 250_000;
const ROWS_AT_ONCE = 1_000;

export function createExits({ storage, log }: ExitsDeps): Exits {
  const totals = { accepted: 0, unknownPath: 0, wrongType: 0, badTime: 0, inactive: 0 };
  const pending = new Map<string, Tally>();
  let pendingPaths = 0;
  let flushing: Promise<void> | undefined;

  function tallyOf(device: { organizationId: string; deviceId: string }): Tally {
    const known = pending.get(device.deviceId);
    if (known) return known;
    const tally = emptyTally(device);
    pending.set(device.deviceId, tally);
    return tally;
  }

  async function writePending(most: number): Promise<void> {
    const tallies = takenFrom(pending, most).sort(byDevice);
    for (const { unmatched } of tallies) pendingPaths -= unmatched.size;
    if (tallies.length === 0) return;
    try {
      await storage.transaction(async (tx) => {
        for (const some of slicesOf(tallies)) await addTallies(tx, some);
        for (const some of slicesOf(tallies.flatMap(pathsOf))) await addUnmatched(tx, some);
      });
    } catch (error) {
      log.debug({ err: error }, 'what became of readings could not be written yet');
      for (const older of tallies) putBack(older);
    }
  }

  function putBack(older: Tally): void {
    if (pending.size >= MAX_PENDING_DEVICES && !pending.has(older.deviceId)) return;
    const tally = tallyOf(older);
    const before = tally.unmatched.size;
    addOlder(tally, older);
    pendingPaths += tally.unmatched.size - before;
  }

  async function flush(most = Number.POSITIVE_INFINITY): Promise<void> {
    // One that is under way may have begun before the last note.
    while (flushing) await flushing;
    flushing = writePending(most).finally(() => {
      flushing = undefined;
    });
    await flushing;
  }

  return {
    note(device, outcome) {
      totals.accepted += outcome.accepted;
      for (const { reason } of outcome.rejected) totals[reason] += 1;
      if (pending.size >= MAX_PENDING_DEVICES && !pending.has(device.deviceId)) return;
      const tally = tallyOf(device);
      if (outcome.rejected.length === 0) {
        tally.accepted += outcome.accepted;
        return;
      }
      const before = tally.unmatched.size;
      addOutcome(tally, outcome, pendingPaths < MAX_PENDING_PATHS);
      pendingPaths += tally.unmatched.size - before;
    },
    totals: () => totals,
    flush,
    retrieve: retrieve(storage, flush),
    listUnmatched: list(storage, flush),
  };
}

function retrieve(storage: Storage, flush: () => Promise<void>): Exits['retrieve'] {
  return async ({ params: { organizationId, deviceId } }) => {
    await flush();
    const row = await findIngest(storage, organizationId, deviceId);
    if (!row) throw notFound('Device');
    const { accepted, lastRejected, ...rejected } = row;
    const told = lastRejected.map(({ key, reason, at }) => ({
      key,
      reason,
      dateTime: isoDateTime(at),
    }));
    return { body: { accepted, rejected, lastRejected: told } };
  };
}

function list(storage: Storage, flush: () => Promise<void>): Exits['listUnmatched'] {
  return async ({ params: { organizationId, deviceId }, query }) => {
    await flush();
    if (!(await hasDevice(storage, organizationId, deviceId))) throw notFound('Device');
    const { count, rows } = await listUnmatched(storage, organizationId, deviceId, query);
    const items = rows.map(({ lastAt, ...row }) => ({ ...row, lastDateTime: isoDateTime(lastAt) }));
    return { body: { count, items } };
  };
}

/** Takes out those that wait longest. */
function takenFrom(pending: Map<string, Tally>, most: number): Tally[] {
  const tallies: Tally[] = [];
  for (const tally of pending.values()) {
    pending.delete(tally.deviceId);
    if (tallies.push(tally) >= most) break;
  }
  return tallies;
}

function byDevice(a: Tally, b: Tally): number {
  return a.deviceId < b.deviceId ? -1 : 1;
}

function pathsOf({ organizationId, deviceId, unmatched }: Tally) {
  return [...unmatched.values()].map((path) => ({ organizationId, deviceId, ...path }));
}

function* slicesOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let first = 0; first < items.length; first += ROWS_AT_ONCE) {
    yield items.slice(first, first + ROWS_AT_ONCE);
  }
}
