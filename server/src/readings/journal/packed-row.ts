import { ByteReader } from '../codec/index.ts';
import type { JournalColumns } from './journal-columns.ts';
import { maxPackedBytes, packColumn, putVarint, unpackColumn } from './packed-column.ts';

/*
 * The columns of a journal row of version 2, as specified in codec/FORMAT.md: times and series ids by
 * their differences, values as integers or decimals where they are some, and tags by runs. A reading
 * takes four to nine bytes instead of 21, and what a commit writes to the log of PostgreSQL is shorter
 * by as much.
 */

/** A run of one reading: a byte for its length, and one for the tag. */
const MAX_TAG_BYTES = 2;

/** The columns behind a head of `headBytes`, which the caller fills. */
export function packColumns(columns: JournalColumns, headBytes: number): Buffer {
  const { count, times, values, seriesIds, tags } = columns;
  const bytes = Buffer.allocUnsafe(headBytes + 3 * maxPackedBytes(count) + MAX_TAG_BYTES * count);
  let end = packColumn(bytes, headBytes, times, ['DIFFERENCES']);
  end = packColumn(bytes, end, seriesIds, ['DIFFERENCES']);
  end = packColumn(bytes, end, values, ['INTEGERS', 'THOUSANDTHS']);
  return bytes.subarray(0, packTags(bytes, end, tags));
}

/** Each run of equal tags as its length, seven bits a byte, and the tag. */
function packTags(bytes: Buffer, at: number, tags: Uint8Array): number {
  let end = at;
  for (let from = 0; from < tags.length; ) {
    const tag = tags[from] as number;
    let to = from + 1;
    while (to < tags.length && tags[to] === tag) to += 1;
    end = putVarint(bytes, end, to - from);
    bytes[end] = tag;
    end += 1;
    from = to;
  }
  return end;
}

/** Fills the columns of a row, and returns the offset behind them; undefined where they are none. */
export function unpackColumns(
  bytes: Buffer,
  at: number,
  { times, values, seriesIds, tags }: JournalColumns,
): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const reader = new ByteReader(bytes, view, at, bytes.length);
  const areRead = [times, seriesIds, values].every((column) => unpackColumn(reader, column));
  return areRead && unpackTags(reader, tags) ? reader.offset : undefined;
}

function unpackTags(reader: ByteReader, tags: Uint8Array): boolean {
  for (let from = 0; from < tags.length; ) {
    const to = from + reader.varint();
    if (to === from || to > tags.length) return false;
    tags.fill(reader.byte(), from, to);
    from = to;
  }
  return true;
}
