import { putPlain, putSimilar, type UpperDigits } from './json-digits.ts';

/*
 * Loops for numbers that follow each other and are of one kind, as they are in a column: so small that the
 * compiler puts the writing of a number into them, which doubles their speed.
 */

const COMMA = 0x2c;

/** ASCII in little-endian words, the last of them filled up: a few stores write it. */
export interface Words {
  readonly words: Uint32Array;
  readonly length: number;
}

/** What stands before, between and behind the two numbers of an object. */
export interface RecordWords {
  readonly head: Words;
  readonly middle: Words;
  readonly tail: Words;
}

/** The number that is next, and where it goes. */
export interface Cursor {
  index: number;
  at: number;
}

/** Writes plain numbers, each with a comma behind it, up to the first one that is not. */
export function putPlainRun(
  view: DataView,
  cursor: Cursor,
  values: Float64Array,
  end: number,
  places: number,
): void {
  let { index, at } = cursor;
  for (; index < end; index += 1) {
    const next = putPlain(view, at, values[index] as number, places);
    if (next === 0) break;
    view.setUint8(next, COMMA);
    at = next + 1;
  }
  cursor.index = index;
  cursor.at = at;
}

/** The same of long integers with the same upper digits. */
export function putSimilarRun(
  view: DataView,
  cursor: Cursor,
  values: Float64Array,
  end: number,
  upper: UpperDigits,
): void {
  let { index, at } = cursor;
  for (; index < end; index += 1) {
    const next = putSimilar(view, at, values[index] as number, upper);
    if (next === 0) break;
    view.setUint8(next, COMMA);
    at = next + 1;
  }
  cursor.index = index;
  cursor.at = at;
}

/** Writes objects of a long integer with the same upper digits and a plain number. */
export function putRecordRun(
  view: DataView,
  cursor: Cursor,
  { head, middle, tail }: RecordWords,
  first: Float64Array,
  second: Float64Array,
  end: number,
  upper: UpperDigits,
  places: number,
): void {
  let { index, at } = cursor;
  for (; index < end; index += 1) {
    const long = putSimilar(view, putWords(view, at, head), first[index] as number, upper);
    if (long === 0) break;
    const plain = putPlain(view, putWords(view, long, middle), second[index] as number, places);
    if (plain === 0) break;
    at = putWords(view, plain, tail);
  }
  cursor.index = index;
  cursor.at = at;
}

export function wordsOf(text: string): Words {
  const filled = Buffer.alloc(4 * Math.ceil(text.length / 4));
  filled.write(text, 'latin1');
  const words = new Uint32Array(filled.length / 4);
  for (const index of words.keys()) words[index] = filled.readUInt32LE(4 * index);
  return { words, length: text.length };
}

/** May change up to three bytes behind the text. */
export function putWords(view: DataView, at: number, { words, length }: Words): number {
  for (let index = 0; index < words.length; index += 1) {
    view.setUint32(at + 4 * index, words[index] as number, true);
  }
  return at + length;
}
