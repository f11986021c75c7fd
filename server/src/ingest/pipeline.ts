import type { Reading } from '../readings/index.ts';
import { type Clock, Failure, type Log, notFound } from '../runtime/index.ts';
import type { DeviceEntries, DeviceEntry } from '../variables/index.ts';
import { type Decoded, decodeDocument, decodePayload } from './decode.ts';
import type { RejectedSample } from './decode-walk.ts';
import type { Exits } from './exits/index.ts';
import { type BatchLimits, createGroupCommit } from './group-commit.ts';
import { match } from './match.ts';
import { createUnderWay } from './under-way.ts';

/** A message of a Device, as it came in. */
export interface Arrival {
  readonly deviceId: string;
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

export interface Pipeline {
  /**
   * Resolves once the readings are durable. Rejects with a failure when the message is refused as a
   * whole (`NOT_FOUND`, `CONFLICT` for a Device that takes no readings, `INVALID_REQUEST`), or when
   * storage is away for too long (`STORAGE_AWAY`) or too much waits for it (`OVERLOADED`).
   */
  take(arrival: Arrival): Promise<Receipt>;
  /** Finishes what was taken. What comes later is refused. */
  stop(): Promise<void>;
}

export interface PipelineDeps {
  readonly entries: DeviceEntries;
  /** Resolves when the readings are durable. */
  readonly commit: (readings: readonly Reading[]) => Promise<void>;
  readonly exits: Exits;
  /** Told when a Device was heard of. */
  readonly onSeen: (deviceId: string, at: number) => void;
  /** Told of readings that are durable. */
  readonly announce: (readings: readonly Reading[]) => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: BatchLimits;
}

/** A reading's way: decode, match, commit, settle, announce. The only place that knows all steps. */
export function createPipeline(deps: PipelineDeps): Pipeline {
  const { entries, exits, onSeen, announce } = deps;
  const group = createGroupCommit({ ...deps, onCommitted: announce });
  const underWay = createUnderWay();

  async function pass(arrival: Arrival): Promise<Receipt> {
    const { deviceId, receivedAt } = arrival;
    const entry = entries.peek(deviceId) ?? (await entries.get(deviceId));
    if (entry === null) throw notFound('Device');
    const decoded = decode(arrival);
    if (!entry.takesReadings) throw refused(entry, decoded, receivedAt);
    if ('problem' in decoded) throw unusable(decoded.problem);
    const { readings, rejected, unmatched } = match(entry, decoded.samples);
    if (readings.length > 0) await group.commit(readings);
    const accepted = readings.length;
    const exited = rejected.length === 0 ? decoded.rejected : [...decoded.rejected, ...rejected];
    exits.note(entry, { accepted, rejected: exited, unmatched, at: receivedAt });
    if (readings.length > 0) onSeen(entry.deviceId, receivedAt);
    return { accepted, stored: countKept(readings), rejected: exited };
  }

  function refused(entry: DeviceEntry, decoded: Decoded, at: number): Failure {
    if ('samples' in decoded) {
      const keys = [...decoded.samples.map(({ path }) => path), ...decoded.rejected.map(keyOf)];
      const rejected = keys.map((key) => ({ key, reason: 'inactive' }) as const);
      exits.note(entry, { accepted: 0, rejected, unmatched: [], at });
    }
    return new Failure('CONFLICT', 'The Device takes no readings: it is inactive or archived.');
  }

  return {
    async take(arrival) {
      underWay.begin();
      try {
        const room = group.enter();
        // Not awaited where there is room: others would come in before this one is weighed.
        if (room) await room;
        return await pass(arrival);
      } finally {
        group.leave();
        underWay.end();
      }
    },
    stop: underWay.close,
  };
}

function decode({ payload, suffix, receivedAt }: Arrival): Decoded {
  return payload instanceof Uint8Array
    ? decodePayload(payload, suffix, receivedAt)
    : decodeDocument(payload, suffix, receivedAt);
}

function unusable(problem: string): Failure {
  return new Failure('INVALID_REQUEST', problem, {
    errors: [{ path: 'body', message: problem }],
  });
}

const keyOf = ({ key }: RejectedSample) => key;

function countKept(readings: readonly Reading[]): number {
  let kept = 0;
  for (const { variable } of readings) if (variable.isLoggingEnabled) kept += 1;
  return kept;
}
