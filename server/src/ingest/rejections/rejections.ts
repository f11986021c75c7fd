import type { Operations } from '@fieldwatch/contract';
import type { Handler } from '../../http/index.ts';
import type { Placed, Places } from '../../presence/index.ts';
import { isoDateTime, type Log, notFound } from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import { BadTimeLog } from './bad-time-log.ts';
import type { Exit, ExitReason, Outcome } from './counts.ts';
import { createPending } from './pending.ts';
import { addExits, addUnmatched, findIngest, hasDevice, listUnmatched } from './store.ts';

export interface ExitsDeps {
  readonly places: Places;
  readonly storage: Storage;
  readonly log: Log;
}

/** What became of readings, Device by Device: counted at once, written down a little later. */
export interface Exits {
  note(device: Placed, outcome: Outcome): void;
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

const ROWS_AT_ONCE = 1_000;

export function createExits({ places, storage, log }: ExitsDeps): Exits {
  const totals = { accepted: 0, unknownPath: 0, wrongType: 0, badTime: 0, inactive: 0 };
  const pending = createPending(places);
  const badTimes = new BadTimeLog(log);
  let flushing: Promise<void> | undefined;

  async function writePending(most: number): Promise<void> {
    const due = pending.take(most).sort(byDevice);
    if (due.length === 0) return;
    try {
      await storage.background.transaction(async (tx) => {
        for (const some of slicesOf(due)) await addExits(tx, some);
        for (const some of slicesOf(due.flatMap(pathsOf))) await addUnmatched(tx, some);
      });
    } catch (error) {
      log.debug({ err: error }, 'what became of readings could not be written yet');
      for (const exit of due) pending.putBack(exit);
    }
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
    note({ place }, outcome) {
      totals.accepted += outcome.accepted;
      for (const { reason } of outcome.rejected) totals[reason] += 1;
      pending.add(place, outcome);
      if (outcome.rejected.length > 0) badTimes.note(places.idAt(place), outcome);
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

function byDevice(a: Exit, b: Exit): number {
  return a.deviceId < b.deviceId ? -1 : 1;
}

function pathsOf({ deviceId, unmatched }: Exit) {
  return [...unmatched.values()].map((path) => ({ deviceId, ...path }));
}

function* slicesOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let first = 0; first < items.length; first += ROWS_AT_ONCE) {
    yield items.slice(first, first + ROWS_AT_ONCE);
  }
}
