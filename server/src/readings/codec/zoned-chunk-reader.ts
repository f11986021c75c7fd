import type { Columns } from '../columns/index.ts';
import type { BlockVisitor } from './block-visitor.ts';
import { ByteReader } from './byte-reader.ts';
import { DamagedChunk } from './damaged-chunk.ts';
import { IntegerReader } from './integer-reader.ts';
import type { Span } from './span.ts';
import { visitSpan } from './span.ts';
import { SparseColumn } from './sparse-column.ts';
import { readDictionary } from './strings.ts';
import { type ZoneBytes, zoneLayoutIn, zonesIn } from './zone-bytes.ts';
import { ZONE_SIZE } from './zone-size.ts';
import { visitZones } from './zone-visitor.ts';
import { dataOf, openZonedHead, PACKED, SPARSE, type ZonedHead } from './zoned-chunk-header.ts';
import { ZonedNumbers } from './zoned-numbers.ts';
import { ZonedTimes } from './zoned-times.ts';

// Scratch space: written before they are read, within one synchronous call.
const times = new Float64Array(ZONE_SIZE);
const values = new Float64Array(ZONE_SIZE);

/** A whole chunk of version 3. */
interface ZonedChunk extends Pick<ZonedHead, 'kind' | 'count' | 'reader'> {
  readonly data: Uint8Array;
}

/** Accepts a chunk only if its checksums match. */
export function openZoned(bytes: Uint8Array): ZonedChunk {
  const head = openZonedHead(bytes);
  const { kind, count, reader } = head;
  return { kind, count, reader, data: dataOf(bytes, head) };
}

/**
 * Decodes the readings with times within `[from, to]` into columns from `at` on, and returns how
 * many.
 */
export function fillZoned(
  { reader, count, data }: ZonedChunk,
  from: number,
  to: number,
  into: Columns,
  at: number,
): number {
  const zonedTimes = new ZonedTimes(reader, count);
  if (into.kind === 'NUMBER') {
    const numbers = new ZonedNumbers(reader, count);
    const zones = zonesIn(zoneLayoutIn(reader, zonedTimes, numbers), data);
    const span = readTimes(zonedTimes, zones, count, from, to, into.times, at);
    checkRoom(into.values, at + span.end - span.first);
    numbers.decodeSpan(span, zones, into.values, at);
    return span.end - span.first;
  }
  const layout = zoneLayoutIn(reader, zonedTimes, undefined);
  const zones = zonesIn(layout, data);
  const span = readTimes(zonedTimes, zones, count, from, to, into.times, at);
  const rest = readerOf(data, layout.offsets.at(-1) ?? 0);
  if (into.kind === 'BOOLEAN') {
    checkRoom(into.values, at + span.end - span.first);
    readIndexes(reader, rest, count, span, (value, index) => {
      if (value !== 0 && value !== 1) throw new DamagedChunk('a value in it is no boolean');
      into.values[at + index] = value;
    });
  } else {
    const textAt = readDictionary(rest, count);
    readIndexes(reader, rest, count, span, (entry, index) => {
      into.values[at + index] = textAt(entry);
    });
  }
  return span.end - span.first;
}

/** Visits the numbers within `[from, to]`, and returns how many readings were decoded. */
export function visitZoned(
  { reader, count, data }: ZonedChunk,
  from: number,
  to: number,
  visitor: BlockVisitor,
): number {
  const zonedTimes = new ZonedTimes(reader, count);
  const numbers = new ZonedNumbers(reader, count);
  const zones = zonesIn(zoneLayoutIn(reader, zonedTimes, numbers), data);
  return visitZones({ count, times: zonedTimes, numbers, zones }, from, to, visitor);
}

/** Reads the times within `[from, to]`, and returns their span. */
function readTimes(
  zonedTimes: ZonedTimes,
  zones: ZoneBytes,
  count: number,
  from: number,
  to: number,
  into: Float64Array,
  at: number,
): Span {
  const { starts, first, last } = zonedTimes;
  if (last < from || first > to) return { first: 0, end: 0 };
  const indexOf = (time: number) => {
    let zone = starts.length - 1;
    while (zone > 0 && (starts[zone] as number) >= time) zone -= 1;
    const length = Math.min(ZONE_SIZE, count - zone * ZONE_SIZE);
    zonedTimes.decode(zone, zones, times, 0);
    let index = 0;
    while (index < length && (times[index] as number) < time) index += 1;
    return zone * ZONE_SIZE + index;
  };
  const span = {
    first: first >= from ? 0 : indexOf(from),
    end: last <= to ? count : indexOf(to + 1),
  };
  if (span.end < span.first) throw new DamagedChunk('its times are not in order');
  checkRoom(into, at + span.end - span.first);
  zonedTimes.decodeSpan(span, zones, into, at);
  return span;
}

function readIndexes(
  head: ByteReader,
  data: ByteReader,
  count: number,
  span: Span,
  take: (value: number, index: number) => void,
): void {
  const form = head.byte();
  if (form === PACKED) {
    visitSpan(new IntegerReader(data, count), span, take);
    return;
  }
  if (form !== SPARSE) throw new DamagedChunk('its values have an unknown form');
  const scale = { first: head.signed(), step: head.varint(), divisor: 1 };
  const column = new SparseColumn(head, count);
  for (let start = span.first; start < span.end; start += ZONE_SIZE) {
    const stop = Math.min(start + ZONE_SIZE, span.end);
    column.fill(start, stop, values, 0, scale);
    for (let index = start; index < stop; index += 1) {
      take(values[index - start] as number, index - span.first);
    }
  }
}

/** Ends before the four bytes that bit packing may read past its last value. */
function readerOf(data: Uint8Array, offset: number): ByteReader {
  const end = data.length - 4;
  if (offset > end) throw new DamagedChunk('it ends too early');
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  return new ByteReader(data, view, offset, end);
}

function checkRoom(into: { readonly length: number }, end: number): void {
  if (end > into.length) throw new RangeError('There is no room for so many readings.');
}
