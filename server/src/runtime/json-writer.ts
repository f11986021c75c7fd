import {
  EIGHT_DIGITS,
  MAX_PLACES,
  MAX_PLAIN_PLACES,
  MINUS,
  putDecimal,
  putInteger,
  putLongInteger,
  type UpperDigits,
} from './json-digits.ts';
import {
  type Cursor,
  putPlainRun,
  putRecordRun,
  putSimilarRun,
  putWords,
  type RecordWords,
  wordsOf,
} from './json-runs.ts';

const COMMA = 0x2c;
/** The most bytes of one number with a comma: `-2.2250738585072014e-308` has 24. */
const MAX_NUMBER_BYTES = 32;
const NUMBERS_PER_RESERVATION = 1_024;
/** Behind a number that is not of the usual kinds, so many are written before they are tried again. */
const OTHERS_IN_TURN = 8;
const MAX_SAFE = Number.MAX_SAFE_INTEGER;

/** What stands before, between and behind the two numbers of an object. */
interface RecordTexts {
  readonly head: string;
  readonly middle: string;
  readonly tail: string;
}

/**
 * Writes JSON into a buffer, the same bytes as `JSON.stringify`. Digits of integers and of decimals
 * with few places, which most readings are, come from arithmetic on integers instead of text.
 */
export class JsonWriter {
  #bytes: Buffer;
  #view: DataView;
  #at = 0;
  /** The places of the last decimal: the next one of a series usually has as many. */
  #places = 1;
  readonly #upper: UpperDigits = { value: Number.NaN, low: 0, high: 0, length: 0 };

  constructor(capacity = 1_024) {
    this.#bytes = Buffer.allocUnsafe(Math.max(capacity, MAX_NUMBER_BYTES));
    this.#view = viewOf(this.#bytes);
  }

  /** The written bytes, which the next write may change. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#at);
  }

  /** Text that is JSON already. */
  text(json: string): void {
    this.#reserve(3 * json.length);
    this.#at += this.#bytes.write(json, this.#at);
  }

  /** The same as a few bytes of ASCII, which costs less for what is written often. */
  literal(json: Uint8Array): void {
    this.#reserve(json.length);
    const bytes = this.#bytes;
    const at = this.#at;
    for (let index = 0; index < json.length; index += 1) {
      bytes[at + index] = json[index] as number;
    }
    this.#at = at + json.length;
  }

  string(value: string): void {
    this.text(JSON.stringify(value));
  }

  number(value: number): void {
    this.#reserve(MAX_NUMBER_BYTES);
    this.#at = this.#put(this.#at, value);
  }

  /** Numbers with commas between them. */
  numbers(values: Float64Array): void {
    const { length } = values;
    const cursor = { index: 0, at: this.#at };
    while (cursor.index < length) {
      const end = Math.min(cursor.index + NUMBERS_PER_RESERVATION, length);
      this.#reserve((end - cursor.index) * MAX_NUMBER_BYTES);
      this.#putNumbers(cursor, values, end);
      this.#at = cursor.at;
    }
    if (length > 0) this.#at -= 1;
  }

  /** `true` for 1 and `false` for other numbers, with commas between them. */
  booleans(values: Uint8Array): void {
    const { length } = values;
    this.#reserve(length * MAX_NUMBER_BYTES);
    const view = this.#view;
    let at = this.#at;
    for (let index = 0; index < length; index += 1) {
      if (index > 0) view.setUint8(at++, COMMA);
      at = putBoolean(view, at, values[index] as number);
    }
    this.#at = at;
  }

  /** Objects of two numbers each, the second perhaps a boolean, with commas between them. */
  records(texts: RecordTexts, first: Float64Array, second: Float64Array | Uint8Array): void {
    const words = {
      head: wordsOf(texts.head),
      middle: wordsOf(texts.middle),
      tail: wordsOf(`${texts.tail},`),
    };
    const textBytes = words.head.length + words.middle.length + words.tail.length;
    const { length } = first;
    const cursor = { index: 0, at: this.#at };
    while (cursor.index < length) {
      const end = Math.min(cursor.index + NUMBERS_PER_RESERVATION, length);
      this.#reserve((end - cursor.index) * (textBytes + 2 * MAX_NUMBER_BYTES));
      if (second instanceof Uint8Array) this.#putSwitches(cursor, words, first, second, end);
      else this.#putRecords(cursor, words, first, second, end);
      this.#at = cursor.at;
    }
    if (length > 0) this.#at -= 1;
  }

  #putRecords(
    cursor: Cursor,
    words: RecordWords,
    first: Float64Array,
    second: Float64Array,
    end: number,
  ): void {
    const view = this.#view;
    while (cursor.index < end) {
      const places = this.#places;
      if (places <= MAX_PLAIN_PLACES) {
        putRecordRun(view, cursor, words, first, second, end, this.#upper, places);
      }
      const others = Math.min(cursor.index + OTHERS_IN_TURN, end);
      for (; cursor.index < others; cursor.index += 1) {
        const time = putWords(view, cursor.at, words.head);
        const between = this.#put(time, first[cursor.index] as number);
        const value = putWords(view, between, words.middle);
        cursor.at = putWords(view, this.#put(value, second[cursor.index] as number), words.tail);
      }
    }
  }

  #putSwitches(
    cursor: Cursor,
    words: RecordWords,
    first: Float64Array,
    second: Uint8Array,
    end: number,
  ): void {
    const view = this.#view;
    let { index, at } = cursor;
    for (; index < end; index += 1) {
      at = this.#put(putWords(view, at, words.head), first[index] as number);
      at = putBoolean(view, putWords(view, at, words.middle), second[index] as number);
      at = putWords(view, at, words.tail);
    }
    cursor.index = index;
    cursor.at = at;
  }

  /** Writes numbers, each with a comma behind it. */
  #putNumbers(cursor: Cursor, values: Float64Array, end: number): void {
    const view = this.#view;
    while (cursor.index < end) {
      putSimilarRun(view, cursor, values, end, this.#upper);
      if (this.#places <= MAX_PLAIN_PLACES) putPlainRun(view, cursor, values, end, this.#places);
      const others = Math.min(cursor.index + OTHERS_IN_TURN, end);
      for (; cursor.index < others; cursor.index += 1) {
        const at = this.#put(cursor.at, values[cursor.index] as number);
        view.setUint8(at, COMMA);
        cursor.at = at + 1;
      }
    }
  }

  #reserve(count: number): void {
    const needed = this.#at + count;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
    this.#view = viewOf(larger);
  }

  /** Writes a number where there is room, and returns its end. */
  #put(at: number, value: number): number {
    const view = this.#view;
    // JSON has no negative zero.
    if (value < 0) view.setUint8(at, MINUS);
    const start = value < 0 ? at + 1 : at;
    const size = Math.abs(value);
    if (size <= MAX_SAFE && Math.floor(size) === size) {
      if (size < EIGHT_DIGITS) return putInteger(view, start, size);
      return putLongInteger(view, start, size, this.#upper);
    }
    const end = putDecimal(view, start, size, this.#places) || this.#putOther(start, size);
    return end === 0 ? this.#putText(at, Number.isFinite(value) ? `${value}` : 'null') : end;
  }

  /** ASCII of a few characters, for which a call of `Buffer.write` takes several times as long. */
  #putText(at: number, text: string): number {
    const bytes = this.#bytes;
    for (let index = 0; index < text.length; index += 1) {
      bytes[at + index] = text.charCodeAt(index);
    }
    return at + text.length;
  }

  /** A decimal with another number of places; 0 when it has many. */
  #putOther(at: number, value: number): number {
    for (let places = 1; places <= MAX_PLACES; places += 1) {
      const end = putDecimal(this.#view, at, value, places);
      if (end === 0) continue;
      this.#places = places;
      return end;
    }
    return 0;
  }
}

const [TRUE, FALSE] = ['true', 'false'].map((text) => Buffer.from(text).readUInt32LE()) as [
  number,
  number,
];
const LAST_OF_FALSE = 0x65;

/** May change one byte behind the text. */
function putBoolean(view: DataView, at: number, value: number): number {
  view.setUint32(at, value === 1 ? TRUE : FALSE, true);
  view.setUint8(at + 4, LAST_OF_FALSE);
  return value === 1 ? at + 4 : at + 5;
}

function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}
