import { crc32 } from 'node:zlib';
import type { Kind } from '../columns/index.ts';
import { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import { KINDS, MAX_READINGS } from './chunk-header.ts';
import { DamagedChunk } from './damaged-chunk.ts';

/*
 * A chunk of version 3 is a head and data. The head has what a chart needs to choose zones; it is
 * stored in a column of its own, so that zones are read without the rest of the chunk. FORMAT.md
 * specifies the layout.
 */

const ZONED_VERSION = 3;

/** The forms of a column. */
export const SPARSE = 0;
export const CODED = 1;
/** Only of booleans and strings: integers that follow in the data. */
export const PACKED = 2;

const CHECKSUM_BYTES = 4;
const LENGTH_OFFSET = 2;
const MIN_BYTES = 15 + CHECKSUM_BYTES;

export interface ZonedHead {
  readonly kind: Kind;
  readonly count: number;
  readonly dataBytes: number;
  readonly dataChecksum: number;
  /** Is at the beginning of the times, and ends before the checksum. */
  readonly reader: ByteReader;
}

export function isZoned(bytes: Uint8Array): boolean {
  return bytes[0] === ZONED_VERSION;
}

/** The length of the head of a chunk of version 3; 0 for others, which have none. */
export function headBytesOf(bytes: Uint8Array): number {
  if (!isZoned(bytes)) return 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return view.getUint32(LENGTH_OFFSET, true);
}

/** Whether bytes are the head of a chunk that has data too. */
export function isHeadAlone(bytes: Uint8Array): boolean {
  if (bytes.length < MIN_BYTES || headBytesOf(bytes) !== bytes.length) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return view.getUint32(LENGTH_OFFSET + 4, true) > 0;
}

export function writeZonedHead(head: ByteWriter, kind: Kind, count: number): void {
  head.byte(ZONED_VERSION);
  head.byte(KINDS.indexOf(kind));
  head.uint32(0);
  head.uint32(0);
  head.uint32(0);
  head.varint(count);
}

/** Fills in lengths and checksums, and returns the bytes of the whole chunk. */
export function joinZoned(head: ByteWriter, data: ByteWriter): Uint8Array {
  const dataBytes = data.bytes.subarray(0, data.length);
  const headBytes = head.length + CHECKSUM_BYTES;
  head.view.setUint32(LENGTH_OFFSET, headBytes, true);
  head.view.setUint32(LENGTH_OFFSET + 4, data.length, true);
  head.view.setUint32(LENGTH_OFFSET + 8, crc32(dataBytes, data.length), true);
  head.uint32(crc32(head.bytes.subarray(0, head.length), headBytes));
  const bytes = new Uint8Array(headBytes + data.length);
  bytes.set(head.bytes.subarray(0, headBytes));
  bytes.set(dataBytes, headBytes);
  return bytes;
}

/** Accepts a head only if its checksum matches; data may follow it. */
export function openZonedHead(bytes: Uint8Array): ZonedHead {
  if (bytes.length < MIN_BYTES) throw new DamagedChunk('it is too short');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const headBytes = view.getUint32(LENGTH_OFFSET, true);
  if (headBytes < MIN_BYTES || headBytes > bytes.length) {
    throw new DamagedChunk('its head is not whole');
  }
  const end = headBytes - CHECKSUM_BYTES;
  if (view.getUint32(end, true) !== crc32(bytes.subarray(0, end), headBytes)) {
    throw new DamagedChunk('its checksum does not match');
  }
  const kind = KINDS[bytes[1] as number];
  if (kind === undefined) throw new DamagedChunk('its kind is unknown');
  const reader = new ByteReader(bytes, view, LENGTH_OFFSET + 12, end);
  const count = reader.varint();
  if (count < 1 || count > MAX_READINGS) throw new DamagedChunk('its count is impossible');
  return {
    kind,
    count,
    dataBytes: view.getUint32(LENGTH_OFFSET + 4, true),
    dataChecksum: view.getUint32(LENGTH_OFFSET + 8, true),
    reader,
  };
}

/** The data of a whole chunk, if its checksum matches. */
export function dataOf(bytes: Uint8Array, { dataBytes, dataChecksum }: ZonedHead): Uint8Array {
  const data = bytes.subarray(headBytesOf(bytes));
  if (data.length !== dataBytes || crc32(data, data.length) !== dataChecksum) {
    throw new DamagedChunk('its checksum does not match');
  }
  return data;
}

/** The checksum of the bytes of one zone, by which it is read alone. */
export function zoneChecksumOf(bytes: Uint8Array): number {
  return crc32(bytes, bytes.length) & 0xffff;
}
