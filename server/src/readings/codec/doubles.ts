import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import { PairReader, writePairs } from './pairs.ts';
import type { BlockSource } from './span.ts';

// Written before it is read, within one call that never waits.
const bits = new DataView(new ArrayBuffer(8));

/** Writes any finite values by their bits: sign, exponent and leading digits, then the rest. */
export function writeDoubles(writer: ByteWriter, values: Float64Array, count: number): void {
  const upperAt = (index: number) => {
    const value = values[index] as number;
    if (!Number.isFinite(value)) throw new RangeError(`The value ${value} is not finite.`);
    bits.setFloat64(0, value);
    return bits.getInt32(0);
  };
  const lowerAt = (index: number) => {
    bits.setFloat64(0, values[index] as number);
    return bits.getUint32(4);
  };
  writePairs(writer, count, upperAt, lowerAt);
}

/** Reads what writeDoubles wrote. */
export function doublesIn(reader: ByteReader, count: number): BlockSource {
  return new PairReader(reader, count, join);
}

function join(upper: number, lower: number): number {
  bits.setInt32(0, upper);
  bits.setUint32(4, lower);
  return bits.getFloat64(0);
}
