import { deserialize, serialize } from 'node:v8';
import { decodeFailure, encodeFailure, failedElsewhere } from '../../nodes/index.ts';
import { Failure, uuidOf } from '../../runtime/index.ts';
import type { RejectedSample } from '../decode/index.ts';
import type { ForwardedTime } from '../forwarded-times.ts';
import { MOVED, type Outcome, UNKNOWN } from './outcome.ts';

/** A message as one node passes it to another. */
export interface ForwardedMessage {
  readonly deviceId: string;
  readonly suffix: string;
  readonly payload: Uint8Array | object;
  readonly receivedAt: number;
  readonly time: ForwardedTime;
  readonly showsPresence: boolean;
}

/*
 * Each message: the id of the Device (16 bytes), receivedAt and the time of readings without a
 * timestamp (two doubles), flags (one byte), the length of the suffix (16 bits) and of the payload
 * (32 bits), the suffix, the payload.
 */
const HEADER_BYTES = 16 + 8 + 8 + 1 + 2 + 4;
/** A document that was parsed already: as V8 serializes it, since JSON has not all numbers. */
const DOCUMENT = 1;
const FIXED = 2;
/** An older version takes the Device of such a message for seen. */
const ABOUT_LOST = 4;

export function encodeMessages(messages: readonly ForwardedMessage[]): Buffer {
  const parts = messages.map(({ suffix, payload }) => ({
    suffix: Buffer.from(suffix),
    payload: payload instanceof Uint8Array ? payload : serialize(payload),
  }));
  let size = 0;
  for (const { suffix, payload } of parts) size += HEADER_BYTES + suffix.length + payload.length;
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (const [index, message] of messages.entries()) {
    const { deviceId, payload: given, receivedAt, time, showsPresence } = message;
    const { suffix, payload } = parts[index] as (typeof parts)[number];
    const form = given instanceof Uint8Array ? 0 : DOCUMENT;
    bytes.write(deviceId.replaceAll('-', ''), at, 'hex');
    bytes.writeDoubleLE(receivedAt, at + 16);
    bytes.writeDoubleLE(time.at, at + 24);
    const presence = showsPresence ? 0 : ABOUT_LOST;
    bytes.writeUInt8(form | presence | (time.isFixed ? FIXED : 0), at + 32);
    bytes.writeUInt16LE(suffix.length, at + 33);
    bytes.writeUInt32LE(payload.length, at + 35);
    at += HEADER_BYTES;
    bytes.set(suffix, at);
    bytes.set(payload, at + suffix.length);
    at += suffix.length + payload.length;
  }
  return bytes;
}

export function decodeMessages(bytes: Buffer): ForwardedMessage[] {
  const messages: ForwardedMessage[] = [];
  for (let at = 0; at < bytes.length; ) {
    const start = at + HEADER_BYTES;
    const payloadStart = start + bytes.readUInt16LE(at + 33);
    const end = payloadStart + bytes.readUInt32LE(at + 35);
    if (end > bytes.length) throw new RangeError('The forwarded messages are cut off.');
    const payload = bytes.subarray(payloadStart, end);
    const flags = bytes.readUInt8(at + 32);
    messages.push({
      deviceId: uuidOf(bytes.toString('hex', at, at + 16)),
      receivedAt: bytes.readDoubleLE(at + 16),
      time: { at: bytes.readDoubleLE(at + 24), isFixed: (flags & FIXED) !== 0 },
      showsPresence: (flags & ABOUT_LOST) === 0,
      suffix: bytes.toString('utf8', start, payloadStart),
      payload: (flags & DOCUMENT) !== 0 ? deserialize(payload) : payload,
    });
    at = end;
  }
  return messages;
}

/** Most outcomes have two numbers; they are many. */
type EncodedOutcome =
  | readonly [accepted: number, stored: number, rejected?: readonly RejectedSample[]]
  | { readonly failure: string }
  | { readonly retimed: number }
  | typeof ENCODED_MOVED
  | typeof ENCODED_UNKNOWN;

const ENCODED_MOVED = 0;
const ENCODED_UNKNOWN = 1;

function failureText(error: unknown): string {
  return encodeFailure(error instanceof Failure ? error : failedElsewhere()).toString();
}

export function encodeOutcomes(outcomes: readonly Outcome[]): Buffer {
  const encoded = outcomes.map((outcome): EncodedOutcome => {
    if (outcome.kind === 'MOVED') return ENCODED_MOVED;
    if (outcome.kind === 'UNKNOWN') return ENCODED_UNKNOWN;
    if (outcome.kind === 'RETIMED') return { retimed: outcome.at };
    if (outcome.kind === 'FAILED') return { failure: failureText(outcome.error) };
    const { accepted, stored, rejected } = outcome.receipt;
    return rejected.length === 0 ? [accepted, stored] : [accepted, stored, rejected];
  });
  return Buffer.from(JSON.stringify(encoded));
}

export function decodeOutcomes(bytes: Buffer): Outcome[] {
  const encoded = JSON.parse(bytes.toString()) as readonly EncodedOutcome[];
  return encoded.map((each): Outcome => {
    if (each === ENCODED_MOVED) return MOVED;
    if (each === ENCODED_UNKNOWN) return UNKNOWN;
    if ('retimed' in each) return { kind: 'RETIMED', at: each.retimed };
    if ('failure' in each)
      return { kind: 'FAILED', error: decodeFailure(Buffer.from(each.failure)) };
    const [accepted, stored, rejected = []] = each;
    return { kind: 'STORED', receipt: { accepted, stored, rejected } };
  });
}
