import { crc32 } from 'node:zlib';
import type { Kind } from '../columns/index.ts';
import { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import { DamagedChunk } from './damaged-chunk.ts';

/** A chunk has one reading or more, and at most so many. */
export const MAX_READINGS = 65_536;

/*
 * A chunk of version 1: version, kind, count (varint), times (a section), values, checksum (4
 * bytes). In version 2 the values are a section too, and an index of the blocks follows them.
 * Everything is little-endian.
 */
export type Version = 1 | 2;
const LATEST_VERSION = 2;
const KINDS: readonly Kind[] = ['NUMBER', 'BOOLEAN', 'STRING'];
const CHECKSUM_BYTES = 4;
const LEAST_BYTES = 3 + CHECKSUM_BYTES;

/** It starts from the length, so that a chunk with more behind it is not taken for a whole one. */
function checksumOf(bytes: Uint8Array): number {
  return crc32(bytes.subarray(0, bytes.length - CHECKSUM_BYTES), bytes.length);
}

export function writeHead(writer: ByteWriter, version: Version, kind: Kind, count: number): void {
  writer.byte(version);
  writer.byte(KINDS.indexOf(kind));
  writer.varint(count);
}

/** Adds the checksum, and answers the bytes of the whole chunk. */
export function seal(writer: ByteWriter): Uint8Array {
  writer.uint32(0);
  const bytes = writer.bytes.slice(0, writer.length);
  new DataView(bytes.buffer).setUint32(bytes.length - CHECKSUM_BYTES, checksumOf(bytes), true);
  return bytes;
}

export interface Chunk {
  readonly version: Version;
  readonly kind: Kind;
  readonly count: number;
  /** Stands where the times begin, and ends before the checksum. */
  readonly reader: ByteReader;
}

/** Believes a chunk only when its version is known and its checksum is right. */
export function open(bytes: Uint8Array): Chunk {
  if (bytes.length < LEAST_BYTES) throw new DamagedChunk('it is too short');
  const version = bytes[0];
  if (version !== 1 && version !== 2) {
    throw new DamagedChunk(`its version is ${version}, not up to ${LATEST_VERSION}`);
  }
  const end = bytes.length - CHECKSUM_BYTES;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (view.getUint32(end, true) !== checksumOf(bytes)) {
    throw new DamagedChunk('its checksum does not match');
  }
  const kind = KINDS[bytes[1] as number];
  if (kind === undefined) throw new DamagedChunk('its kind is unknown');
  if (version === 2 && kind !== 'NUMBER') throw new DamagedChunk('its kind has no version 2');
  const reader = new ByteReader(bytes, view, 2, end);
  const count = reader.varint();
  if (count < 1 || count > MAX_READINGS) throw new DamagedChunk('its count is impossible');
  return { version, kind, count, reader };
}
