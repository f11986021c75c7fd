import { BLOCK_SIZE } from './block-plan.ts';
import { LARGEST_PART, NO_INDEX, partSizeOf } from './block-summary-form.ts';
import { readStarts, type ValueIndex, valueIndexOf } from './block-summary-reader.ts';
import { type Chunk, MAX_READINGS } from './chunk-header.ts';
import { restore } from './decimal-encoding.ts';
import { formedValuesIn } from './numbers.ts';
import type { SkippableSource } from './span.ts';
import type { Summary } from './summary.ts';
import { nearTimesIn } from './times.ts';

/** Takes numbers in the order of time: a part as its summary where that is enough. */
export interface BlockVisitor {
  /** Whether a summary is enough of readings from a time up to another one. */
  isEnough(firstAt: number, lastAt: number): boolean;
  /** Its end is only known to be before the next part. Its sum is finite. */
  addSummary(summary: Summary): void;
  /** Those from `start` up to, without, `end`. The arrays are used again afterwards. */
  addReadings(times: Float64Array, values: Float64Array, start: number, end: number): void;
}

// Written before they are read, within one call that never waits.
const starts = new Float64Array(MAX_READINGS / BLOCK_SIZE);
const times = new Float64Array(LARGEST_PART);
const values = new Float64Array(LARGEST_PART);

/**
 * Visits the readings of a chunk within `[from, to]`, by its index, and answers how many of them it
 * decoded. Undefined, and nothing is visited or read, when the chunk has none.
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
  if (form === NO_INDEX) {
    reader.offset = beginning;
    return undefined;
  }
  const { last, source } = nearTimesIn(timeReader, count);
  const formed = formedValuesIn(valueReader, count);
  const size = partSizeOf(form);
  readStarts(reader, count, size, source, starts);
  const index = valueIndexOf(reader, form, formed);
  let decoded = 0;
  for (let part = 0; part * size < count; part += 1) {
    const length = Math.min(size, count - part * size);
    const start = starts[part] as number;
    const end = (part + 1) * size < count ? (starts[part + 1] as number) - 1 : last;
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
    if (formed.lattice) restore(formed.lattice, values, 0, length);
    addWithin(from, to, length, visitor);
    decoded += length;
  }
  return decoded;
}

/** Whether it is enough. */
function addSummary(index: ValueIndex, start: number, end: number, visitor: BlockVisitor): boolean {
  if (!visitor.isEnough(start, end)) return false;
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
