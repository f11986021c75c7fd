import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import { type Halves, PairReader, writePairs } from './pairs.ts';
import type { SkippableSource } from './span.ts';

// Scratch space: written before it is read, within one synchronous call.
const bits = new DataView(new ArrayBuffer(8));

/** The upper half has sign, exponent and the leading bits of the fraction. */
const HALVES: Halves = {
  join(upper, lower) {
    bits.setInt32(0, upper);
    bits.setUint32(4, lower);
    return bits.getFloat64(0);
  },
  upperOf(value) {
    if (!Number.isFinite(value)) throw new RangeError(`The value ${value} is not finite.`);
    bits.setFloat64(0, value);
    return bits.getInt32(0);
  },
  lowerOf(value) {
    bits.setFloat64(0, value);
    return bits.getUint32(4);
  },
};

/** Writes any finite values losslessly as raw doubles. */
export function writeDoubles(writer: ByteWriter, values: Float64Array, count: number): void {
  writePairs(writer, values, count, HALVES);
}

/** Reads raw doubles. */
export function doublesIn(reader: ByteReader, count: number): SkippableSource {
  return new PairReader(reader, count, HALVES);
}
