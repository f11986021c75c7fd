import type { Columns, Kind } from '../columns/index.ts';
import { BLOCK_SIZE } from './block-plan.ts';
import { writeBlockSummaries } from './block-summary-writer.ts';
import { writeBooleans } from './booleans.ts';
import { ByteWriter } from './byte-writer.ts';
import { appendChecksum, MAX_READINGS, writeHead } from './chunk-header.ts';
import { writeNumbers } from './numbers.ts';
import { countOfTexts, writeStrings } from './strings.ts';
import { writeTimes } from './times.ts';
import { type EncodedPart, encodeZoned, type ZonedColumns } from './zoned-chunk-writer.ts';

/** With fewer readings, the code of residuals is too large a part of the chunk. */
export const MIN_ZONED_READINGS = 2_048;
const MAX_TIME = Number.MAX_SAFE_INTEGER;

// Scratch arrays: written before they are read, within one synchronous call. Allocating them would
// take a good part of the time. Memory is taken only as far as it was ever used.
const room = new Float64Array(MAX_READINGS);
const timeRoom = new Float64Array(MAX_READINGS);

/** Encodes readings with finite numbers losslessly. Times are ascending integers. */
export function encodeNumbers(
  times: ArrayLike<number>,
  values: Float64Array | readonly number[],
  count: number,
): Uint8Array {
  const doubles = values instanceof Float64Array ? values : new Float64Array(values);
  return encodeWhole(times, { kind: 'NUMBER', values: doubles }, count);
}

/** Encodes readings with booleans; a number is true unless it is 0. */
export function encodeBooleans(
  times: ArrayLike<number>,
  values: ArrayLike<boolean | number>,
  count: number,
): Uint8Array {
  return encodeWhole(times, { kind: 'BOOLEAN', values }, count);
}

/** Encodes readings with any strings. */
export function encodeStrings(
  times: ArrayLike<number>,
  values: readonly string[],
  count: number,
): Uint8Array {
  return encodeWhole(times, { kind: 'STRING', values }, count);
}

function encodeWhole(times: ArrayLike<number>, columns: ZonedColumns, count: number): Uint8Array {
  checkColumns(times, columns.values, count);
  const zoned =
    count >= MIN_ZONED_READINGS ? encodeZoned(times, columns, count, Infinity) : undefined;
  return zoned?.bytes ?? encodeUnzoned(times, columns, count);
}

/** Strings are encoded whatever their size, up to so many. */
const MAX_READINGS_OF_LONG_STRINGS = 1_024;

/** Encodes as many of the first readings as fit into `maxBytes`, except where a few are longer. */
export function encodePart(columns: Columns, maxBytes: number): EncodedPart {
  const { times } = columns;
  checkColumns(times, columns.values, times.length);
  const [least, most] = limitsOf(columns, maxBytes);
  const zoned =
    most >= MIN_ZONED_READINGS ? encodeZoned(times, columns, most, maxBytes) : undefined;
  if (zoned) return zoned;
  for (let count = most; ; ) {
    const bytes = encodeUnzoned(times, columns, count);
    if (bytes.length <= maxBytes || count <= least) return { bytes, count };
    count = Math.max(least, Math.floor((count * maxBytes) / bytes.length));
  }
}

/** How many readings a part has at least, if there are so many, and at most. */
function limitsOf(columns: Columns, maxBytes: number): [number, number] {
  const count = columns.times.length;
  if (columns.kind !== 'STRING') return [1, count];
  const least = Math.min(MAX_READINGS_OF_LONG_STRINGS, count);
  return [least, Math.max(least, countOfTexts(columns.values, count, maxBytes))];
}

function encodeUnzoned(times: ArrayLike<number>, columns: ZonedColumns, count: number): Uint8Array {
  switch (columns.kind) {
    case 'NUMBER':
      // The summary of a single block would repeat the summary of the chunk.
      if (count > BLOCK_SIZE) return encodeSummarized(times, columns.values, count);
      return encode('NUMBER', times, count, (writer) => {
        writeNumbers(writer, columns.values, count, room);
      });
    case 'BOOLEAN':
      return encode('BOOLEAN', times, count, (writer) =>
        writeBooleans(writer, columns.values, count, room),
      );
    case 'STRING':
      return encode('STRING', times, count, (writer) =>
        writeStrings(writer, columns.values, count, room),
      );
  }
}

function encodeSummarized(
  times: ArrayLike<number>,
  values: Float64Array,
  count: number,
): Uint8Array {
  const writer = new ByteWriter(64 + 4 * count);
  writeHead(writer, 2, 'NUMBER', count);
  const sequence = writer.section(() => writeTimes(writer, times, count, timeRoom));
  const form = writer.section(() => writeNumbers(writer, values, count, room));
  writeBlockSummaries(
    writer,
    count,
    sequence &&
      form && {
        times: { sequence, steps: timeRoom },
        values: { form, steps: room, values },
      },
  );
  return appendChecksum(writer);
}

function encode(
  kind: Kind,
  times: ArrayLike<number>,
  count: number,
  writeValues: (writer: ByteWriter) => void,
): Uint8Array {
  const writer = new ByteWriter(64 + 4 * count);
  writeHead(writer, 1, kind, count);
  writer.section(() => writeTimes(writer, times, count, timeRoom));
  writeValues(writer);
  return appendChecksum(writer);
}

function checkColumns(times: ArrayLike<number>, values: ArrayLike<unknown>, count: number): void {
  if (!Number.isInteger(count) || count < 1 || count > MAX_READINGS) {
    throw new RangeError(`A chunk has 1 to ${MAX_READINGS} readings, not ${count}.`);
  }
  if (times.length < count || values.length < count) {
    throw new RangeError('There are fewer times or values than readings.');
  }
  const bad = firstBadTime(times, count);
  if (bad < 0) return;
  const message = `The time ${times[bad]} is not a safe integer after ${times[bad - 1] ?? 'none'}.`;
  throw new RangeError(message);
}

function firstBadTime(times: ArrayLike<number>, count: number): number {
  let last = -Infinity;
  for (let index = 0; index < count; index += 1) {
    const time = times[index] as number;
    const isSafe = Math.floor(time) === time && time <= MAX_TIME && time >= -MAX_TIME;
    if (!isSafe || time <= last) return index;
    last = time;
  }
  return -1;
}
