import { type Key, KeyTable } from './key-table.ts';
import { NO_TIMESTAMP, timeOf } from './time.ts';
import { MAX_STRING_LENGTH } from './value.ts';
import { MAX_PATH_LENGTH, type Sink } from './walk.ts';

const MAX_FIELDS = 64;
const MAX_LEAD_LENGTH = MAX_PATH_LENGTH / 2;
/** A whole number with so many digits is exact, and so is each of these powers of ten. */
const MAX_EXACT_DIGITS = 15;
const POWERS_OF_TEN = Float64Array.from(
  { length: MAX_EXACT_DIGITS + 1 },
  (_, power) => 10 ** power,
);

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
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
const SMALL_F = 0x66;
const SMALL_T = 0x74;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const DELETE = 0x7f;

const TIMESTAMP = Buffer.from('"timestamp"');
const DATA = Buffer.from('"data"');

const NUMBER = 0;
const BOOLEAN = 1;
const STRING = 2;

/**
 * Decodes the payload of nearly every message from its bytes: an object of numbers, booleans and
 * short plain strings, alone or as `data` beside a `timestamp`. Any other payload is left to the
 * decoder of documents; where this one returns true, both find exactly the same.
 */
export class FlatPayload {
  readonly #keyTable = new KeyTable();
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #message = 0;
  // The fields are passed on only when the whole payload is known to be flat.
  #count = 0;
  readonly #keys: Key[] = [];
  readonly #kinds = new Uint8Array(MAX_FIELDS);
  readonly #numbers = new Float64Array(MAX_FIELDS);
  readonly #strings: string[] = new Array(MAX_FIELDS).fill('');

  /** False when the payload is not of this kind; then the sink has received nothing. */
  walk(bytes: Buffer, lead: string, receivedAt: number, sink: Sink): boolean {
    if (lead.length > MAX_LEAD_LENGTH) return false;
    this.#bytes = bytes;
    this.#at = 0;
    this.#count = 0;
    this.#message += 1;
    const at = this.#readDocument(receivedAt);
    if (at === undefined || this.#next() !== undefined) return false;
    this.#passOn(lead, at, sink);
    return true;
  }

  #passOn(lead: string, at: number, sink: Sink): void {
    for (let index = 0; index < this.#count; index += 1) {
      const { text } = this.#keys[index] as Key;
      const path = lead === '' ? text : lead + text;
      const kind = this.#kinds[index];
      if (kind === NUMBER) sink.take(path, this.#numbers[index] as number, at);
      else if (kind === BOOLEAN) sink.take(path, this.#numbers[index] === 1, at);
      else sink.take(path, this.#strings[index] as string, at);
    }
  }

  /** The time of the fields; undefined when the document is not of this kind. */
  #readDocument(receivedAt: number): number | undefined {
    if (!this.#skip(OPEN)) return undefined;
    let stated: number | undefined;
    if (this.#skipName(TIMESTAMP)) {
      if (!this.#skip(COLON) || !this.#readNumber() || !this.#skip(COMMA)) return undefined;
      stated = this.#numbers[0];
      if (!this.#skipName(DATA)) return undefined;
    } else if (!this.#skipName(DATA)) {
      return this.#readFields() ? NO_TIMESTAMP : undefined;
    }
    if (!this.#skip(COLON) || !this.#skip(OPEN) || !this.#readFields()) return undefined;
    return this.#skip(CLOSE) ? timeOf(stated, NO_TIMESTAMP, receivedAt) : undefined;
  }

  /** Reads the fields of an object, whose brace is read, up to its end. */
  #readFields(): boolean {
    do {
      if (this.#count === MAX_FIELDS || !this.#skip(QUOTE)) return false;
      const key = this.#keyTable.take(this.#bytes, this.#at, this.#message);
      if (key === undefined) return false;
      this.#at = this.#keyTable.end + 1;
      this.#keys[this.#count] = key;
      if (!this.#skip(COLON) || !this.#readValue()) return false;
      this.#count += 1;
    } while (this.#skip(COMMA));
    return this.#skip(CLOSE);
  }

  #readValue(): boolean {
    switch (this.#next()) {
      case QUOTE:
        return this.#readString();
      case SMALL_T:
        return this.#readBoolean('true', 1);
      case SMALL_F:
        return this.#readBoolean('false', 0);
      default:
        return this.#readNumber();
    }
  }

  #readBoolean(name: string, value: number): boolean {
    const end = this.#at + name.length;
    if (this.#bytes.toString('latin1', this.#at, end) !== name) return false;
    this.#kinds[this.#count] = BOOLEAN;
    this.#numbers[this.#count] = value;
    this.#at = end;
    return true;
  }

  /** Reads a string of printable ASCII characters without an escape. */
  #readString(): boolean {
    const bytes = this.#bytes;
    const start = this.#at + 1;
    let end = start;
    for (; ; end += 1) {
      const byte = bytes[end] as number;
      if (byte === QUOTE) break;
      if (!(byte >= SPACE && byte < DELETE) || byte === BACKSLASH) return false;
    }
    if (end - start > MAX_STRING_LENGTH) return false;
    this.#kinds[this.#count] = STRING;
    this.#strings[this.#count] = bytes.toString('latin1', start, end);
    this.#at = end + 1;
    return true;
  }

  /** Reads a number as JSON defines it, rounded as JSON.parse does. */
  #readNumber(): boolean {
    this.#next();
    const bytes = this.#bytes;
    const start = this.#at;
    const isNegative = bytes[start] === MINUS;
    const first = isNegative ? start + 1 : start;
    let at = first;
    let digits = 0;
    let byte = bytes[at] as number;
    while (byte >= ZERO && byte <= NINE) {
      digits = 10 * digits + byte - ZERO;
      at += 1;
      byte = bytes[at] as number;
    }
    const whole = at - first;
    if (whole === 0 || (whole > 1 && bytes[first] === ZERO)) return false;
    let fraction = 0;
    if (byte === POINT) {
      const point = at;
      at += 1;
      byte = bytes[at] as number;
      while (byte >= ZERO && byte <= NINE) {
        digits = 10 * digits + byte - ZERO;
        at += 1;
        byte = bytes[at] as number;
      }
      fraction = at - point - 1;
      if (fraction === 0) return false;
    }
    if (byte === SMALL_E || byte === CAPITAL_E || whole + fraction > MAX_EXACT_DIGITS) {
      return this.#readLongNumber(start, at);
    }
    // The quotient of two exact numbers is the nearest to the true one.
    const value = fraction === 0 ? digits : digits / (POWERS_OF_TEN[fraction] as number);
    return this.#numberRead(isNegative ? -value : value, at);
  }

  /** Reads a number with an exponent or many digits, of which all before the exponent are valid. */
  #readLongNumber(start: number, digitsEnd: number): boolean {
    const bytes = this.#bytes;
    let at = digitsEnd;
    if (bytes[at] === SMALL_E || bytes[at] === CAPITAL_E) {
      at += 1;
      if (bytes[at] === PLUS || bytes[at] === MINUS) at += 1;
      const first = at;
      while ((bytes[at] as number) >= ZERO && (bytes[at] as number) <= NINE) at += 1;
      if (at === first) return false;
    }
    const value = Number(bytes.toString('latin1', start, at));
    return Number.isFinite(value) && this.#numberRead(value, at);
  }

  #numberRead(value: number, end: number): true {
    this.#kinds[this.#count] = NUMBER;
    this.#numbers[this.#count] = value;
    this.#at = end;
    return true;
  }

  /** Skips a name in quotation marks, if it is the next token. */
  #skipName(name: Buffer): boolean {
    this.#next();
    const bytes = this.#bytes;
    for (let index = 0; index < name.length; index += 1) {
      if (bytes[this.#at + index] !== name[index]) return false;
    }
    this.#at += name.length;
    return true;
  }

  /** Skips white space and then this byte, if it follows. */
  #skip(expected: number): boolean {
    if (this.#next() !== expected) return false;
    this.#at += 1;
    return true;
  }

  /** Skips white space and returns the next byte; undefined at the end. */
  #next(): number | undefined {
    const bytes = this.#bytes;
    let byte = bytes[this.#at];
    while (byte === SPACE || byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === TAB) {
      this.#at += 1;
      byte = bytes[this.#at];
    }
    return byte;
  }
}
