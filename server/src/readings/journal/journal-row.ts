import { crc32 } from 'node:zlib';
import { type JournalColumns, kindBits, kindOf, STRING_TAG } from './journal-columns.ts';

interface JournalPosition {
  readonly writer: number;
  readonly id: number;
}

/** A journal row that is not as it was written. None of its readings was used. */
export class DamagedJournal extends Error {
  readonly reason: string;

  constructor({ writer, id }: JournalPosition, reason: string) {
    super(`The journal row ${id} of writer ${writer} is damaged: ${reason}.`);
    this.name = 'DamagedJournal';
    this.reason = reason;
  }
}

/*
 * The layout is specified in codec/FORMAT.md: a head of 16 bytes, then times and values (8 bytes
 * each), series ids (4), tags (1), and strings with their lengths. Columns are typed arrays over the
 * bytes of the row, so that nothing is copied: that requires a little-endian machine.
 */
const VERSION = 1;
const HEAD_BYTES = 16;
const READING_BYTES = 21;
const LENGTH_BYTES = 4;
const MAX_BYTES_PER_UNIT = 3;
export const MAX_SERIES_ID = 0xffff_ffff;

function columnsIn(buffer: ArrayBuffer, count: number, strings: readonly string[]): JournalColumns {
  return {
    count,
    times: new Float64Array(buffer, HEAD_BYTES, count),
    values: new Float64Array(buffer, HEAD_BYTES + 8 * count, count),
    seriesIds: new Uint32Array(buffer, HEAD_BYTES + 16 * count, count),
    tags: new Uint8Array(buffer, HEAD_BYTES + 20 * count, count),
    strings,
  };
}

/** A row whose columns are filled in place. */
export interface JournalRow {
  /** The caller fills them before `finish`. */
  readonly columns: JournalColumns;
  /** The index of a string among those of the row; equal strings share one. */
  indexOf(text: string): number;
  /** The bytes of the row, with version, count and checksum. */
  finish(): Buffer;
}

export function createJournalRow(count: number): JournalRow {
  const strings: string[] = [];
  const indexes = new Map<string, number>();
  // The caller fills all columns, and `finish` the head: memory that is cleared first costs more.
  const bytes = Buffer.allocUnsafeSlow(HEAD_BYTES + READING_BYTES * count);
  return {
    columns: columnsIn(bytes.buffer, count, strings),
    indexOf(text) {
      let index = indexes.get(text);
      if (index === undefined) {
        index = strings.push(text) - 1;
        indexes.set(text, index);
      }
      return index;
    },
    finish() {
      const row = strings.length === 0 ? bytes : Buffer.concat([bytes, encodeStrings(strings)]);
      row.writeUInt32LE(VERSION, 0);
      row.writeUInt32LE(count, 4);
      row.writeUInt32LE(crc32(row.subarray(HEAD_BYTES), count), 8);
      row.writeUInt32LE(0, 12);
      return row;
    },
  };
}

function encodeStrings(strings: readonly string[]): Buffer {
  let limit = 0;
  for (const text of strings) limit += LENGTH_BYTES + MAX_BYTES_PER_UNIT * text.length;
  const bytes = Buffer.allocUnsafe(limit);
  let at = 0;
  for (const text of strings) {
    const length = bytes.write(text, at + LENGTH_BYTES, 'utf8');
    bytes.writeUInt32LE(length, at);
    at += LENGTH_BYTES + length;
  }
  return bytes.subarray(0, at);
}

/** The readings of a row in order of arrival. Throws DamagedJournal. */
export function decodeJournalRow(row: JournalPosition, data: Uint8Array): JournalColumns {
  const { count, bytes } = open(row, data);
  const strings = decodeStrings(row, bytes.subarray(HEAD_BYTES + READING_BYTES * count));
  const columns = columnsIn(bytes.buffer, count, strings);
  const { tags, values } = columns;
  for (let index = 0; index < count; index += 1) {
    const tag = tags[index] as number;
    const isLost = kindBits(tag) === STRING_TAG && strings[values[index] as number] === undefined;
    if (isLost || kindOf(tag) === undefined) throw new DamagedJournal(row, 'a bad kind');
  }
  return columns;
}

function open(row: JournalPosition, data: Uint8Array) {
  if (data.length < HEAD_BYTES) throw new DamagedJournal(row, 'it is too short');
  // The copy aligns the columns to multiples of their width.
  const bytes = Buffer.from(new Uint8Array(data).buffer);
  const [version, count = 0, checksum] = new Uint32Array(bytes.buffer, 0, 4);
  if (version !== VERSION) throw new DamagedJournal(row, `its version is ${version}`);
  if (HEAD_BYTES + READING_BYTES * count > bytes.length) {
    throw new DamagedJournal(row, 'it is cut off');
  }
  if (crc32(bytes.subarray(HEAD_BYTES), count) !== checksum) {
    throw new DamagedJournal(row, 'its checksum does not match');
  }
  return { count, bytes };
}

function decodeStrings(row: JournalPosition, bytes: Buffer): string[] {
  const strings: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end =
      at + LENGTH_BYTES <= bytes.length ? at + LENGTH_BYTES + bytes.readUInt32LE(at) : Infinity;
    if (end > bytes.length) throw new DamagedJournal(row, 'a string is cut off');
    strings.push(bytes.toString('utf8', at + LENGTH_BYTES, end));
    at = end;
  }
  return strings;
}
