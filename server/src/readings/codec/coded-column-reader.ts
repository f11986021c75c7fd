import { ByteReader } from './byte-reader.ts';
import { DamagedChunk } from './damaged-chunk.ts';
import { decodingTable, MAX_SYMBOLS, readLengths } from './huffman.ts';
import { readIntegers } from './integer-reader.ts';
import { MAX_SHIFT, RANGE_SYMBOLS } from './residual-plan.ts';
import { DIFFERENCES, LINES, MAX_SLOPE, SLOPE_BITS } from './zone-models.ts';
import { ZONE_SIZE, zonesOf } from './zone-size.ts';
import { unpackStreams } from './zone-streams.ts';

/** Reads a column that was written as coded zones. */
export class CodedColumn {
  /** The bytes of each zone. */
  readonly sizes: Float64Array;
  /** The step before each zone, or the beginning of its line. */
  readonly bases: Float64Array;
  /** The slopes of lines; undefined for differences. */
  readonly slopes: Int32Array | undefined;
  readonly #low: number;
  readonly #shift: number;
  readonly #lengths: Uint8Array;
  readonly #exceptionCounts: Float64Array | undefined;
  readonly #count: number;

  constructor(reader: ByteReader, count: number) {
    const zones = zonesOf(count);
    const model = reader.byte();
    if (model !== DIFFERENCES && model !== LINES) throw new DamagedChunk('it has no such model');
    this.#count = count;
    this.#low = reader.signed();
    this.#shift = reader.byte();
    if (this.#shift > MAX_SHIFT) throw new DamagedChunk('its residuals are too wide');
    this.#lengths = readLengths(reader);
    this.sizes = readIntegers(reader, zones);
    this.bases = readIntegers(reader, zones);
    this.slopes = model === LINES ? slopesIn(reader, zones) : undefined;
    const hasExceptions = this.#lengths.length === MAX_SYMBOLS;
    this.#exceptionCounts = hasExceptions ? readIntegers(reader, zones) : undefined;
  }

  lengthOf(zone: number): number {
    return Math.min(ZONE_SIZE, this.#count - zone * ZONE_SIZE);
  }

  /** Writes `(first + step * s) / divisor` of the steps of a zone. */
  decode(
    zone: number,
    bytes: Uint8Array,
    into: Float64Array,
    at: number,
    { first, step, divisor }: Scale,
  ): void {
    const count = this.lengthOf(zone);
    const low = this.#low;
    const table = tableOf(this.#lengths, this.#shift);
    const exceptions = this.#exceptionCounts?.[zone] ?? 0;
    if (exceptions > 0) this.#unpackWithExceptions(table, bytes, count, exceptions);
    else unpackStreams(bytes, count, table, this.#shift, residuals);
    const base = this.bases[zone] as number;
    if (this.slopes) {
      const slope = this.slopes[zone] as number;
      addLine(into, at, count, first + step * (base + low), step, slope, divisor);
    } else {
      sumUp(into, at, count, first + step * base, step, low, divisor);
    }
  }

  /** An exception was packed as the end of the range of residuals. */
  #unpackWithExceptions(
    table: Uint32Array,
    bytes: Uint8Array,
    count: number,
    exceptions: number,
  ): void {
    if (exceptions > count) throw new DamagedChunk('it has more exceptions than values');
    const reader = readerOf(bytes);
    const far = Array.from({ length: exceptions }, () => reader.signed());
    unpackStreams(bytes.subarray(reader.offset), count, table, this.#shift, residuals);
    const marker = RANGE_SYMBOLS << this.#shift;
    let next = 0;
    for (let index = 0; index < count; index += 1) {
      if (residuals[index] !== marker) continue;
      residuals[index] = far[next] ?? 0;
      next += 1;
    }
    if (next !== exceptions) throw new DamagedChunk('a zone in it has other exceptions');
  }
}

/** How steps become numbers: `(first + step * s) / divisor`. */
export interface Scale {
  readonly first: number;
  readonly step: number;
  readonly divisor: number;
}

/** The table of the code that was used last: a column decodes several zones in turn. */
let lastTable: Uint32Array = new Uint32Array(0);
let lastLengths: Uint8Array | undefined;

/** The decoding table of a code, which the next call may replace. */
function tableOf(lengths: Uint8Array, shift: number): Uint32Array {
  if (lengths !== lastLengths) {
    lastLengths = undefined;
    lastTable = decodingTable(lengths, shift);
    lastLengths = lengths;
  }
  return lastTable;
}

/** Scratch space: written before it is read, within one synchronous call. */
const residuals = new Int32Array(ZONE_SIZE);

function slopesIn(reader: ByteReader, zones: number): Int32Array {
  const slopes = readIntegers(reader, zones);
  if (slopes.some((slope) => Math.abs(slope) > MAX_SLOPE)) {
    throw new DamagedChunk('a line in it is too steep');
  }
  return new Int32Array(slopes);
}

function readerOf(bytes: Uint8Array): ByteReader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return new ByteReader(bytes, view, 0, bytes.length);
}

function sumUp(
  into: Float64Array,
  at: number,
  count: number,
  base: number,
  step: number,
  low: number,
  divisor: number,
): void {
  const least = step * low;
  let sum = base;
  for (let index = 0; index < count; index += 1) {
    sum += least + step * (residuals[index] as number);
    into[at + index] = sum / divisor;
  }
}

function addLine(
  into: Float64Array,
  at: number,
  count: number,
  base: number,
  step: number,
  slope: number,
  divisor: number,
): void {
  for (let index = 0; index < count; index += 1) {
    const steps = (residuals[index] as number) + (Math.imul(slope, index) >> SLOPE_BITS);
    into[at + index] = (base + step * steps) / divisor;
  }
}
