import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import { DamagedChunk } from './damaged-chunk.ts';
import { IntegerReader } from './integer-reader.ts';
import { writeIntegers } from './integer-writer.ts';
import { type Span, visitSpan } from './span.ts';

/** Writes booleans as integers: a block without a change takes two bytes, others a bit per value. */
export function writeBooleans(
  writer: ByteWriter,
  values: ArrayLike<boolean | number>,
  count: number,
  integers: Float64Array,
): void {
  for (let index = 0; index < count; index += 1) integers[index] = values[index] ? 1 : 0;
  writeIntegers(writer, integers, count);
}

/** Reads a span of booleans, as 0 and 1, into `into` from `at` on. */
export function readBooleans(
  reader: ByteReader,
  count: number,
  span: Span,
  into: Uint8Array,
  at: number,
): void {
  visitSpan(new IntegerReader(reader, count), span, (number, index) => {
    if (number !== 0 && number !== 1) throw new DamagedChunk('a value in it is no boolean');
    into[at + index] = number;
  });
}
