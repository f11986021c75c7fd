import {
  encodeBooleans,
  encodeNumbers,
  encodeStrings,
  headBytesOf,
  type Summary,
  summaryOf,
} from '../codec/index.ts';
import { type Columns, type Kind, sliceOf } from '../columns/index.ts';

/** A chunk to be stored; the flush or merge assigns its writeSeq. */
export interface ChunkRow {
  readonly seriesId: number;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly count: number;
  /** Undefined unless the chunk has numbers. */
  readonly summary: Summary | undefined;
  /** The head, if its version has one, which is stored separately; then the rest of the bytes. */
  readonly head: Buffer | undefined;
  readonly data: Buffer;
}

/** A stored chunk without its bytes. The summary is null unless the chunk has numbers. */
export interface ChunkMeta {
  readonly firstAt: number;
  readonly lastAt: number;
  readonly writeSeq: number;
  readonly count: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly sum: number | null;
  readonly first: number | null;
  readonly last: number | null;
  /** Its bytes, where they were prefetched. */
  readonly data?: Buffer | undefined;
}

/** Chunks of strings have fewer readings, since each string may be long. */
const MAX_STRINGS_PER_CHUNK = 1_024;

/** The maximum number of readings in a chunk of a kind, of which `most` is the general limit. */
export function readingsPerChunkOf(kind: Kind, most: number): number {
  return kind === 'STRING' ? Math.min(MAX_STRINGS_PER_CHUNK, most) : most;
}

/** Divides readings in time order into chunks of about the same size. */
export function* chunkRows(seriesId: number, columns: Columns, most: number): Generator<ChunkRow> {
  const count = columns.times.length;
  const parts = Math.ceil(count / readingsPerChunkOf(columns.kind, most));
  for (let part = 0; part < parts; part += 1) {
    const start = Math.floor((part * count) / parts);
    const end = Math.floor(((part + 1) * count) / parts);
    yield chunkRow(seriesId, sliceOf(columns, start, end));
  }
}

function chunkRow(seriesId: number, columns: Columns): ChunkRow {
  const { times } = columns;
  const bytes = bufferOf(encoded(columns));
  const headBytes = headBytesOf(bytes);
  return {
    seriesId,
    firstAt: times[0] as number,
    lastAt: times[times.length - 1] as number,
    count: times.length,
    summary: columns.kind === 'NUMBER' ? summaryOf(times, columns.values, times.length) : undefined,
    head: headBytes > 0 ? bytes.subarray(0, headBytes) : undefined,
    data: bytes.subarray(headBytes),
  };
}

function encoded(columns: Columns): Uint8Array {
  const { times } = columns;
  switch (columns.kind) {
    case 'NUMBER':
      return encodeNumbers(times, columns.values, times.length);
    case 'BOOLEAN':
      return encodeBooleans(times, columns.values, times.length);
    case 'STRING':
      return encodeStrings(times, columns.values, times.length);
  }
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
