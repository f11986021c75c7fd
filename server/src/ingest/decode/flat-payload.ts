import { isKeyAt, type Key, KeyTable } from './key-table.ts';
import { NO_TIMESTAMP, timeOf } from './time.ts';
import { MAX_STRING_LENGTH } from './value.ts';
import { MAX_PATH_LENGTH, type Sink } from './walk.ts';

const MAX_FIELDS = 64;
const MAX_LEAD_LENGTH = MAX_PATH_LENGTH / 2;
/** So many digits fit into a 32-bit integer. */
const MAX_SHORT_DIGITS = 9;
const POWERS_OF_TEN = Float64Array.from(
  { length: MAX_SHORT_DIGITS + 1 },
  (_, power) => 10 ** power,
);

const SPACE = 0x20;
const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const CAPITAL_E = 0x45;
const BACKSLASH = 0x5c;
const SMALL_E = 0x65;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const DELETE = 0x7f;

const TIMESTAMP = Buffer.from('"timestamp"');
const DATA = Buffer.from('"data"');
const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');

const NUMBER = 0;
const BOOLEAN = 1;
const STRING = 2;

/** In place of a position: the payload is not of the kind that is decoded here. */
const NOT_FLAT = -1;

/**
 * Decodes the payload of nearly every message from its bytes: an object of numbers, booleans and
 * short plain strings, alone or as `data` behind a `timestamp`. Any other payload is left to the
 * decoder of documents; where this one returns true, both find exactly the same.
 *
 * Invariant: no position beyond the last brace is read. Each byte that is read before it differs
 * from the brace, and a position is advanced past such bytes only.
 */
export class FlatPayload {
  readonly #keyTable = new KeyTable();
  #firstKey: Key | undefined;
  #message = 0;
  // The fields are passed on only when the whole payload is known to be flat.
  readonly #keys: Key[] = [];
  readonly #kinds = new Uint8Array(MAX_FIELDS);
  readonly #numbers = new Float64Array(MAX_FIELDS);
  readonly #strings: string[] = new Array(MAX_FIELDS).fill('');

  /** False when the payload is not of this kind; then the sink has received nothing. */
  walk(bytes: Buffer, lead: string, receivedAt: number, sink: Sink): boolean {
    const last = lastByte(bytes, bytes.length - 1);
    const first = last < 0 ? 0 : skipSpace(bytes, 0);
    if (first >= last || bytes[first] !== OPEN || bytes[last] !== CLOSE) return false;
    if (lead.length > MAX_LEAD_LENGTH) return false;
    const start = skipSpace(bytes, first + 1);
    let at = NO_TIMESTAMP;
    let count = 0;
    if (isAt(TIMESTAMP, bytes, start, last) || isAt(DATA, bytes, start, last)) {
      const data = this.#readEnvelope(bytes, start, last);
      const stated = timeOf(this.#timestamp, NO_TIMESTAMP, receivedAt);
      if (data === NOT_FLAT || stated === undefined) return false;
      at = stated;
      const end = lastByte(bytes, last - 1);
      count = end >= data && bytes[end] === CLOSE ? this.#readFields(bytes, data, end) : 0;
    } else {
      count = this.#readFields(bytes, start, last);
    }
    for (let index = 0; index < count; index += 1) this.#passOn(index, lead, at, sink);
    return count > 0;
  }

  #passOn(index: number, lead: string, at: number, sink: Sink): void {
    const { text } = this.#keys[index] as Key;
    const path = lead === '' ? text : lead + text;
    const kind = this.#kinds[index];
    if (kind === NUMBER) sink.take(path, this.#numbers[index] as number, at);
    else if (kind === BOOLEAN) sink.take(path, this.#numbers[index] === 1, at);
    else sink.take(path, this.#strings[index] as string, at);
  }

  #timestamp: number | undefined;

  /** Reads up to the first field of `data`, and returns its position. */
  #readEnvelope(bytes: Buffer, start: number, last: number): number {
    let at = start;
    this.#timestamp = undefined;
    if (isAt(TIMESTAMP, bytes, at, last)) {
      at = skipSpace(bytes, at + TIMESTAMP.length);
      if (bytes[at] !== COLON) return NOT_FLAT;
      at = this.#readNumber(bytes, skipSpace(bytes, at + 1), 0);
      if (at === NOT_FLAT) return NOT_FLAT;
      this.#timestamp = this.#numbers[0];
      at = skipSpace(bytes, at);
      if (bytes[at] !== COMMA) return NOT_FLAT;
      at = skipSpace(bytes, at + 1);
      if (!isAt(DATA, bytes, at, last)) return NOT_FLAT;
    }
    at = skipSpace(bytes, at + DATA.length);
    if (bytes[at] !== COLON) return NOT_FLAT;
    at = skipSpace(bytes, at + 1);
    return bytes[at] === OPEN ? skipSpace(bytes, at + 1) : NOT_FLAT;
  }

  /** Reads the fields of an object up to its brace at `end`. Returns their number; 0 if not flat. */
  #readFields(bytes: Buffer, start: number, end: number): number {
    this.#message += 1;
    const message = this.#message;
    let expected = this.#firstKey;
    let before: Key | undefined;
    let at = start;
    for (let count = 0; count < MAX_FIELDS && bytes[at] === QUOTE; ) {
      at += 1;
      const key =
        expected !== undefined && isKeyAt(expected, bytes, at, end)
          ? expected
          : this.#keyTable.find(bytes, at, end, message);
      if (key === undefined || key.message === message) return 0;
      key.message = message;
      if (key !== expected) this.#expectNext(before, key);
      at = skipSpace(bytes, at + key.bytes.length);
      if (bytes[at] !== COLON) return 0;
      at = this.#readValue(bytes, skipSpace(bytes, at + 1), count, end);
      if (at === NOT_FLAT) return 0;
      this.#keys[count] = key;
      count += 1;
      at = skipSpace(bytes, at);
      if (at === end) return count;
      if (bytes[at] !== COMMA) return 0;
      at = skipSpace(bytes, at + 1);
      before = key;
      expected = key.next;
    }
    return 0;
  }

  #expectNext(before: Key | undefined, key: Key): void {
    if (before === undefined) this.#firstKey = key;
    else before.next = key;
  }

  /** Reads one value, and returns the position behind it. */
  #readValue(bytes: Buffer, start: number, index: number, end: number): number {
    const byte = bytes[start] as number;
    if (byte <= NINE && byte !== QUOTE) return this.#readNumber(bytes, start, index);
    if (byte === QUOTE) return this.#readString(bytes, start + 1, index, end);
    const isTrue = isAt(TRUE, bytes, start, end);
    if (!isTrue && !isAt(FALSE, bytes, start, end)) return NOT_FLAT;
    this.#kinds[index] = BOOLEAN;
    this.#numbers[index] = isTrue ? 1 : 0;
    return start + (isTrue ? TRUE.length : FALSE.length);
  }

  /** Reads a string of printable ASCII characters without an escape. */
  #readString(bytes: Buffer, start: number, index: number, end: number): number {
    let at = start;
    for (; at < end; at += 1) {
      const byte = bytes[at] as number;
      if (byte === QUOTE) break;
      if (byte < SPACE || byte >= DELETE || byte === BACKSLASH) return NOT_FLAT;
    }
    if (at === end || at - start > MAX_STRING_LENGTH) return NOT_FLAT;
    this.#kinds[index] = STRING;
    this.#strings[index] = bytes.toString('latin1', start, at);
    return at + 1;
  }

  /** Reads a number as JSON defines it, rounded as JSON.parse does. */
  #readNumber(bytes: Buffer, start: number, index: number): number {
    const isNegative = bytes[start] === MINUS;
    const first = isNegative ? start + 1 : start;
    let at = first;
    let digits = 0;
    let byte = bytes[at] as number;
    while (byte >= ZERO && byte <= NINE) {
      digits = (Math.imul(digits, 10) + byte - ZERO) | 0;
      at += 1;
      byte = bytes[at] as number;
    }
    const whole = at - first;
    if (whole === 0 || (whole > 1 && bytes[first] === ZERO)) return NOT_FLAT;
    let fraction = 0;
    if (byte === POINT) {
      const point = at;
      at += 1;
      byte = bytes[at] as number;
      while (byte >= ZERO && byte <= NINE) {
        digits = (Math.imul(digits, 10) + byte - ZERO) | 0;
        at += 1;
        byte = bytes[at] as number;
      }
      fraction = at - point - 1;
      if (fraction === 0) return NOT_FLAT;
    }
    if (byte === SMALL_E || byte === CAPITAL_E || whole + fraction > MAX_SHORT_DIGITS) {
      return this.#readLongNumber(bytes, start, at, index);
    }
    // The quotient of two exact numbers is the number nearest to the decimal.
    const value = fraction === 0 ? digits : digits / (POWERS_OF_TEN[fraction] as number);
    this.#kinds[index] = NUMBER;
    this.#numbers[index] = isNegative ? -value : value;
    return at;
  }

  /** Reads a number with an exponent or many digits, of which all before the exponent are valid. */
  #readLongNumber(bytes: Buffer, start: number, digitsEnd: number, index: number): number {
    let at = digitsEnd;
    if (bytes[at] === SMALL_E || bytes[at] === CAPITAL_E) {
      at += 1;
      if (bytes[at] === PLUS || bytes[at] === MINUS) at += 1;
      const first = at;
      while (isDigit(bytes[at] as number)) at += 1;
      if (at === first) return NOT_FLAT;
    }
    const value = Number(bytes.toString('latin1', start, at));
    if (!Number.isFinite(value)) return NOT_FLAT;
    this.#kinds[index] = NUMBER;
    this.#numbers[index] = value;
    return at;
  }
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

function isAt(text: Buffer, bytes: Buffer, start: number, end: number): boolean {
  if (start + text.length > end) return false;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] !== bytes[start + index]) return false;
  }
  return true;
}

/** The position of the first byte from here on that is no white space of JSON. */
function skipSpace(bytes: Buffer, start: number): number {
  let at = start;
  while ((bytes[at] as number) <= SPACE && isSpace(bytes[at] as number)) at += 1;
  return at;
}

/** The position of the last byte up to here that is no white space; negative when there is none. */
function lastByte(bytes: Buffer, end: number): number {
  let at = end;
  while (at >= 0 && isSpace(bytes[at] as number)) at -= 1;
  return at;
}

function isSpace(byte: number): boolean {
  return byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
