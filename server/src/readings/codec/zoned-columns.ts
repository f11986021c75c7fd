import type { ByteReader } from './byte-reader.ts';
import { CodedColumn, type ColumnRoom } from './coded-column-reader.ts';
import { DamagedChunk } from './damaged-chunk.ts';
import type { Span } from './span.ts';
import { SparseColumn } from './sparse-column.ts';
import type { ZoneBytes } from './zone-bytes.ts';
import { ZONE_SIZE } from './zone-size.ts';
import { CODED, SPARSE } from './zoned-chunk-header.ts';

/** A column of either form; of a coded one, the reader is not at its end afterwards. */
export function columnIn(
  reader: ByteReader,
  count: number,
  room: ColumnRoom,
): SparseColumn | CodedColumn {
  const form = reader.byte();
  if (form === SPARSE) return new SparseColumn(reader, count);
  if (form === CODED) return new CodedColumn(reader, count, room);
  throw new DamagedChunk('a column in it has an unknown form');
}

interface Decodable {
  decode(zone: number, bytes: ZoneBytes, into: Float64Array, at: number): void;
}

// Scratch space: written before it is read, within one synchronous call.
const room = new Float64Array(ZONE_SIZE);

/** Decodes whole zones in place, and those that a span cuts through scratch space. */
export function decodeZones(
  column: Decodable,
  { first, end }: Span,
  bytes: ZoneBytes,
  into: Float64Array,
  at: number,
): void {
  for (let index = first; index < end; ) {
    const zone = Math.floor(index / ZONE_SIZE);
    const start = zone * ZONE_SIZE;
    const stop = Math.min(start + ZONE_SIZE, end);
    const target = at + index - first;
    if (index === start && stop === start + ZONE_SIZE) {
      column.decode(zone, bytes, into, target);
    } else {
      column.decode(zone, bytes, room, 0);
      for (let each = index; each < stop; each += 1) {
        into[target + each - index] = room[each - start] as number;
      }
    }
    index = stop;
  }
}
