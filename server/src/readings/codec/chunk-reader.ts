import type { Columns, Kind, NumberColumns } from '../columns/index.ts';
import { type BlockVisitor, visitBlocks } from './block-visitor.ts';
import { readBooleans } from './booleans.ts';
import { type Chunk, openChunk } from './chunk-header.ts';
import { DamagedChunk } from './damaged-chunk.ts';
import { readNumbers } from './numbers.ts';
import { readStrings } from './strings.ts';
import { endsOf, readTimes } from './times.ts';
import { isZoned } from './zoned-chunk-header.ts';
import { fillZoned, openZoned, visitZoned } from './zoned-chunk-reader.ts';

/** All readings of a chunk. Throws DamagedChunk. */
export function decode(bytes: Uint8Array): Columns {
  if (isZoned(bytes)) {
    const zoned = openZoned(bytes);
    const columns = columnsFor(zoned);
    fillZoned(zoned, -Infinity, Infinity, columns, 0);
    return columns;
  }
  const chunk = openChunk(bytes);
  const columns = columnsFor(chunk);
  fill(chunk, -Infinity, Infinity, columns, 0);
  return columns;
}

/**
 * Decodes the readings with times within `[from, to]` into columns from `at` on, and returns how
 * many. The rest of the columns is not changed, and nothing is allocated for readings outside. Throws
 * DamagedChunk, also for a chunk of another kind, and RangeError when the columns are too short.
 */
export function decodeRange(
  bytes: Uint8Array,
  from: number,
  to: number,
  into: Columns,
  at: number,
): number {
  if (isZoned(bytes)) return fillZoned(openZonedAs(into.kind, bytes), from, to, into, at);
  const chunk = openAs(into.kind, bytes);
  const taken = into.kind === 'NUMBER' ? gather(chunk, from, to, into, at) : undefined;
  return taken ?? fill(chunk, from, to, into, at);
}

/** Reads a range that begins or ends within a chunk by its block summaries, if it has some. */
function gather(
  chunk: Chunk,
  from: number,
  to: number,
  into: NumberColumns,
  at: number,
): number | undefined {
  if (isWhole(chunk, from, to)) return undefined;
  let end = at;
  const visited = visitBlocks(chunk, from, to, {
    summaryEnd: () => -Infinity,
    addSummary: () => undefined,
    addReadings(times, values, first, stop) {
      const next = end + stop - first;
      if (next > into.times.length || next > into.values.length) {
        throw new RangeError('There is no room for so many readings.');
      }
      for (let index = first; index < stop; index += 1) {
        into.times[end + index - first] = times[index] as number;
        into.values[end + index - first] = values[index] as number;
      }
      end = next;
    },
  });
  return visited === undefined ? undefined : end - at;
}

/** Whether all readings of a chunk are in a range. */
function isWhole({ reader }: Chunk, from: number, to: number): boolean {
  const beginning = reader.offset;
  const [first, last] = endsOf(reader.section());
  reader.offset = beginning;
  return first >= from && last <= to;
}

/**
 * Passes the numbers with times within `[from, to]` to a visitor, as summaries where these suffice,
 * and returns how many readings were decoded. Throws DamagedChunk, also for a chunk of another kind.
 */
export function visitNumbers(
  bytes: Uint8Array,
  from: number,
  to: number,
  visitor: BlockVisitor,
): number {
  if (isZoned(bytes)) return visitZoned(openZonedAs('NUMBER', bytes), from, to, visitor);
  const chunk = openAs('NUMBER', bytes);
  const decoded = visitBlocks(chunk, from, to, visitor);
  if (decoded !== undefined) return decoded;
  const times = new Float64Array(chunk.count);
  const values = new Float64Array(chunk.count);
  const count = fill(chunk, from, to, { kind: 'NUMBER', times, values }, 0);
  if (count > 0) visitor.addReadings(times, values, 0, count);
  return count;
}

function openAs(kind: Kind, bytes: Uint8Array): Chunk {
  const chunk = openChunk(bytes);
  checkKind(chunk, kind);
  return chunk;
}

function openZonedAs(kind: Kind, bytes: Uint8Array): ReturnType<typeof openZoned> {
  const chunk = openZoned(bytes);
  checkKind(chunk, kind);
  return chunk;
}

function checkKind(chunk: { readonly kind: Kind }, kind: Kind): void {
  if (chunk.kind !== kind) throw new DamagedChunk(`its kind is ${chunk.kind}, not ${kind}`);
}

function columnsFor({ kind, count }: Pick<Chunk, 'kind' | 'count'>): Columns {
  const times = new Float64Array(count);
  switch (kind) {
    case 'NUMBER':
      return { kind, times, values: new Float64Array(count) };
    case 'BOOLEAN':
      return { kind, times, values: new Uint8Array(count) };
    case 'STRING':
      return { kind, times, values: new Array<string>(count) };
  }
}

function fill(
  { version, count, reader }: Chunk,
  from: number,
  to: number,
  into: Columns,
  at: number,
): number {
  const span = readTimes(reader.section(), count, from, to, into.times, at);
  const taken = span.end - span.first;
  if (into.kind !== 'STRING' && at + taken > into.values.length) {
    throw new RangeError('There is no room for the values.');
  }
  if (taken === 0) return 0;
  const valueReader = version === 1 ? reader : reader.section();
  switch (into.kind) {
    case 'NUMBER':
      readNumbers(valueReader, count, span, into.values, at);
      break;
    case 'BOOLEAN':
      readBooleans(valueReader, count, span, into.values, at);
      break;
    case 'STRING':
      readStrings(valueReader, count, span, into.values, at);
      break;
  }
  return taken;
}
