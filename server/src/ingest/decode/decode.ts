import { isAscii, isUtf8 } from 'node:buffer';
import { PlainPayload } from './plain-payload.ts';
import type { PlainReadings } from './plain-readings.ts';
import { isStorable } from './text.ts';
import { NO_TIMESTAMP, timeOf } from './time.ts';
import type { Value } from './value.ts';
import {
  type Findings,
  isObject,
  type JsonObject,
  leadOf,
  MAX_PATH_LENGTH,
  type Problem,
  type RejectedSample,
  reject,
  type Sample,
  type Sink,
  walk,
  walkField,
  walkFields,
} from './walk.ts';

/** The samples of a payload, or why the payload is invalid. */
export type Decoded =
  | { readonly samples: readonly Sample[]; readonly rejected: readonly RejectedSample[] }
  | { readonly problem: string };

const NOT_UTF8 = 'The payload is not UTF-8.';
const NOT_JSON = 'The payload is not valid JSON.';
const NO_SHAPE = 'The payload must be an object of readings.';
const NO_PATH = 'A payload that is a single value needs a topic below that of the Device.';

/** Only its keys are remembered from one message to the next. */
const plainPayload = new PlainPayload();
/** Below a longer topic a plain key may have a path that is too long. */
const MAX_LEAD_LENGTH = MAX_PATH_LENGTH / 2;
const ALL_TAKEN: Walked = { rejected: [] };

/** The result of a walk. When there is a problem, samples in the sink are void. */
export type Walked =
  | { readonly rejected: readonly RejectedSample[] }
  | { readonly problem: string };

/** Decodes a message. The suffix has the levels below the topic of the Device, or is empty. */
export function decodePayload(
  payload: Uint8Array | string,
  suffix: string,
  receivedAt: number,
): Decoded {
  const samples = new Samples(receivedAt);
  return collected(samples, walkPayload(payload, suffix, receivedAt, samples));
}

export function walkPayload(
  payload: Uint8Array | string,
  suffix: string,
  receivedAt: number,
  sink: Sink,
): Walked {
  const bytes = typeof payload === 'string' ? undefined : bufferOf(payload);
  const lead = suffix === '' ? '' : leadOf(suffix, '/');
  const plain =
    bytes === undefined || lead.length > MAX_LEAD_LENGTH
      ? undefined
      : plainPayload.decode(bytes, receivedAt);
  if (plain !== undefined) {
    plain.passOn(lead, sink);
    return ALL_TAKEN;
  }
  const text = bytes === undefined ? (payload as string) : textOf(bytes);
  if (text === undefined) return { problem: NOT_UTF8 };
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return { problem: NOT_JSON };
  }
  // In valid UTF-8, NUL and lone surrogates can only result from an escape.
  const isSuspect = typeof payload === 'string' || text.includes('\\u');
  return read(document, suffix, receivedAt, isSuspect, sink);
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function textOf(buffer: Buffer): string | undefined {
  // The faster way, for nearly every payload.
  if (isAscii(buffer)) return buffer.toString('latin1');
  if (!isUtf8(buffer)) return undefined;
  const text = buffer.toString();
  // Some programs write a byte order mark, which is not JSON.
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** A payload that was decoded from its bytes when it was received. */
export class DecodedPayload {
  readonly bytes: Uint8Array;
  readonly #readings: PlainReadings;

  constructor(bytes: Uint8Array, readings: PlainReadings) {
    this.bytes = bytes;
    this.#readings = readings;
  }

  walk(sink: Sink): Walked {
    this.#readings.passOn('', sink);
    return ALL_TAKEN;
  }
}

/** Decodes a payload without a suffix; undefined when it is not plain. */
export function decodePlain(bytes: Buffer, receivedAt: number): DecodedPayload | undefined {
  const readings = plainPayload.decode(bytes, receivedAt);
  return readings && new DecodedPayload(bytes, readings.copied());
}

/** Decodes a document that is already parsed. */
export function decodeDocument(document: unknown, suffix: string, receivedAt: number): Decoded {
  const samples = new Samples(receivedAt);
  return collected(samples, walkDocument(document, suffix, receivedAt, samples));
}

export function walkDocument(
  document: unknown,
  suffix: string,
  receivedAt: number,
  sink: Sink,
): Walked {
  return read(document, suffix, receivedAt, true, sink);
}

/** Collects samples, with the arrival time where no time is stated. */
class Samples implements Sink {
  readonly all: Sample[] = [];
  readonly #receivedAt: number;

  constructor(receivedAt: number) {
    this.#receivedAt = receivedAt;
  }

  take(path: string, value: Value, at: number): void {
    this.all.push({ path, value, at: at === NO_TIMESTAMP ? this.#receivedAt : at });
  }
}

function collected({ all }: Samples, walked: Walked): Decoded {
  return 'problem' in walked ? walked : { samples: all, rejected: walked.rejected };
}

function read(
  document: unknown,
  suffix: string,
  receivedAt: number,
  isSuspect: boolean,
  sink: Sink,
): Walked {
  const findings: Findings = { sink, rejected: [], count: 0, isSuspect };
  const problem = isObject(document)
    ? readObject(findings, document, suffix === '' ? '' : leadOf(suffix, '/'), receivedAt)
    : readScalar(findings, document, suffix);
  return problem === undefined ? findings : { problem };
}

function readScalar(findings: Findings, value: unknown, suffix: string): Problem {
  if (value === undefined || Array.isArray(value)) return NO_SHAPE;
  return suffix === '' ? NO_PATH : walk(findings, value, suffix, NO_TIMESTAMP, 1);
}

function readObject(
  findings: Findings,
  document: JsonObject,
  lead: string,
  receivedAt: number,
): Problem {
  const { data, dataArray } = document;
  const isEnvelope = (typeof data === 'object' && data !== null) || Array.isArray(dataArray);
  if (!isEnvelope) return walkFields(findings, document, lead, NO_TIMESTAMP, 1);
  const at = timeOf(document.timestamp, NO_TIMESTAMP, receivedAt);
  for (const key of Object.keys(document)) {
    if (key === 'timestamp') continue;
    const value = document[key];
    let problem: Problem;
    if ((key === 'data' || key === 'dataArray') && Array.isArray(value)) {
      problem = readEntries(findings, value, lead, key, at, receivedAt);
    } else if (key === 'data' && isObject(value)) {
      problem = walkFields(findings, value, lead, at, 2);
    } else {
      // Fields beside it are readings too: they must not be lost silently.
      problem = walkField(findings, value, lead, key, at, 1);
    }
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function readEntries(
  findings: Findings,
  entries: readonly unknown[],
  lead: string,
  name: string,
  at: number | undefined,
  receivedAt: number,
): Problem {
  for (let index = 0; index < entries.length; index += 1) {
    const entry = entries[index];
    const problem =
      isObject(entry) && typeof entry.key === 'string'
        ? readEntry(findings, entry, lead, entry.key, timeOf(entry.timestamp, at, receivedAt))
        : reject(findings, `${lead}${name}.${index}`, 'wrongType');
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const ENTRY_DEPTH = 3;

function readEntry(
  findings: Findings,
  entry: JsonObject,
  lead: string,
  key: string,
  at: number | undefined,
): Problem {
  const path = lead + key;
  if (findings.isSuspect && !isStorable(key)) return reject(findings, path, 'wrongType');
  let problem = walk(findings, entry.value, path, at, ENTRY_DEPTH + 1);
  for (const name of Object.keys(entry)) {
    if (problem !== undefined) return problem;
    if (name === 'key' || name === 'value' || name === 'timestamp') continue;
    problem = walkField(findings, entry[name], leadOf(path, '.'), name, at, ENTRY_DEPTH);
  }
  return problem;
}
