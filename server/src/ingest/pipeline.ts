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
import { createInFlightCounter, type InFlightCounter } from './in-flight.ts';
import { Matching } from './match.ts';
import type { Rejections } from './rejections/index.ts';
import { retryWhileUnavailable } from './retry.ts';

/** A message of a Device, as it came in. */
export interface DeviceMessage {
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
  /** Those of them that are logged as history. */
  readonly stored: number;
  readonly rejected: readonly RejectedSample[];
}

/** Told once what became of a message; not with a promise, since there are very many messages. */
export interface Completion {
  /** The readings are durable. */
  stored(receipt: Receipt): void;
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
  submit(message: DeviceMessage, completion: Completion): Promise<void> | undefined;
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
  const inFlight = createInFlightCounter();
  const pass = createPass(deps, group, inFlight);

  /** Looks the Device up after the wait: it may have changed meanwhile. */
  async function passLater(
    room: Promise<void> | undefined,
    message: DeviceMessage,
    completion: Completion,
  ): Promise<void> {
    try {
      await room;
      const { retryTimeoutMs: timeoutMs } = deps.limits ?? BATCH_LIMITS;
      const timeout = { clock: deps.clock, since: deps.clock.elapsed(), timeoutMs };
      const handle = message.device;
      const device = handle.peek() ?? (await retryWhileUnavailable(() => handle.get(), timeout));
      pass(device, message, completion);
    } catch (error) {
      inFlight.end();
      completion.failed(error);
    } finally {
      group.leave();
    }
  }

  return {
    submit(message, completion) {
      if (!inFlight.begin()) {
        completion.failed(stopping());
        return undefined;
      }
      const room = group.enter();
      const device = room ? undefined : message.device.peek();
      if (device === undefined) return passLater(room, message, completion);
      pass(device, message, completion);
      group.leave();
      return undefined;
    },
    stop: inFlight.close,
  };
}

/** The steps of a message whose Device is at hand. */
function createPass(
  { rejections, arrivals, onSeen }: PipelineDeps,
  group: GroupCommit,
  inFlight: InFlightCounter,
) {
  function fail(completion: Completion, error: unknown): void {
    inFlight.end();
    completion.failed(error);
  }

  function settle({ device, message, matched, rejected }: Sorted, completion: Completion): void {
    const { readings, unmatched, logged } = matched;
    const { receivedAt } = message;
    const accepted = readings.length;
    rejections.record(device, { accepted, rejected, unmatched, at: receivedAt });
    if (accepted > 0) onSeen(device, receivedAt);
    inFlight.end();
    completion.stored({ accepted, stored: logged, rejected });
  }

  function decodeAndMatch(device: CachedDevice, message: DeviceMessage): Sorted | Failure {
    if (!device.takesReadings) {
      const rejected = inactive(message);
      if (rejected) rejections.record(device, { ...NOTHING, rejected, at: message.receivedAt });
      return new Failure('CONFLICT', 'The Device takes no readings: it is inactive or archived.');
    }
    const matched = new Matching(device, message.receivedAt, arrivals);
    const walked = walk(message, matched);
    if ('problem' in walked) return unusable(walked.problem);
    const isClean = matched.rejected.length === 0;
    const rejected = isClean ? walked.rejected : [...walked.rejected, ...matched.rejected];
    return { device, message, matched, rejected };
  }

  return (device: CachedDevice | null, message: DeviceMessage, completion: Completion): void => {
    const sorted = device === null ? notFound('Device') : decodeAndMatch(device, message);
    if (sorted instanceof Failure) {
      fail(completion, sorted);
    } else if (sorted.matched.readings.length === 0) {
      settle(sorted, completion);
    } else {
      group.commit(sorted.matched.readings, (error) => {
        if (error === undefined) settle(sorted, completion);
        else fail(completion, error);
      });
    }
  };
}

/** A message with what its Device makes of it. */
interface Sorted {
  readonly device: CachedDevice;
  readonly message: DeviceMessage;
  readonly matched: Matching;
  readonly rejected: readonly RejectedSample[];
}

const NOTHING = { accepted: 0, unmatched: [] };

function inactive({ payload, suffix, receivedAt }: DeviceMessage) {
  const decoded =
    payload instanceof Uint8Array
      ? decodePayload(payload, suffix, receivedAt)
      : decodeDocument(payload, suffix, receivedAt);
  if ('problem' in decoded) return null;
  const keys = [...decoded.samples.map(({ path }) => path), ...decoded.rejected.map(keyOf)];
  return keys.map((key) => ({ key, reason: 'inactive' }) as const);
}

function walk({ payload, suffix, receivedAt }: DeviceMessage, sink: Matching): Walked {
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
export function submitAndWait(
  submit: Pipeline['submit'],
  message: DeviceMessage,
): Promise<Receipt> {
  return new Promise((resolve, reject) => {
    void submit(message, { stored: resolve, failed: reject });
  });
}
