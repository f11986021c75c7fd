import type { IndexedDevice } from '../presence/index.ts';
import type { Reading } from '../readings/index.ts';
import { type Clock, Failure, type Log, notFound, shuttingDown } from '../runtime/index.ts';
import type { CachedDevice } from '../variables/index.ts';
import type { ArrivalTimes } from './arrival-times.ts';
import { type CommitReadings, commitBatch, type Judge, type JudgeInParts } from './commit-batch.ts';
import type { RejectedSample } from './decode/index.ts';
import { DeferredCommits } from './deferred-commits.ts';
import { ForwardedTimes } from './forwarded-times.ts';
import {
  BATCH_LIMITS,
  type BatchLimits,
  createGroupCommit,
  type GroupCommit,
} from './group-commit.ts';
import { createInFlightCounter, type InFlightCounter } from './in-flight.ts';
import { LaterTime } from './later-time.ts';
import { Matching } from './match.ts';
import {
  type Completion,
  type DeviceMessage,
  decodeInto,
  inactiveSamples,
  invalidMessage,
  type Receipt,
  retained,
  type Submit,
} from './message.ts';
import { NotOwner } from './not-owner.ts';
import { probe } from './probe.ts';
import type { Rejections } from './rejections/index.ts';
import { retryWhileUnavailable } from './retry.ts';

/*
 * The steps of a message, in the order in which they happen:
 *
 *   of a message  1. admit        waits for memory, and for the Device from the device cache
 *                    forward      a Device of another node: its message goes there  forwarding/
 *                 2. decode       payload → samples                              decode/
 *                 3. match        samples → readings of Variables, or rejections match.ts
 *   of a batch    4. judge        readings → changes of alarms                   alarms/
 *                 5. commit       both in one transaction                        commit-batch.ts
 *   of a message  6. acknowledge  counts and presence, then the receipt
 *   of a batch    7. announce     stored readings → live streams                 live/
 *
 * Group commit (group-commit.ts) makes batches of the messages that arrive together.
 *
 * Invariant: a message is acknowledged only when all its readings are durable, and nothing that
 * follows the commit can revoke it. The order of the write path:
 *
 * - Messages enter batches in the order of their submission, and batches are judged in that order,
 *   one at a time. Two batches may be committed at the same time.
 * - A batch whose Devices have uncommitted changes of alarms is judged after that commit, so that
 *   alarms of one Device never change in two commits at once.
 * - Where a batch changes many alarms, it is committed in parts (deferred-commits.ts): the Devices
 *   whose alarms do not change come first, and later batches of other Devices overtake the rest.
 * - A batch that is retried or halved may be committed after a later one. That is harmless: a
 *   reading is stored by its own time, and one that is older than the last judged reading of its
 *   Variable is judged as late. A batch that is retried keeps its arrival time.
 * - A batch whose outcome is unknown, because the connection to storage broke, is committed again:
 *   the same reading twice is one, and is judged once.
 */

export interface Pipeline {
  readonly submit: Submit;
  /** Sends a synthetic message of no Device on the same way. Resolves once its reading is durable. */
  probe(): Promise<Reading>;
  /** Since when the oldest reading waits, by the monotonic clock; infinite when none does. */
  oldestSince(): number;
  /** Resolves when the messages that were accepted into batches before are completed. */
  settled(): Promise<void>;
  /** Completes the messages in flight. Later ones are refused. */
  stop(): Promise<void>;
}

export interface PipelineDeps {
  readonly judge: Judge;
  readonly judgeInParts: JudgeInParts;
  readonly commit: CommitReadings;
  readonly announce: (readings: readonly Reading[]) => void;
  readonly arrivals: ArrivalTimes;
  readonly rejections: Rejections;
  /** Whether this node acts for the Device, and no earlier message of it waits elsewhere. */
  readonly owns: (deviceId: string, isForwarded: boolean) => boolean;
  /** Passes a message to the node that acts for its Device. Never rejects. */
  readonly forward: Submit;
  /** Has the Device loaded again by its next message; false when that was done just before. */
  readonly reload: (deviceId: string) => boolean;
  /** Called for the Device of each message with accepted readings, once they are stored. */
  readonly onSeen: (device: IndexedDevice, at: number) => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: BatchLimits;
}

export function createPipeline(deps: PipelineDeps): Pipeline {
  const { clock, limits = BATCH_LIMITS } = deps;
  const { retryTimeoutMs: timeoutMs } = limits;
  const steps = { ...deps, timeoutMs };
  const deferredCommits = new DeferredCommits(steps);
  const group = createGroupCommit({
    clock,
    limits,
    process: (batch, arrived) =>
      commitBatch(steps, batch, arrived, (part) => deferredCommits.add(part, arrived)),
  });
  const inFlight = createInFlightCounter();
  const processMessage = createMessageSteps(deps, group, inFlight);

  /** The Device is looked up after the wait for memory, because it may have changed meanwhile. */
  async function processLater(
    admitted: Promise<void> | undefined,
    submitted: DeviceMessage,
    completion: Completion,
  ): Promise<void> {
    const message = retained(submitted);
    try {
      await admitted;
      const handle = message.device;
      const timeout = { clock, since: clock.elapsed(), timeoutMs };
      const device = handle.peek() ?? (await retryWhileUnavailable(() => handle.get(), timeout));
      await processMessage(device, message, completion);
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
        // Another node acts for the Device by now, or will soon.
        completion.failed(message.forwarded ? new NotOwner() : shuttingDown());
        return undefined;
      }
      const admitted = group.enter();
      const device = admitted === undefined ? message.device.peek() : undefined;
      if (device === undefined) return processLater(admitted, message, completion);
      const forwarded = processMessage(device, message, completion);
      group.leave();
      return forwarded;
    },
    async probe() {
      if (!inFlight.begin()) throw shuttingDown();
      return await probe({ ...deps, group }).finally(inFlight.end);
    },
    oldestSince: group.oldestSince,
    settled: group.settled,
    stop: inFlight.close,
  };
}

/** A message whose samples are matched with the Variables of its Device. */
interface MatchedMessage {
  readonly device: CachedDevice;
  readonly receivedAt: number;
  readonly matched: Matching;
  readonly rejected: readonly RejectedSample[];
  readonly showsPresence: boolean;
  readonly isAwaited: boolean;
  /** The times of a forwarded message, which are not reserved yet. */
  readonly forwarded: ForwardedTimes | null;
}

function decodeAndMatch(
  { rejections, arrivals }: Pick<PipelineDeps, 'rejections' | 'arrivals'>,
  device: CachedDevice,
  message: DeviceMessage,
): MatchedMessage | Failure {
  const { receivedAt } = message;
  if (!device.takesReadings) {
    const rejected = inactiveSamples(message);
    if (rejected) {
      rejections.record(device, { accepted: 0, unmatched: [], rejected, at: receivedAt });
    }
    return new Failure('CONFLICT', 'The Device takes no readings: it is inactive or archived.');
  }
  const forwarded = message.forwarded ? new ForwardedTimes(arrivals, message.forwarded) : null;
  const matched = new Matching(device, receivedAt, forwarded ?? arrivals);
  const decoded = decodeInto(matched, message);
  if ('problem' in decoded) return invalidMessage(decoded.problem);
  const isClean = matched.rejected.length === 0;
  const rejected = isClean ? decoded.rejected : [...decoded.rejected, ...matched.rejected];
  const { showsPresence = true, isAwaited = false } = message;
  return { device, receivedAt, matched, rejected, showsPresence, isAwaited, forwarded };
}

/** The steps of a message whose Device is loaded: decode, match, and acknowledge after the commit. */
function createMessageSteps(deps: PipelineDeps, group: GroupCommit, inFlight: InFlightCounter) {
  const { rejections, onSeen, owns, forward, reload } = deps;

  function acknowledge(message: MatchedMessage, completion: Completion): void {
    const { device, receivedAt, matched, rejected, showsPresence } = message;
    const { unmatched } = matched;
    const accepted = matched.readings.length;
    rejections.record(device, { accepted, rejected, unmatched, at: receivedAt });
    // A reading that no Variable takes yet shows that the Device is there, as on its first day.
    if (showsPresence && (accepted > 0 || unmatched.length > 0)) onSeen(device, receivedAt);
    inFlight.end();
    completion.stored({ accepted, stored: matched.logged, rejected });
  }

  function fail(completion: Completion, error: unknown): void {
    inFlight.end();
    completion.failed(error);
  }

  /** A Variable that was just created at the node that forwarded a message may be missing here. */
  async function processReloaded(submitted: DeviceMessage, completion: Completion): Promise<void> {
    const message = retained(submitted);
    try {
      await processMessage(await message.device.get(), message, completion);
    } catch (error) {
      fail(completion, error);
    }
  }

  function processMessage(
    device: CachedDevice | null,
    message: DeviceMessage,
    completion: Completion,
  ): Promise<void> | undefined {
    const isForwarded = message.forwarded !== undefined;
    if (device !== null && !owns(device.deviceId, isForwarded)) {
      if (isForwarded) return void fail(completion, new NotOwner());
      inFlight.end();
      return forward(message, completion);
    }
    const result = device === null ? notFound('Device') : decodeAndMatch(deps, device, message);
    if (result instanceof Failure) {
      fail(completion, result);
    } else if (
      isForwarded &&
      result.matched.unmatched.length > 0 &&
      reload(result.device.deviceId)
    ) {
      return processReloaded(message, completion);
    } else store(result, completion);
    return undefined;
  }

  function store(message: MatchedMessage, completion: Completion): void {
    const { matched, isAwaited, forwarded } = message;
    const laterAt = forwarded?.reserve() ?? null;
    if (laterAt !== null) {
      fail(completion, new LaterTime(laterAt));
    } else if (matched.readings.length === 0) {
      acknowledge(message, completion);
    } else {
      const done = (error?: unknown) => {
        if (error === undefined) acknowledge(message, completion);
        else fail(completion, error);
      };
      group.add(matched.readings, done, isAwaited);
    }
  }

  return processMessage;
}

/** Submits one message and resolves with its outcome. */
export function submitAndWait(submit: Submit, message: DeviceMessage): Promise<Receipt> {
  return new Promise((resolve, reject) => {
    void submit(message, { stored: resolve, failed: reject });
  });
}
