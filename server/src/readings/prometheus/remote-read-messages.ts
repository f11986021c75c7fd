/*
 * The messages of remote read, version 0.1.0, in Protocol Buffers: `ReadRequest` is decoded and
 * `ReadResponse` encoded. Fields that are not named here are skipped, as the format asks for.
 * https://github.com/prometheus/prometheus/blob/main/prompb/remote.proto
 */
import type { RemoteReadRequest } from '@fieldwatch/contract';

type Query = RemoteReadRequest['queries'][number];
type Matcher = Query['matchers'][number];

const MATCHES: readonly Matcher['match'][] = ['EQUAL', 'NOT_EQUAL', 'PATTERN', 'NOT_PATTERN'];

class Malformed extends Error {}

/** Undefined when the bytes are no such message. */
export function decodeReadRequest(bytes: Uint8Array): RemoteReadRequest | undefined {
  try {
    const queries: Query[] = [];
    for (const { number, bytes: part } of fieldsIn(bytes)) {
      if (number === 1) queries.push(queryIn(part));
    }
    return { queries };
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}

function queryIn(bytes: Uint8Array): Query {
  const query = { startTime: 0, endTime: 0, matchers: [] as Matcher[] };
  for (const { number, varint, bytes: part } of fieldsIn(bytes)) {
    if (number === 1) query.startTime = varint;
    if (number === 2) query.endTime = varint;
    if (number === 3) query.matchers.push(matcherIn(part));
  }
  return query;
}

function matcherIn(bytes: Uint8Array): Matcher {
  const matcher = { match: 'EQUAL' as Matcher['match'], name: '', value: '' };
  for (const { number, varint, bytes: part } of fieldsIn(bytes)) {
    if (number === 1) matcher.match = MATCHES[varint] ?? malformed();
    if (number === 2) matcher.name = Buffer.from(part).toString();
    if (number === 3) matcher.value = Buffer.from(part).toString();
  }
  return matcher;
}

function malformed(): never {
  throw new Malformed();
}

interface Field {
  readonly number: number;
  /** The value of an integer; 0 for other fields. */
  readonly varint: number;
  /** The content of a field with a length; empty for other fields. */
  readonly bytes: Uint8Array;
}

const NO_BYTES = new Uint8Array();
const VARINT = 0;
const FIXED_64 = 1;
const WITH_LENGTH = 2;
const FIXED_32 = 5;

function* fieldsIn(bytes: Uint8Array): Generator<Field> {
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at] ?? malformed();
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return Number(BigInt.asIntN(64, value));
    }
    return malformed();
  };
  const skip = (count: number) => {
    if (count < 0 || at + count > bytes.length) malformed();
    at += count;
    return bytes.subarray(at - count, at);
  };
  while (at < bytes.length) {
    const tag = varint();
    const number = Math.floor(tag / 8);
    const kind = tag % 8;
    if (kind === VARINT) yield { number, varint: varint(), bytes: NO_BYTES };
    else if (kind === WITH_LENGTH) yield { number, varint: 0, bytes: skip(varint()) };
    else if (kind === FIXED_64) skip(8);
    else if (kind === FIXED_32) skip(4);
    else malformed();
  }
}

export interface Samples {
  readonly times: ArrayLike<number>;
  readonly values: ArrayLike<number>;
}

/** Tag and length of a sample, tag and value, tag and time. */
const MAX_SAMPLE_BYTES = 2 + 9 + 11;
const BYTES_1 = 0x0a;
const BYTES_2 = 0x12;
const DOUBLE_1 = 0x09;
const VARINT_2 = 0x10;

/** The beginning of a message `TimeSeries`; labels must be in the order of their names. */
export function encodeLabels(labels: readonly (readonly [name: string, value: string])[]): Buffer {
  return Buffer.concat(
    labels.map(([name, value]) => withLength(BYTES_1, [text(BYTES_1, name), text(BYTES_2, value)])),
  );
}

/** A further part of a message `TimeSeries`, in order of time. */
export function encodeSamples({ times, values }: Samples): Buffer {
  const samples = Buffer.allocUnsafe(times.length * MAX_SAMPLE_BYTES);
  let at = 0;
  for (let index = 0; index < times.length; index += 1) {
    const start = at;
    samples[at + 2] = DOUBLE_1;
    at = samples.writeDoubleLE(values[index] as number, at + 3);
    samples[at] = VARINT_2;
    at = writeVarint(samples, times[index] as number, at + 1);
    samples[start] = BYTES_2;
    samples[start + 1] = at - start - 2;
  }
  return samples.subarray(0, at);
}

/** A message `TimeSeries` in parts. */
export type EncodedSeries = readonly Buffer[];

/** A message `ReadResponse` in parts: for each query its series. */
export function encodeReadResponse(results: readonly (readonly EncodedSeries[])[]): Buffer[] {
  return results.flatMap((all) => {
    const parts = all.flatMap((series) => [lengthOf(BYTES_1, bytesIn(series)), ...series]);
    return [lengthOf(BYTES_1, bytesIn(parts)), ...parts];
  });
}

function bytesIn(parts: readonly Buffer[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

function text(tag: number, content: string): Buffer {
  return withLength(tag, [Buffer.from(content)]);
}

function withLength(tag: number, parts: readonly Buffer[]): Buffer {
  return Buffer.concat([lengthOf(tag, bytesIn(parts)), ...parts]);
}

function lengthOf(tag: number, length: number): Buffer {
  const head = Buffer.alloc(11);
  head[0] = tag;
  return head.subarray(0, writeVarint(head, length, 1));
}

/** Of an integer that is not negative. Returns where it ends. */
function writeVarint(buffer: Buffer, value: number, at: number): number {
  let [rest, end] = [value, at];
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) {
    buffer[end] = (rest % 128) | 0x80;
    end += 1;
  }
  buffer[end] = rest;
  return end + 1;
}
