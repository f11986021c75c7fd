import { BLOCK_SIZE } from './block-plan.ts';
import { MAX_ZONE_READINGS, NO_SUMMARIES, zoneSizeOf } from './block-summary-form.ts';
import { readStarts, type ValueZones, valueZonesOf } from './block-summary-reader.ts';
import { type Chunk, MAX_READINGS } from './chunk-header.ts';
import { decodeInPlace } from './decimal-encoding.ts';
import { formedValuesIn } from './numbers.ts';
import type { SkippableSource } from './span.ts';
import type { Summary } from './summary.ts';
import { nearTimesIn } from './times.ts';

/** Receives numbers in time order: a zone as its summary where that suffices. */
export interface BlockVisitor {
  /** The time up to which a summary may include readings from `at` on; before `at` if none may. */
  summaryEnd(at: number): number;
  /**
   * The end time is an upper bound: it is before the next zone. The sum is finite. The first and the
   * last value are NaN where the reading before and after has a time of which, together with those
   * of the zone, a summary suffices. The object is reused afterwards.
   */
  addSummary(summary: Summary): void;
  /** The readings from `start` to `end`, exclusive. The arrays are reused afterwards. */
  addReadings(times: Float64Array, values: Float64Array, start: number, end: number): void;
}

// Scratch space: written before they are read, within one synchronous call.
const starts = new Float64Array(MAX_READINGS / BLOCK_SIZE);
const times = new Float64Array(MAX_ZONE_READINGS);
const values = new Float64Array(MAX_ZONE_READINGS);

/**
 * Visits the readings of a chunk within `[from, to]` by its block summaries, and returns how many it
 * decoded. Undefined, with nothing visited or read, when the chunk has no summaries.
 */
export function visitBlocks(
  { version, count, reader }: Chunk,
  from: number,
  to: number,
  visitor: BlockVisitor,
): number | undefined {
  if (version === 1) return undefined;
  const beginning = reader.offset;
  const timeReader = reader.section();
  const valueReader = reader.section();
  const form = reader.byte();
  if (form === NO_SUMMARIES) {
    reader.offset = beginning;
    return undefined;
  }
  const { last, source } = nearTimesIn(timeReader, count);
  const formed = formedValuesIn(valueReader, count);
  const size = zoneSizeOf(form);
  readStarts(reader, count, size, source, starts);
  const index = valueZonesOf(reader, form, formed);
  let decoded = 0;
  for (let zone = 0; zone * size < count; zone += 1) {
    const length = Math.min(size, count - zone * size);
    const start = starts[zone] as number;
    const end = (zone + 1) * size < count ? (starts[zone + 1] as number) - 1 : last;
    if (start > to) break;
    index.next(length);
    const isWithin = start >= from && end <= to;
    if (end < from || (isWithin && addSummary(index, start, end, visitor))) {
      skip(source, length);
      skip(formed.source, length);
      continue;
    }
    source.resume(start);
    index.resume();
    read(source, times, length);
    read(formed.source, values, length);
    if (formed.encoding) decodeInPlace(formed.encoding, values, 0, length);
    addWithin(from, to, length, visitor);
    decoded += length;
  }
  return decoded;
}

/** Returns whether the summary sufficed. */
function addSummary(index: ValueZones, start: number, end: number, visitor: BlockVisitor): boolean {
  if (visitor.summaryEnd(start) < end) return false;
  const summary = index.summary(start, end);
  if (!Number.isFinite(summary.sum)) return false;
  visitor.addSummary(summary);
  return true;
}

function skip(source: SkippableSource, count: number): void {
  for (let left = count; left > 0; left -= BLOCK_SIZE) source.skip();
}

function read(source: SkippableSource, into: Float64Array, count: number): void {
  for (let at = 0; at < count; at += BLOCK_SIZE) source.next(into, at);
}

function addWithin(from: number, to: number, count: number, visitor: BlockVisitor): void {
  let first = 0;
  while (first < count && (times[first] as number) < from) first += 1;
  let end = count;
  while (end > first && (times[end - 1] as number) > to) end -= 1;
  if (end > first) visitor.addReadings(times, values, first, end);
}
