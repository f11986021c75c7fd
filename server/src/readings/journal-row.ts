import { crc32 } from 'node:zlib';
import type { Kind } from './columns.ts';
import type { JournalReading } from './journal-reading.ts';

interface JournalPlace {
  readonly writer: number;
  readonly id: number;
}

/** Bytes of the journal that are not what was written. Nothing of them was believed. */
export class DamagedJournal extends Error {
  constructor({ writer, id }: JournalPlace, reason: string) {
    super(`The journal row ${id} of writer ${writer} is damaged: ${reason}.`);
    this.name = 'DamagedJournal';
  }
}

/*
 * A row: version, count, checksum of the rest (4 bytes each, 4 spare), then the columns times and
 * values (8 bytes each), Variable numbers (4), kinds (1), and the strings with their lengths.
 * The value of a string is its place among the strings. Little-endian, as all machines are that
 * Node runs on, so that columns are written without looking at their bytes.
 */
const VERSION = 1;
const HEAD_BYTES = 16;
const READING_BYTES = 21;
const KINDS: readonly Kind[] = ['NUMBER', 'BOOLEAN', 'STRING'];
const HISTORY = 4;

interface Views {
  readonly head: Uint32Array;
  readonly times: Float64Array;
  readonly values: Float64Array;
  readonly numbers: Uint32Array;
  readonly kinds: Uint8Array;
}

function viewsOf(buffer: ArrayBuffer, count: number): Views {
  return {
    head: new Uint32Array(buffer, 0, 4),
    times: new Float64Array(buffer, HEAD_BYTES, count),
    values: new Float64Array(buffer, HEAD_BYTES + 8 * count, count),
    numbers: new Uint32Array(buffer, HEAD_BYTES + 16 * count, count),
    kinds: new Uint8Array(buffer, HEAD_BYTES + 20 * count, count),
  };
}

/** Writes readings as one row. `count` is given so that they need not be in an array. */
export function encodeJournalRow(readings: Iterable<JournalReading>, count: number): Buffer {
  const strings: string[] = [];
  for (const { value } of readings) if (typeof value === 'string') strings.push(value);
  const text = encodeStrings(strings);
  const bytes = Buffer.from(new ArrayBuffer(HEAD_BYTES + READING_BYTES * count + text.length));
  const { head, times, values, numbers, kinds } = viewsOf(bytes.buffer, count);
  let index = 0;
  let stringIndex = 0;
  for (const { number, kind, isHistory, at, value } of readings) {
    if (number > 0xffff_ffff) throw new RangeError(`The Variable number ${number} is too large.`);
    times[index] = at;
    values[index] = typeof value === 'string' ? stringIndex++ : Number(value);
    numbers[index] = number;
    kinds[index] = KINDS.indexOf(kind) + (isHistory ? HISTORY : 0);
    index += 1;
  }
  bytes.set(text, HEAD_BYTES + READING_BYTES * count);
  head[0] = VERSION;
  head[1] = count;
  head[2] = crc32(bytes.subarray(HEAD_BYTES), count);
  return bytes;
}

function encodeStrings(strings: readonly string[]): Buffer {
  if (strings.length === 0) return Buffer.alloc(0);
  const parts: Buffer[] = [];
  for (const text of strings) {
    const bytes = Buffer.from(text, 'utf8');
    const length = Buffer.alloc(4);
    length.writeUInt32LE(bytes.length);
    parts.push(length, bytes);
  }
  return Buffer.concat(parts);
}

/** The readings of a row, in the order in which they were written. Throws DamagedJournal. */
export function decodeJournalRow(row: JournalPlace, data: Uint8Array): JournalReading[] {
  const { count, views, bytes } = open(row, data);
  const strings = decodeStrings(row, bytes.subarray(HEAD_BYTES + READING_BYTES * count));
  const readings: JournalReading[] = [];
  for (let index = 0; index < count; index += 1) {
    const mark = views.kinds[index] as number;
    const kind = KINDS[mark & 3];
    const stored = views.values[index] as number;
    const value = kind === 'STRING' ? strings[stored] : kind === 'BOOLEAN' ? stored === 1 : stored;
    if (kind === undefined || value === undefined) throw new DamagedJournal(row, 'a bad kind');
    readings.push({
      number: views.numbers[index] as number,
      kind,
      isHistory: (mark & HISTORY) !== 0,
      at: views.times[index] as number,
      value,
    });
  }
  return readings;
}

function open(row: JournalPlace, data: Uint8Array) {
  if (data.length < HEAD_BYTES) throw new DamagedJournal(row, 'it is too short');
  // A copy, since columns must stand at multiples of their width.
  const bytes = Buffer.from(new Uint8Array(data).buffer);
  const [version, count = 0, checksum] = new Uint32Array(bytes.buffer, 0, 4);
  if (version !== VERSION) throw new DamagedJournal(row, `its version is ${version}`);
  if (HEAD_BYTES + READING_BYTES * count > bytes.length) {
    throw new DamagedJournal(row, 'it is cut off');
  }
  if (crc32(bytes.subarray(HEAD_BYTES), count) !== checksum) {
    throw new DamagedJournal(row, 'its checksum does not match');
  }
  return { count, views: viewsOf(bytes.buffer, count), bytes };
}

function decodeStrings(row: JournalPlace, bytes: Buffer): string[] {
  const strings: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 4 <= bytes.length ? at + 4 + bytes.readUInt32LE(at) : Infinity;
    if (end > bytes.length) throw new DamagedJournal(row, 'a string is cut off');
    strings.push(bytes.toString('utf8', at + 4, end));
    at = end;
  }
  return strings;
}
