import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import { DamagedChunk } from './damaged-chunk.ts';
import { IntegerReader } from './integer-reader.ts';
import { writeIntegers } from './integer-writer.ts';
import { type Span, visitSpan } from './span.ts';

/** The maximum size of the dictionary of a chunk. */
const MAX_TEXT_BYTES = 64 * 2 ** 20;

const LONE_SURROGATE = /\p{Surrogate}/u;
const UTF16_FLAG = 1;

/** Writes a dictionary of the strings, and the index of each value in it. */
export function writeStrings(
  writer: ByteWriter,
  values: readonly string[],
  count: number,
  indexes: Float64Array,
): void {
  writeDictionary(writer, values, count, indexes);
  writeIntegers(writer, indexes, count);
}

/** Writes a dictionary of the strings, and fills `indexes` with the index of each value in it. */
export function writeDictionary(
  writer: ByteWriter,
  values: readonly string[],
  count: number,
  indexes: Float64Array,
): void {
  const indexOfText = new Map<string, number>();
  for (let index = 0; index < count; index += 1) {
    const value = values[index] as string;
    let entry = indexOfText.get(value);
    if (entry === undefined) {
      entry = indexOfText.size;
      indexOfText.set(value, entry);
    }
    indexes[index] = entry;
  }
  writer.varint(indexOfText.size);
  writer.section(() => {
    const start = writer.length;
    for (const text of indexOfText.keys()) {
      writeText(writer, text);
      if (writer.length - start > MAX_TEXT_BYTES) {
        throw new RangeError(`The strings of a chunk have more than ${MAX_TEXT_BYTES} bytes.`);
      }
    }
  });
}

/** How many of the first strings have together at most so many bytes, each text counted once. */
export function countOfTexts(values: readonly string[], count: number, maxBytes: number): number {
  const texts = new Set<string>();
  let bytes = 0;
  for (let index = 0; index < count; index += 1) {
    const value = values[index] as string;
    if (texts.has(value)) continue;
    texts.add(value);
    bytes += Buffer.byteLength(value);
    if (bytes > maxBytes) return index;
  }
  return count;
}

/** Text with a lone surrogate has no UTF-8 encoding and is written as UTF-16. */
function writeText(writer: ByteWriter, text: string): void {
  const isLone = LONE_SURROGATE.test(text);
  const bytes = Buffer.from(text, isLone ? 'utf16le' : 'utf8');
  writer.varint(bytes.length * 2 + (isLone ? UTF16_FLAG : 0));
  writer.append(bytes);
}

/** Reads a span of strings into `into` from `at` on. */
export function readStrings(
  reader: ByteReader,
  count: number,
  span: Span,
  into: string[],
  at: number,
): void {
  const textAt = readDictionary(reader, count);
  visitSpan(new IntegerReader(reader, count), span, (entry, index) => {
    into[at + index] = textAt(entry);
  });
}

/** Reads a dictionary of strings, which it returns by index. */
export function readDictionary(reader: ByteReader, count: number): (entry: number) => string {
  const size = reader.varint();
  if (size > count) throw new DamagedChunk('it has more strings than values');
  return dictionary(reader.section(), size);
}

/** Returns strings by index. Only requested strings are decoded. */
function dictionary(reader: ByteReader, size: number): (entry: number) => string {
  const texts = new Array<string | undefined>(size);
  const heads = new Array<number>(size);
  const starts = new Array<number>(size);
  for (let entry = 0; entry < size; entry += 1) {
    const head = reader.varint();
    heads[entry] = head;
    starts[entry] = reader.take(Math.floor(head / 2));
  }
  const { buffer, byteOffset, length } = reader.bytes;
  const bytes = Buffer.from(buffer, byteOffset, length);
  return (entry) => {
    const known = texts[entry];
    if (known !== undefined) return known;
    const head = heads[entry];
    const start = starts[entry];
    if (head === undefined || start === undefined) {
      throw new DamagedChunk('a value in it is not among its strings');
    }
    const encoding = head % 2 === UTF16_FLAG ? 'utf16le' : 'utf8';
    const text = bytes.toString(encoding, start, start + Math.floor(head / 2));
    texts[entry] = text;
    return text;
  };
}
