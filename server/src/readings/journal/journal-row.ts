import { crc32 } from 'node:zlib';
import { DamagedChunk } from '../codec/index.ts';
import { type JournalColumns, kindBits, kindOf, STRING_TAG } from './journal-columns.ts';
import { packColumns, unpackColumns } from './packed-row.ts';

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
 * The layouts are specified in codec/FORMAT.md: a head of 16 bytes, the columns, and strings with
 * their lengths. The columns of a plain row are times and values (8 bytes each), series ids (4) and
 * tags (1), as typed arrays over the bytes of the row, so that nothing is copied: that requires a
 * little-endian machine. Those of a packed row are shorter (packed-row.ts).
 */
export type RowForm = 'PLAIN' | 'PACKED';

/** The migration that each version knows which reads packed rows. Others would set them aside. */
const PACKED_ROWS_SINCE = 68;

/** The form that every node can replay, should it take over from this one. */
export function commonForm(isKnownToAll: (migration: number) => boolean): RowForm {
  return isKnownToAll(PACKED_ROWS_SINCE) ? 'PACKED' : 'PLAIN';
}

const VERSIONS: Readonly<Record<RowForm, number>> = { PLAIN: 1, PACKED: 2 };
const FORMS: readonly RowForm[] = ['PLAIN', 'PACKED'];
const NO_STRINGS: readonly string[] = [];
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
  finish(form: RowForm): Buffer;
}

export function createJournalRow(count: number): JournalRow {
  const strings: string[] = [];
  const indexes = new Map<string, number>();
  // The caller fills all columns, and `finish` the head: memory that is cleared first costs more.
  const plain = Buffer.allocUnsafeSlow(HEAD_BYTES + READING_BYTES * count);
  const columns = columnsIn(plain.buffer, count, strings);
  return {
    columns,
    indexOf(text) {
      let index = indexes.get(text);
      if (index === undefined) {
        index = strings.push(text) - 1;
        indexes.set(text, index);
      }
      return index;
    },
    finish(form) {
      const numbers = form === 'PLAIN' ? plain : packColumns(columns, HEAD_BYTES);
      const row = strings.length === 0 ? numbers : Buffer.concat([numbers, encodeStrings(strings)]);
      row.writeUInt32LE(VERSIONS[form], 0);
      row.writeUInt32LE(count, 4);
      row.writeUInt32LE(crc32(row.subarray(HEAD_BYTES), count), 8);
      row.writeUInt32LE(form === 'PLAIN' ? 0 : row.length, 12);
      return row;
    },
  };
}

/** The size of the plain row of some readings: what they take in memory, whatever was written. */
export function plainBytes({ count, strings }: JournalColumns): number {
  const ofStrings = strings.reduce((sum, text) => sum + LENGTH_BYTES + text.length, 0);
  return HEAD_BYTES + READING_BYTES * count + ofStrings;
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
  const { form, count, bytes } = open(row, data);
  const { columns, end } =
    form === 'PLAIN' ? plainColumns(bytes, count) : packedColumns(row, bytes, count);
  const strings = decodeStrings(row, bytes.subarray(end));
  const { tags, values } = columns;
  for (let index = 0; index < count; index += 1) {
    const tag = tags[index] as number;
    const isLost = kindBits(tag) === STRING_TAG && strings[values[index] as number] === undefined;
    if (isLost || kindOf(tag) === undefined) throw new DamagedJournal(row, 'a bad kind');
  }
  return { ...columns, strings };
}

function open(row: JournalPosition, data: Uint8Array) {
  if (data.length < HEAD_BYTES) throw new DamagedJournal(row, 'it is too short');
  // The copy aligns the columns to multiples of their width.
  const bytes = Buffer.from(new Uint8Array(data).buffer);
  const [version, count = 0, checksum, length] = new Uint32Array(bytes.buffer, 0, 4);
  const form = FORMS.find((each) => VERSIONS[each] === version);
  if (!form) throw new DamagedJournal(row, `its version is ${version}`);
  const isCut =
    form === 'PLAIN' ? bytes.length < HEAD_BYTES + READING_BYTES * count : bytes.length !== length;
  if (isCut) throw new DamagedJournal(row, 'it is cut off');
  if (crc32(bytes.subarray(HEAD_BYTES), count) !== checksum) {
    throw new DamagedJournal(row, 'its checksum does not match');
  }
  return { form, count, bytes };
}

/** Columns, and the offset behind them. */
interface FoundColumns {
  readonly columns: JournalColumns;
  readonly end: number;
}

function plainColumns(bytes: Buffer, count: number): FoundColumns {
  const end = HEAD_BYTES + READING_BYTES * count;
  return { columns: columnsIn(bytes.buffer as ArrayBuffer, count, NO_STRINGS), end };
}

function packedColumns(row: JournalPosition, bytes: Buffer, count: number): FoundColumns {
  const memory = new ArrayBuffer(HEAD_BYTES + READING_BYTES * count);
  const columns = columnsIn(memory, count, NO_STRINGS);
  try {
    const end = unpackColumns(bytes, HEAD_BYTES, columns);
    if (end === undefined) throw new DamagedJournal(row, 'a bad form');
    return { columns, end };
  } catch (error) {
    if (error instanceof DamagedChunk) throw new DamagedJournal(row, error.reason);
    throw error;
  }
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
