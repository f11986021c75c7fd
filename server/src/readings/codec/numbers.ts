import type { ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import { DamagedChunk } from './damaged-chunk.ts';
import {
  type DecimalEncoding,
  decimalEncodingWithCode,
  decodeInPlace,
  type Fit,
  fitDecimals,
} from './decimal-encoding.ts';
import { doublesIn, writeDoubles } from './doubles.ts';
import { IntegerReader } from './integer-reader.ts';
import { type Sequence, writeIntegers } from './integer-writer.ts';
import { readSpan, type SkippableSource, type Span } from './span.ts';

/** Not the code of a decimal encoding: the values are raw doubles. */
const RAW_DOUBLES = 255;
/** Decimals that take more bytes per value than this are compared with raw doubles. */
const DOUBTFUL_BYTES = 2;

/**
 * How values were written: as raw doubles, or as decimals without exceptions. `undefined` represents
 * decimals with exceptions.
 */
export type ValueForm =
  | 'DOUBLES'
  | { readonly encoding: DecimalEncoding; readonly sequence: Sequence };

/**
 * Writes values as decimals or raw doubles, whichever are smaller. `integers` is scratch space, and
 * holds the steps of the returned sequence afterwards.
 */
export function writeNumbers(
  writer: ByteWriter,
  values: Float64Array,
  count: number,
  integers: Float64Array,
): ValueForm | undefined {
  const start = writer.length;
  const fit = fitDecimals(values, count, integers);
  if (fit) {
    const { encoding, exceptions } = fit;
    const sequence = writeFit(writer, values, count, integers, fit);
    const form = exceptions.length === 0 ? { encoding, sequence } : undefined;
    const size = writer.length - start;
    if (size <= DOUBTFUL_BYTES * count) return form;
    const plain = new ByteWriter(8 * count);
    writePlain(plain, values, count);
    if (size <= plain.length) return form;
    writer.length = start;
    writer.append(plain.bytes.subarray(0, plain.length));
  } else {
    writePlain(writer, values, count);
  }
  return 'DOUBLES';
}

function writePlain(writer: ByteWriter, values: Float64Array, count: number): void {
  writer.byte(RAW_DOUBLES);
  writeDoubles(writer, values, count);
}

function writeFit(
  writer: ByteWriter,
  values: Float64Array,
  count: number,
  integers: Float64Array,
  { encoding, exceptions }: Fit,
): Sequence {
  writer.byte(encoding.code);
  writer.varint(exceptions.length);
  if (exceptions.length > 0) {
    writeIntegers(writer, Float64Array.from(exceptions), exceptions.length);
    const exceptionValues = Float64Array.from(exceptions, (index) => values[index] as number);
    writeDoubles(writer, exceptionValues, exceptionValues.length);
  }
  return writeIntegers(writer, integers, count);
}

/** Reads a span of numbers into `into` from `at` on. */
export function readNumbers(
  reader: ByteReader,
  count: number,
  span: Span,
  into: Float64Array,
  at: number,
): void {
  const code = reader.byte();
  if (code === RAW_DOUBLES) {
    readSpan(doublesIn(reader, count), span, into, at);
    return;
  }
  const encoding = decimalEncodingOf(code);
  const exceptionCount = reader.varint();
  if (exceptionCount > count) throw new DamagedChunk('it has more exceptions than values');
  const [indexes, exceptionValues] = readExceptions(reader, exceptionCount);
  const { first, end } = span;
  readSpan(new IntegerReader(reader, count), span, into, at);
  decodeInPlace(encoding, into, at, at + end - first);
  for (let exception = 0; exception < exceptionCount; exception += 1) {
    const index = indexes[exception] as number;
    if (index >= first && index < end)
      into[at + index - first] = exceptionValues[exception] as number;
  }
}

function decimalEncodingOf(code: number): DecimalEncoding {
  const encoding = decimalEncodingWithCode(code);
  if (!encoding) throw new DamagedChunk('its values have an unknown form');
  return encoding;
}

/** Values that block summaries can describe. */
export type FormedValues =
  | { readonly encoding: DecimalEncoding; readonly source: IntegerReader }
  | { readonly encoding: undefined; readonly source: SkippableSource };

export function formedValuesIn(reader: ByteReader, count: number): FormedValues {
  const code = reader.byte();
  if (code === RAW_DOUBLES) return { encoding: undefined, source: doublesIn(reader, count) };
  const encoding = decimalEncodingOf(code);
  if (reader.varint() !== 0) throw new DamagedChunk('it has exceptions and block summaries');
  return { encoding, source: new IntegerReader(reader, count) };
}

function readExceptions(reader: ByteReader, count: number): [Float64Array, Float64Array] {
  const indexes = new Float64Array(count);
  const values = new Float64Array(count);
  if (count > 0) {
    const all = { first: 0, end: count };
    readSpan(new IntegerReader(reader, count), all, indexes, 0);
    readSpan(doublesIn(reader, count), all, values, 0);
  }
  return [indexes, values];
}
