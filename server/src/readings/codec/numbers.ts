import type { ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import { DamagedChunk } from './damaged-chunk.ts';
import {
  type Fit,
  fitLattice,
  type Lattice,
  latticeWithCode,
  restore,
} from './decimal-encoding.ts';
import { doublesIn, writeDoubles } from './doubles.ts';
import { IntegerReader } from './integer-reader.ts';
import { type Sequence, writeIntegers } from './integer-writer.ts';
import { readSpan, type SkippableSource, type Span } from './span.ts';

/** Not the code of a lattice: the values are written by their bits. */
const NO_LATTICE = 255;
/** A lattice that takes more bytes a value than this may be worse than none. */
const DOUBTFUL_BYTES = 2;

/**
 * How values were written: by their bits, or all on a lattice. `undefined` stands for most on a
 * lattice.
 */
export type ValueForm = 'DOUBLES' | { readonly lattice: Lattice; readonly sequence: Sequence };

/**
 * Writes values in the smaller of two ways. `integers` is room for as many numbers, and has the
 * steps of the answered sequence afterwards.
 */
export function writeNumbers(
  writer: ByteWriter,
  values: Float64Array,
  count: number,
  integers: Float64Array,
): ValueForm | undefined {
  const start = writer.length;
  const fit = fitLattice(values, count, integers);
  if (fit) {
    const { lattice, misses } = fit;
    const sequence = writeFit(writer, values, count, integers, fit);
    const form = misses.length === 0 ? { lattice, sequence } : undefined;
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
  writer.byte(NO_LATTICE);
  writeDoubles(writer, values, count);
}

function writeFit(
  writer: ByteWriter,
  values: Float64Array,
  count: number,
  integers: Float64Array,
  { lattice, misses }: Fit,
): Sequence {
  writer.byte(lattice.code);
  writer.varint(misses.length);
  if (misses.length > 0) {
    writeIntegers(writer, Float64Array.from(misses), misses.length);
    const missed = Float64Array.from(misses, (index) => values[index] as number);
    writeDoubles(writer, missed, missed.length);
  }
  return writeIntegers(writer, integers, count);
}

/** Reads a span of what writeNumbers wrote into `into`, from `at` on. */
export function readNumbers(
  reader: ByteReader,
  count: number,
  span: Span,
  into: Float64Array,
  at: number,
): void {
  const code = reader.byte();
  if (code === NO_LATTICE) {
    readSpan(doublesIn(reader, count), span, into, at);
    return;
  }
  const lattice = latticeOf(code);
  const missCount = reader.varint();
  if (missCount > count) throw new DamagedChunk('it has more exceptions than values');
  const [indexes, missed] = readMisses(reader, missCount);
  const { first, end } = span;
  readSpan(new IntegerReader(reader, count), span, into, at);
  restore(lattice, into, at, at + end - first);
  for (let miss = 0; miss < missCount; miss += 1) {
    const index = indexes[miss] as number;
    if (index >= first && index < end) into[at + index - first] = missed[miss] as number;
  }
}

function latticeOf(code: number): Lattice {
  const lattice = latticeWithCode(code);
  if (!lattice) throw new DamagedChunk('its values have an unknown form');
  return lattice;
}

/** Values of which a form was answered. */
export type FormedValues =
  | { readonly lattice: Lattice; readonly source: IntegerReader }
  | { readonly lattice: undefined; readonly source: SkippableSource };

export function formedValuesIn(reader: ByteReader, count: number): FormedValues {
  const code = reader.byte();
  if (code === NO_LATTICE) return { lattice: undefined, source: doublesIn(reader, count) };
  const lattice = latticeOf(code);
  if (reader.varint() !== 0) throw new DamagedChunk('it has exceptions, and an index');
  return { lattice, source: new IntegerReader(reader, count) };
}

function readMisses(reader: ByteReader, count: number): [Float64Array, Float64Array] {
  const indexes = new Float64Array(count);
  const values = new Float64Array(count);
  if (count > 0) {
    const all = { first: 0, end: count };
    readSpan(new IntegerReader(reader, count), all, indexes, 0);
    readSpan(doublesIn(reader, count), all, values, 0);
  }
  return [indexes, values];
}
