import { crc32 } from 'node:zlib';
import { type JournalColumns, kindBits, kindOf, STRING_MARK } from './journal-columns.ts';

interface JournalPlace {
  readonly writer: number;
  readonly id: number;
}

/** Bytes of the journal that are not what was written. Nothing of them was believed. */
export class DamagedJournal extends Error {
  readonly reason: string;

  constructor({ writer, id }: JournalPlace, reason: string) {
    super(`The journal row ${id} of writer ${writer} is damaged: ${reason}.`);
    this.name = 'DamagedJournal';
    this.reason = reason;
  }
}

/*
 * A row: version, count, checksum of the rest (4 bytes each, 4 spare), then the columns times and
 * values (8 bytes each), series ids (4), kinds (1), and the strings with their lengths.
 * The value of a string is its place among the strings. Little-endian, as all machines are that
 * Node runs on, so that columns are written without looking at their bytes.
 */
const VERSION = 1;
const HEAD_BYTES = 16;
const READING_BYTES = 21;
const LENGTH_BYTES = 4;
const MOST_BYTES_A_UNIT = 3;
export const MAX_SERIES_ID = 0xffff_ffff;

function columnsIn(buffer: ArrayBuffer, count: number, strings: readonly string[]): JournalColumns {
  return {
    count,
    times: new Float64Array(buffer, HEAD_BYTES, count),
    values: new Float64Array(buffer, HEAD_BYTES + 8 * count, count),
    seriesIds: new Uint32Array(buffer, HEAD_BYTES + 16 * count, count),
    marks: new Uint8Array(buffer, HEAD_BYTES + 20 * count, count),
    strings,
  };
}

/** A row that is filled from its columns, so that nothing is written twice. */
export interface JournalRow {
  /** To be filled before `finish`. */
  readonly columns: JournalColumns;
  /** The place of a string among those of the row; an equal one has the same. */
  placeOf(text: string): number;
  /** The bytes to store. */
  finish(): Buffer;
}

export function createJournalRow(count: number): JournalRow {
  const strings: string[] = [];
  const places = new Map<string, number>();
  const bytes = Buffer.from(new ArrayBuffer(HEAD_BYTES + READING_BYTES * count));
  return {
    columns: columnsIn(bytes.buffer, count, strings),
    placeOf(text) {
      let place = places.get(text);
      if (place === undefined) {
        place = strings.push(text) - 1;
        places.set(text, place);
      }
      return place;
    },
    finish() {
      const row = strings.length === 0 ? bytes : Buffer.concat([bytes, encodeStrings(strings)]);
      row.writeUInt32LE(VERSION, 0);
      row.writeUInt32LE(count, 4);
      row.writeUInt32LE(crc32(row.subarray(HEAD_BYTES), count), 8);
      return row;
    },
  };
}

function encodeStrings(strings: readonly string[]): Buffer {
  let most = 0;
  for (const text of strings) most += LENGTH_BYTES + MOST_BYTES_A_UNIT * text.length;
  const bytes = Buffer.allocUnsafe(most);
  let at = 0;
  for (const text of strings) {
    const length = bytes.write(text, at + LENGTH_BYTES, 'utf8');
    bytes.writeUInt32LE(length, at);
    at += LENGTH_BYTES + length;
  }
  return bytes.subarray(0, at);
}

/** The readings of a row, in the order in which they were written. Throws DamagedJournal. */
export function decodeJournalRow(row: JournalPlace, data: Uint8Array): JournalColumns {
  const { count, bytes } = open(row, data);
  const strings = decodeStrings(row, bytes.subarray(HEAD_BYTES + READING_BYTES * count));
  const columns = columnsIn(bytes.buffer, count, strings);
  const { marks, values } = columns;
  for (let index = 0; index < count; index += 1) {
    const mark = marks[index] as number;
    const isLost = kindBits(mark) === STRING_MARK && strings[values[index] as number] === undefined;
    if (isLost || kindOf(mark) === undefined) throw new DamagedJournal(row, 'a bad kind');
  }
  return columns;
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
  return { count, bytes };
}

function decodeStrings(row: JournalPlace, bytes: Buffer): string[] {
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
