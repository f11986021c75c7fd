import { BLOCK_SIZE } from './block-plan.ts';
import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import { DamagedChunk } from './damaged-chunk.ts';
import { IntegerReader } from './integer-reader.ts';
import { INTEGER_LIMIT, type Sequence, writeIntegers } from './integer-writer.ts';
import { type Halves, PairReader, writePairs } from './pairs.ts';
import { type BlockSource, readSpan, type Span } from './span.ts';

const OFFSETS = 0;
const HALVES = 1;
const HALF = 2 ** 32;

/** The halves of times that are so far apart that their differences are not exact. */
const FAR: Halves = {
  join: (upper, lower) => upper * HALF + lower,
  upperOf: (time) => Math.floor(time / HALF),
  lowerOf: (time) => time - Math.floor(time / HALF) * HALF,
};

// Scratch space: written before it is read, within one synchronous call.
const block = new Float64Array(BLOCK_SIZE);

/**
 * Writes ascending times. `offsets` is scratch space, and holds the steps of the returned sequence
 * afterwards. Undefined when the times are too far apart for one.
 */
export function writeTimes(
  writer: ByteWriter,
  times: ArrayLike<number>,
  count: number,
  offsets: Float64Array,
): Sequence | undefined {
  const first = times[0] as number;
  const last = times[count - 1] as number;
  writer.double(first);
  writer.double(last);
  if (last - first > INTEGER_LIMIT) {
    writer.byte(HALVES);
    writePairs(writer, times, count, FAR);
    return undefined;
  }
  for (let index = 0; index < count; index += 1) offsets[index] = (times[index] as number) - first;
  writer.byte(OFFSETS);
  return writeIntegers(writer, offsets, count);
}

function timesIn(reader: ByteReader, count: number, first: number): BlockSource {
  const form = reader.byte();
  if (form === OFFSETS) return new IntegerReader(reader, count, first);
  if (form === HALVES) return new PairReader(reader, count, FAR);
  throw new DamagedChunk('its times have an unknown form');
}

/** The first and the last time. */
export function endsOf(reader: ByteReader): [number, number] {
  return [reader.double(), reader.double()];
}

/** Times that were written as offsets, with the first and the last. */
export interface NearTimes {
  readonly first: number;
  readonly last: number;
  readonly source: IntegerReader;
}

export function nearTimesIn(reader: ByteReader, count: number): NearTimes {
  const [first, last] = endsOf(reader);
  if (reader.byte() !== OFFSETS) throw new DamagedChunk('its times have no block summaries');
  return { first, last, source: new IntegerReader(reader, count, first) };
}

/**
 * Reads the times within `[from, to]` into `into` from `at` on, and returns their span. Times after
 * `to` are not decoded.
 */
export function readTimes(
  reader: ByteReader,
  count: number,
  from: number,
  to: number,
  into: Float64Array,
  at: number,
): Span {
  const [first, last] = endsOf(reader);
  if (last < from || first > to) return { first: 0, end: 0 };
  const source = timesIn(reader, count, first);
  if (first < from || last > to) return readSome(source, from, to, into, at);
  const all = { first: 0, end: count };
  checkRoom(into, at + count);
  readSpan(source, all, into, at);
  return all;
}

function readSome(
  source: BlockSource,
  from: number,
  to: number,
  into: Float64Array,
  at: number,
): Span {
  let skipped = 0;
  let end = at;
  for (let length = source.pending; length > 0; length = source.pending) {
    source.next(block, 0);
    let low = 0;
    while (low < length && (block[low] as number) < from) low += 1;
    let high = length;
    while (high > low && (block[high - 1] as number) > to) high -= 1;
    checkRoom(into, end + high - low);
    for (let index = low; index < high; index += 1)
      into[end + index - low] = block[index] as number;
    skipped += low;
    end += high - low;
    if (high < length) break;
  }
  return { first: skipped, end: skipped + end - at };
}

function checkRoom(into: Float64Array, end: number): void {
  if (end > into.length) throw new RangeError('There is no room for so many times.');
}
