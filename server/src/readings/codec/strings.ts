import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import { DamagedChunk } from './damaged-chunk.ts';
import { IntegerReader } from './integer-reader.ts';
import { writeIntegers } from './integer-writer.ts';
import { type Span, visitSpan } from './span.ts';

/** The different strings of a chunk may have so many bytes in all, with their lengths. */
const MAX_TEXT_BYTES = 64 * 2 ** 20;

const LONE_SURROGATE = /\p{Surrogate}/u;
const UTF16_FLAG = 1;

/** Writes every different string once, and for each reading which one it is. */
export function writeStrings(
  writer: ByteWriter,
  values: readonly string[],
  count: number,
  indexes: Float64Array,
): void {
  const places = new Map<string, number>();
  for (let index = 0; index < count; index += 1) {
    const value = values[index] as string;
    let place = places.get(value);
    if (place === undefined) {
      place = places.size;
      places.set(value, place);
    }
    indexes[index] = place;
  }
  writer.varint(places.size);
  writer.section(() => {
    const start = writer.length;
    for (const text of places.keys()) {
      writeText(writer, text);
      if (writer.length - start > MAX_TEXT_BYTES) {
        throw new RangeError(`The strings of a chunk have more than ${MAX_TEXT_BYTES} bytes.`);
      }
    }
  });
  writeIntegers(writer, indexes, count);
}

/** Text that is not well formed has no UTF-8, and is kept as it is in memory. */
function writeText(writer: ByteWriter, text: string): void {
  const isLone = LONE_SURROGATE.test(text);
  const bytes = Buffer.from(text, isLone ? 'utf16le' : 'utf8');
  writer.varint(bytes.length * 2 + (isLone ? UTF16_FLAG : 0));
  writer.append(bytes);
}

/** Reads a span of what writeStrings wrote into `into`, from `at` on. */
export function readStrings(
  reader: ByteReader,
  count: number,
  span: Span,
  into: string[],
  at: number,
): void {
  const size = reader.varint();
  if (size > count) throw new DamagedChunk('it has more strings than values');
  const textAt = dictionary(reader.section(), size);
  visitSpan(new IntegerReader(reader, count), span, (number, place) => {
    into[at + place] = textAt(number);
  });
}

/** Finds the strings by their number. Only those that are asked for are made. */
function dictionary(reader: ByteReader, size: number): (place: number) => string {
  const texts = new Array<string | undefined>(size);
  const heads = new Array<number>(size);
  const starts = new Array<number>(size);
  for (let place = 0; place < size; place += 1) {
    const head = reader.varint();
    heads[place] = head;
    starts[place] = reader.take(Math.floor(head / 2));
  }
  const { buffer, byteOffset, length } = reader.bytes;
  const bytes = Buffer.from(buffer, byteOffset, length);
  return (place) => {
    const known = texts[place];
    if (known !== undefined) return known;
    const head = heads[place];
    const start = starts[place];
    if (head === undefined || start === undefined) {
      throw new DamagedChunk('a value in it is not among its strings');
    }
    const encoding = head % 2 === UTF16_FLAG ? 'utf16le' : 'utf8';
    const text = bytes.toString(encoding, start, start + Math.floor(head / 2));
    texts[place] = text;
    return text;
  };
}
