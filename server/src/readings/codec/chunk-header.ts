import { crc32 } from 'node:zlib';
import type { Kind } from '../columns/index.ts';
import { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import { DamagedChunk } from './damaged-chunk.ts';

/** The maximum number of readings in a chunk; the minimum is one. */
export const MAX_READINGS = 65_536;

/*
 * FORMAT.md specifies the layout. Version 1: version, kind, count, times, values, checksum. In
 * version 2 the values are a section, which block summaries follow.
 */
export type Version = 1 | 2;
const LATEST_VERSION = 3;
export const KINDS: readonly Kind[] = ['NUMBER', 'BOOLEAN', 'STRING'];
const CHECKSUM_BYTES = 4;
const MIN_BYTES = 3 + CHECKSUM_BYTES;

/** CRC-32, started from the length, so that a cut or extended chunk never matches. */
function checksumOf(bytes: Uint8Array): number {
  return crc32(bytes.subarray(0, bytes.length - CHECKSUM_BYTES), bytes.length);
}

export function writeHead(writer: ByteWriter, version: Version, kind: Kind, count: number): void {
  writer.byte(version);
  writer.byte(KINDS.indexOf(kind));
  writer.varint(count);
}

/** Appends the checksum, and returns the bytes of the whole chunk. */
export function appendChecksum(writer: ByteWriter): Uint8Array {
  writer.uint32(0);
  const bytes = writer.bytes.slice(0, writer.length);
  new DataView(bytes.buffer).setUint32(bytes.length - CHECKSUM_BYTES, checksumOf(bytes), true);
  return bytes;
}

export interface Chunk {
  readonly version: Version;
  readonly kind: Kind;
  readonly count: number;
  /** Is at the beginning of the times, and ends before the checksum. */
  readonly reader: ByteReader;
}

/** Accepts a chunk only if its version is known and its checksum matches. */
export function openChunk(bytes: Uint8Array): Chunk {
  if (bytes.length < MIN_BYTES) throw new DamagedChunk('it is too short');
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
