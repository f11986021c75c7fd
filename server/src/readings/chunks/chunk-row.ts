import {
  encodeBooleans,
  encodeNumbers,
  encodeStrings,
  type Summary,
  summaryOf,
} from '../codec/index.ts';
import { type Columns, sliceOf } from '../columns/index.ts';

/** A chunk to be stored; the flush or merge assigns its writeSeq. */
export interface ChunkRow {
  readonly seriesId: number;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly count: number;
  /** Undefined unless the chunk has numbers. */
  readonly summary: Summary | undefined;
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

/** Divides readings in time order into chunks of about the same size. */
export function* chunkRows(seriesId: number, columns: Columns, most: number): Generator<ChunkRow> {
  const count = columns.times.length;
  const parts = Math.ceil(count / most);
  for (let part = 0; part < parts; part += 1) {
    const start = Math.floor((part * count) / parts);
    const end = Math.floor(((part + 1) * count) / parts);
    yield chunkRow(seriesId, sliceOf(columns, start, end));
  }
}

function chunkRow(seriesId: number, columns: Columns): ChunkRow {
  const { times } = columns;
  return {
    seriesId,
    firstAt: times[0] as number,
    lastAt: times[times.length - 1] as number,
    count: times.length,
    summary: columns.kind === 'NUMBER' ? summaryOf(times, columns.values, times.length) : undefined,
    data: bufferOf(encoded(columns)),
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
