import type { IndexedDevice } from '../presence/index.ts';
import type { Reading } from '../readings/index.ts';
import { type Clock, Failure, type Log, notFound } from '../runtime/index.ts';
import type { CachedDevice, DeviceHandle } from '../variables/index.ts';
import type { ArrivalTimes } from './arrival-times.ts';
import type { RejectedSample } from './decode/index.ts';
import {
  decodeDocument,
  decodePayload,
  type Walked,
  walkDocument,
  walkPayload,
} from './decode/index.ts';
import {
  BATCH_LIMITS,
  type BatchLimits,
  type CommitBatch,
  createGroupCommit,
  type GroupCommit,
} from './group-commit.ts';
import { createUnderWay, type UnderWay } from './in-flight.ts';
import { Matching } from './match.ts';
import type { Rejections } from './rejections/index.ts';
import { patiently } from './retry.ts';

/** A message of a Device, as it came in. */
export interface Arrival {
  readonly device: DeviceHandle;
  /** The topic below that of the Device, or empty. */
  readonly suffix: string;
  /** Bytes, or a document that is parsed already. */
  readonly payload: Uint8Array | object;
  readonly receivedAt: number;
}

export interface Receipt {
  /** Readings that were taken. */
  readonly accepted: number;
  /** Those of them that are kept as history. */
  readonly stored: number;
  readonly rejected: readonly RejectedSample[];
}

/** Told once what became of a message; not with a promise, since there are very many messages. */
export interface Taker {
  /** The readings are durable. */
  taken(receipt: Receipt): void;
  /**
   * With a failure when the message is refused as a whole (`NOT_FOUND`, `CONFLICT` for a Device that
   * takes no readings, `INVALID_REQUEST`), or when storage is away for too long (`STORAGE_UNAVAILABLE`) or
   * too much waits for it (`OVERLOADED`).
   */
  failed(error: unknown): void;
}

export interface Pipeline {
  /**
   * Undefined when the message is on its way. Otherwise it has to wait, for room or for its Device,
   * and who brings more waits with it; that promise never rejects.
   */
  take(arrival: Arrival, taker: Taker): Promise<void> | undefined;
  /** Finishes what was taken. What comes later is refused. */
  stop(): Promise<void>;
}

export interface PipelineDeps {
  /** Resolves when the readings are durable. */
  readonly commit: CommitBatch;
  readonly arrivals: ArrivalTimes;
  readonly rejections: Rejections;
  /** Told when a Device was heard of. */
  readonly onSeen: (device: IndexedDevice, at: number) => void;
  /** Told of readings that are durable. */
  readonly announce: (readings: readonly Reading[]) => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: BatchLimits;
}

/** A reading's way: decode, match, commit, settle, announce. The only place that knows all steps. */
export function createPipeline(deps: PipelineDeps): Pipeline {
  const group = createGroupCommit({ ...deps, onCommitted: deps.announce });
  const underWay = createUnderWay();
  const pass = createPass(deps, group, underWay);

  /** Looks the Device up after the wait: it may have changed meanwhile. */
  async function passLater(
    room: Promise<void> | undefined,
    arrival: Arrival,
    taker: Taker,
  ): Promise<void> {
    try {
      await room;
      const { device } = arrival;
      const { patienceMs: limitMs } = deps.limits ?? BATCH_LIMITS;
      const patience = { clock: deps.clock, since: deps.clock.now(), limitMs };
      const entry = device.peek() ?? (await patiently(() => device.get(), patience));
      pass(entry, arrival, taker);
    } catch (error) {
      underWay.end();
      taker.failed(error);
    } finally {
      group.leave();
    }
  }

  return {
    take(arrival, taker) {
      if (!underWay.begin()) {
        taker.failed(stopping());
        return undefined;
      }
      const room = group.enter();
      const entry = room ? undefined : arrival.device.peek();
      if (entry === undefined) return passLater(room, arrival, taker);
      pass(entry, arrival, taker);
      group.leave();
      return undefined;
    },
    stop: underWay.close,
  };
}

/** The steps of a message whose Device is at hand. */
function createPass(
  { rejections, arrivals, onSeen }: PipelineDeps,
  group: GroupCommit,
  underWay: UnderWay,
) {
  function fail(taker: Taker, error: unknown): void {
    underWay.end();
    taker.failed(error);
  }

  function settle({ entry, arrival, matched, rejected }: Sorted, taker: Taker): void {
    const { readings, unmatched, kept } = matched;
    const { receivedAt } = arrival;
    const accepted = readings.length;
    rejections.record(entry, { accepted, rejected, unmatched, at: receivedAt });
    if (accepted > 0) onSeen(entry, receivedAt);
    underWay.end();
    taker.taken({ accepted, stored: kept, rejected });
  }

  function sort(entry: CachedDevice, arrival: Arrival): Sorted | Failure {
    if (!entry.takesReadings) {
      const rejected = inactive(arrival);
      if (rejected) rejections.record(entry, { ...NOTHING, rejected, at: arrival.receivedAt });
      return new Failure('CONFLICT', 'The Device takes no readings: it is inactive or archived.');
    }
    const matched = new Matching(entry, arrival.receivedAt, arrivals);
    const walked = walk(arrival, matched);
    if ('problem' in walked) return unusable(walked.problem);
    const isClean = matched.rejected.length === 0;
    const rejected = isClean ? walked.rejected : [...walked.rejected, ...matched.rejected];
    return { entry, arrival, matched, rejected };
  }

  return (entry: CachedDevice | null, arrival: Arrival, taker: Taker): void => {
    const sorted = entry === null ? notFound('Device') : sort(entry, arrival);
    if (sorted instanceof Failure) {
      fail(taker, sorted);
    } else if (sorted.matched.readings.length === 0) {
      settle(sorted, taker);
    } else {
      group.commit(sorted.matched.readings, (error) => {
        if (error === undefined) settle(sorted, taker);
        else fail(taker, error);
      });
    }
  };
}

/** A message with what its Device makes of it. */
interface Sorted {
  readonly entry: CachedDevice;
  readonly arrival: Arrival;
  readonly matched: Matching;
  readonly rejected: readonly RejectedSample[];
}

const NOTHING = { accepted: 0, unmatched: [] };

function inactive({ payload, suffix, receivedAt }: Arrival) {
  const decoded =
    payload instanceof Uint8Array
      ? decodePayload(payload, suffix, receivedAt)
      : decodeDocument(payload, suffix, receivedAt);
  if ('problem' in decoded) return null;
  const keys = [...decoded.samples.map(({ path }) => path), ...decoded.rejected.map(keyOf)];
  return keys.map((key) => ({ key, reason: 'inactive' }) as const);
}

function walk({ payload, suffix, receivedAt }: Arrival, sink: Matching): Walked {
  return payload instanceof Uint8Array
    ? walkPayload(payload, suffix, receivedAt, sink)
    : walkDocument(payload, suffix, receivedAt, sink);
}

function unusable(problem: string): Failure {
  return new Failure('INVALID_REQUEST', problem, {
    errors: [{ path: 'body', message: problem }],
  });
}

function stopping(): Failure {
  return new Failure('OVERLOADED', 'The service is stopping.', { retryAfterSeconds: 1 });
}

const keyOf = ({ key }: RejectedSample) => key;

/** For who would rather wait: what became of one message. */
export function taken(take: Pipeline['take'], arrival: Arrival): Promise<Receipt> {
  return new Promise((resolve, reject) => {
    void take(arrival, { taken: resolve, failed: reject });
  });
}
