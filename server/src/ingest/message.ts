import { Failure } from '../runtime/index.ts';
import type { DeviceHandle } from '../variables/index.ts';
import {
  DecodedPayload,
  decodeDocument,
  decodePayload,
  type RejectedSample,
  type Sink,
  type Walked,
  walkDocument,
  walkPayload,
} from './decode/index.ts';
import type { ForwardedTime } from './forwarded-times.ts';

/** A message of a Device. */
export interface DeviceMessage {
  readonly device: DeviceHandle;
  /** The levels of the topic below that of the Device, or empty. */
  readonly suffix: string;
  /**
   * Bytes, or a document that is already parsed or decoded. The bytes are valid until `submit`
   * returns: a connection receives its next message into the same memory.
   */
  readonly payload: Uint8Array | DecodedPayload | object;
  readonly receivedAt: number;
  /** Its sender waits for the outcome, and sends nothing before. */
  readonly isAwaited?: boolean;
  /** False for a message about a Device that is lost: it does not count as seen. */
  readonly showsPresence?: boolean;
  /** Another node passed it on to this one, with this time. */
  readonly forwarded?: ForwardedTime;
}

export interface Receipt {
  /** How many readings were accepted. */
  readonly accepted: number;
  /** How many of them are stored as history. */
  readonly stored: number;
  readonly rejected: readonly RejectedSample[];
}

/**
 * Receives the outcome of one message, with one call. This is not a promise, because there are very
 * many messages.
 */
export interface Completion {
  /** The readings are durable. */
  stored(receipt: Receipt): void;
  /**
   * The message is refused (`NOT_FOUND`, `CONFLICT` for a Device that is inactive or archived,
   * `INVALID_REQUEST`), storage was unavailable for too long (`STORAGE_UNAVAILABLE`), or the server is
   * overloaded or stopping (`OVERLOADED`).
   */
  failed(error: unknown): void;
}

/**
 * Undefined when the message was accepted into a batch or completed. Otherwise it waits, for memory
 * or for its Device, and the sender is to wait with it; that promise never rejects.
 */
export type Submit = (message: DeviceMessage, completion: Completion) => Promise<void> | undefined;

/** The message with bytes of its own, for a step that happens after `submit` has returned. */
export function retained(message: DeviceMessage): DeviceMessage {
  const { payload } = message;
  return payload instanceof Uint8Array ? { ...message, payload: Buffer.from(payload) } : message;
}

/** The payload as it was received, for another node or another decoder. */
export function undecoded(payload: DeviceMessage['payload']): Uint8Array | object {
  return payload instanceof DecodedPayload ? payload.bytes : payload;
}

/** Decodes a message; each sample goes to the sink as it is decoded. */
export function decodeInto(sink: Sink, message: DeviceMessage): Walked {
  const { payload, suffix, receivedAt } = message;
  if (payload instanceof DecodedPayload) return payload.walk(sink);
  return payload instanceof Uint8Array
    ? walkPayload(payload, suffix, receivedAt, sink)
    : walkDocument(payload, suffix, receivedAt, sink);
}

/** The keys of a message, all rejected because its Device is inactive; null for an invalid message. */
export function inactiveSamples({ payload: given, suffix, receivedAt }: DeviceMessage) {
  const payload = undecoded(given);
  const decoded =
    payload instanceof Uint8Array
      ? decodePayload(payload, suffix, receivedAt)
      : decodeDocument(payload, suffix, receivedAt);
  if ('problem' in decoded) return null;
  const paths = decoded.samples.map(({ path }) => path);
  const keys = [...paths, ...decoded.rejected.map(({ key }) => key)];
  return keys.map((key) => ({ key, reason: 'inactive' }) as const);
}

export function invalidMessage(problem: string): Failure {
  return new Failure('INVALID_REQUEST', problem, {
    errors: [{ path: 'body', message: problem }],
  });
}
