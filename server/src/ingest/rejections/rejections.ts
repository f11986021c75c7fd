import type { Operations } from '@fieldwatch/contract';
import type { Handler } from '../../http/index.ts';
import type { DeviceIndex, IndexedDevice } from '../../presence/index.ts';
import { isoDateTime, type Log, notFound } from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import { BadTimeLog } from './bad-time-log.ts';
import type { DeviceCounts, MessageOutcome, RejectionReason } from './counts.ts';
import { createPending } from './pending.ts';
import { addCounts, addUnmatched, findIngest, hasDevice, listUnmatched } from './store.ts';

export interface RejectionsDeps {
  readonly deviceIndex: DeviceIndex;
  readonly storage: Storage;
  readonly log: Log;
}

/** Counts accepted and rejected readings by Device; the counts are written behind. */
export interface Rejections {
  record(device: Pick<IndexedDevice, 'index'>, outcome: MessageOutcome): void;
  /** Readings since the start, by outcome. */
  totals(): Readonly<Record<'accepted' | RejectionReason, number>>;
  /**
   * Resolves once the counts of all Devices, or of at most `maxDevices`, are written, or could not
   * be written and are queued again.
   */
  flush(maxDevices?: number): Promise<void>;
  readonly retrieve: Handler<Operations['retrieveDeviceIngest']>;
  readonly listUnmatched: Handler<Operations['listUnmatchedPaths']>;
}

const COUNTS_BATCH_SIZE = 1_000;

export function createRejections({ deviceIndex, storage, log }: RejectionsDeps): Rejections {
  const totals = { accepted: 0, unknownPath: 0, wrongType: 0, badTime: 0, inactive: 0, codec: 0 };
  const pending = createPending(deviceIndex);
  const badTimes = new BadTimeLog(log);
  let flushing: Promise<void> | undefined;

  async function writePending(maxDevices: number): Promise<void> {
    const due = pending.take(maxDevices).sort(byDevice);
    if (due.length === 0) return;
    try {
      await storage.background.transaction(async (tx) => {
        for (const batch of batchesOf(due)) await addCounts(tx, batch);
        for (const batch of batchesOf(due.flatMap(pathsOf))) await addUnmatched(tx, batch);
      });
    } catch (error) {
      log.debug({ err: error }, 'could not write counts of readings; will retry');
      for (const counts of due) pending.putBack(counts);
    }
  }

  async function flush(maxDevices = Number.POSITIVE_INFINITY): Promise<void> {
    // A flush in progress may have started before the last message was recorded.
    while (flushing !== undefined) await flushing;
    flushing = writePending(maxDevices).finally(() => {
      flushing = undefined;
    });
    await flushing;
  }

  return {
    record({ index }, outcome) {
      totals.accepted += outcome.accepted;
      for (const { reason } of outcome.rejected) totals[reason] += 1;
      pending.add(index, outcome);
      if (outcome.rejected.length > 0) badTimes.note(deviceIndex.idAt(index), outcome);
    },
    totals: () => totals,
    flush,
    retrieve: retrieve(storage, flush),
    listUnmatched: list(storage, flush),
  };
}

function retrieve(storage: Storage, flush: () => Promise<void>): Rejections['retrieve'] {
  return async ({ params: { organizationId, deviceId } }) => {
    await flush();
    const row = await findIngest(storage, organizationId, deviceId);
    if (!row) throw notFound('Device');
    const { accepted, lastRejected, ...rejected } = row;
    const items = lastRejected.map(({ key, reason, at }) => ({
      key,
      reason,
      dateTime: isoDateTime(at),
    }));
    return { body: { accepted, rejected, lastRejected: items } };
  };
}

function list(storage: Storage, flush: () => Promise<void>): Rejections['listUnmatched'] {
  return async ({ params: { organizationId, deviceId }, query }) => {
    await flush();
    if (!(await hasDevice(storage, organizationId, deviceId))) throw notFound('Device');
    const { count, rows } = await listUnmatched(storage, organizationId, deviceId, query);
    const items = rows.map(({ lastAt, ...row }) => ({ ...row, lastDateTime: isoDateTime(lastAt) }));
    return { body: { count, items } };
  };
}

function byDevice(a: DeviceCounts, b: DeviceCounts): number {
  return a.deviceId < b.deviceId ? -1 : 1;
}

function pathsOf({ deviceId, unmatched }: DeviceCounts) {
  return [...unmatched.values()].map((path) => ({ deviceId, ...path }));
}

function* batchesOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let first = 0; first < items.length; first += COUNTS_BATCH_SIZE) {
    yield items.slice(first, first + COUNTS_BATCH_SIZE);
  }
}
