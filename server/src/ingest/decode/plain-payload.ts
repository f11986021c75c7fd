import { beforeValue, isKeyAt, type Key, KeyTable } from './key-table.ts';
import { Literal } from './literal.ts';
import { readNumber } from './number.ts';
import { PlainReadings } from './plain-readings.ts';
import { isAt, lastByte, NOT_PLAIN, skipColon, skipSpace } from './scan.ts';
import { NO_TIMESTAMP, timeOf } from './time.ts';

const MAX_FIELDS = 1_000;
/** A list with more entries is left to the decoder of documents, which bounds the memory. */
const MAX_ENTRIES = 100_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** The text of an entry without white space, around its key, its value and its time. */
const BEFORE_KEY = new Literal('{"key":"');
const BEFORE_TIME = new Literal(',"timestamp":');

const TIMESTAMP = Buffer.from('"timestamp"');
const DATA = Buffer.from('"data"');
const DATA_ARRAY = Buffer.from('"dataArray"');
const KEY = Buffer.from('"key"');
const VALUE = Buffer.from('"value"');

/**
 * Decodes the payload of nearly every message from its bytes, if it is plain: an object of numbers,
 * booleans and short strings of printable ASCII, alone or as `data`, or a list of entries with such
 * values as `data` or `dataArray`; both may follow a `timestamp`. Any other payload is left to the
 * decoder of documents; where this one returns readings, both find exactly the same.
 *
 * Invariant: no position beyond the last brace is read. Each byte that is read before it differs
 * from the brace, and a position is advanced past such bytes only, or past a brace before the last.
 */
export class PlainPayload {
  readonly #keyTable = new KeyTable();
  #firstKey: Key | undefined;
  #lastKey: Key | undefined;
  #message = 0;
  /** The readings of the last payload; their memory is used again. */
  readonly #readings = new PlainReadings();
  /** The time of an envelope. */
  readonly #stated = new Float64Array(1);

  /**
   * The readings of a payload, valid until the next call; undefined when the payload is not plain.
   * Their times are `NO_TIMESTAMP` where the payload states none.
   */
  decode(bytes: Buffer, receivedAt: number): PlainReadings | undefined {
    const last = lastByte(bytes, bytes.length - 1);
    const first = last < 0 ? 0 : skipSpace(bytes, 0);
    if (first >= last || bytes[first] !== OPEN || bytes[last] !== CLOSE) return undefined;
    this.#message += 1;
    this.#lastKey = undefined;
    this.#readings.clear();
    const start = skipSpace(bytes, first + 1);
    const end = this.#readPayload(bytes, start, last, receivedAt);
    return end === last ? this.#readings : undefined;
  }

  /** Returns the position of the brace that ends the payload. */
  #readPayload(bytes: Buffer, start: number, last: number, receivedAt: number): number {
    const hasTime = isAt(TIMESTAMP, bytes, start, last);
    let at = hasTime ? this.#readTime(bytes, start) : start;
    if (at === NOT_PLAIN) return NOT_PLAIN;
    const isList = isAt(DATA_ARRAY, bytes, at, last);
    if (!isList && !isAt(DATA, bytes, at, last)) {
      return hasTime ? NOT_PLAIN : this.#readFields(bytes, start, last, NO_TIMESTAMP);
    }
    const time = timeOf(hasTime ? this.#stated[0] : undefined, NO_TIMESTAMP, receivedAt);
    if (time === undefined) return NOT_PLAIN;
    at = skipColon(bytes, at + (isList ? DATA_ARRAY : DATA).length);
    if (at === NOT_PLAIN) return NOT_PLAIN;
    if (bytes[at] === OPEN_ARRAY) {
      at = this.#readEntries(bytes, at + 1, last, time, receivedAt);
    } else if (bytes[at] === OPEN && !isList) {
      at = this.#readFields(bytes, skipSpace(bytes, at + 1), last, time);
      // The brace of `data`, which is not that of the payload.
      at = at === NOT_PLAIN || at === last ? NOT_PLAIN : at + 1;
    } else return NOT_PLAIN;
    return at === NOT_PLAIN ? NOT_PLAIN : skipSpace(bytes, at);
  }

  /** Reads the time of an envelope, and returns the position of the name behind it. */
  #readTime(bytes: Buffer, start: number): number {
    let at = skipColon(bytes, start + TIMESTAMP.length);
    if (at === NOT_PLAIN) return NOT_PLAIN;
    at = readNumber(bytes, at, this.#stated, 0);
    if (at === NOT_PLAIN) return NOT_PLAIN;
    at = skipSpace(bytes, at);
    return bytes[at] === COMMA ? skipSpace(bytes, at + 1) : NOT_PLAIN;
  }

  /** Reads the fields of an object, and returns the position of its brace. */
  #readFields(bytes: Buffer, start: number, last: number, time: number): number {
    const readings = this.#readings;
    let at = start;
    while (readings.count < MAX_FIELDS && bytes[at] === QUOTE) {
      const key = this.#keyAt(bytes, at + 1, last);
      // Of two values of one key the last counts.
      if (key === undefined || key.message === this.#message) return NOT_PLAIN;
      key.message = this.#message;
      at = skipColon(bytes, at + 1 + key.bytes.length);
      if (at === NOT_PLAIN) return NOT_PLAIN;
      at = readings.readValue(bytes, at, last);
      if (at === NOT_PLAIN) return NOT_PLAIN;
      readings.add(key, time);
      at = skipSpace(bytes, at);
      if (bytes[at] === CLOSE) return at;
      if (bytes[at] !== COMMA) return NOT_PLAIN;
      at = skipSpace(bytes, at + 1);
    }
    return NOT_PLAIN;
  }

  /** Reads the entries of a list, and returns the position behind its bracket. */
  #readEntries(
    bytes: Buffer,
    start: number,
    last: number,
    time: number,
    receivedAt: number,
  ): number {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let at = skipSpace(bytes, start);
    while (this.#readings.count < MAX_ENTRIES && bytes[at] === OPEN) {
      const end = this.#readCompactEntry(bytes, view, at, last, time, receivedAt);
      at =
        end === NOT_PLAIN
          ? this.#readEntry(bytes, view, skipSpace(bytes, at + 1), last, time, receivedAt)
          : end;
      if (at === NOT_PLAIN) return NOT_PLAIN;
      at = skipSpace(bytes, at);
      if (bytes[at] === CLOSE_ARRAY) return at + 1;
      if (bytes[at] !== COMMA) return NOT_PLAIN;
      at = skipSpace(bytes, at + 1);
    }
    return NOT_PLAIN;
  }

  /**
   * Reads an entry as most programs write it: without white space, its time last. The view has the same
   * bytes.
   */
  #readCompactEntry(
    bytes: Buffer,
    view: DataView,
    start: number,
    last: number,
    time: number,
    receivedAt: number,
  ): number {
    const readings = this.#readings;
    const key = this.#compactKeyAt(bytes, view, start, last);
    if (key === undefined) return NOT_PLAIN;
    let at = readings.readValue(bytes, start + beforeValue(key).length, last);
    if (at === NOT_PLAIN) return NOT_PLAIN;
    let stated: number | undefined = time;
    if (BEFORE_TIME.isAt(view, at, last)) {
      at = readings.readTime(bytes, view, at + BEFORE_TIME.length);
      if (at === NOT_PLAIN) return NOT_PLAIN;
      stated = timeOf(readings.nextTime, time, receivedAt);
    }
    if (bytes[at] !== CLOSE || at === last || stated === undefined) return NOT_PLAIN;
    readings.add(key, stated);
    return at + 1;
  }

  /** Reads the fields of an entry in any order, and returns the position behind its brace. */
  #readEntry(
    bytes: Buffer,
    view: DataView,
    start: number,
    last: number,
    time: number,
    receivedAt: number,
  ): number {
    const readings = this.#readings;
    let key: Key | undefined;
    let hasValue = false;
    let hasTime = false;
    let at = start;
    for (;;) {
      if (key === undefined && isAt(KEY, bytes, at, last)) {
        at = skipColon(bytes, at + KEY.length);
        key =
          at !== NOT_PLAIN && bytes[at] === QUOTE ? this.#keyAt(bytes, at + 1, last) : undefined;
        if (key === undefined) return NOT_PLAIN;
        at += 1 + key.bytes.length;
      } else if (!hasValue && isAt(VALUE, bytes, at, last)) {
        hasValue = true;
        at = skipColon(bytes, at + VALUE.length);
        at = at === NOT_PLAIN ? NOT_PLAIN : readings.readValue(bytes, at, last);
      } else if (!hasTime && isAt(TIMESTAMP, bytes, at, last)) {
        hasTime = true;
        at = skipColon(bytes, at + TIMESTAMP.length);
        at = at === NOT_PLAIN ? NOT_PLAIN : readings.readTime(bytes, view, at);
      } else return NOT_PLAIN;
      if (at === NOT_PLAIN) return NOT_PLAIN;
      at = skipSpace(bytes, at);
      if (bytes[at] !== COMMA) break;
      at = skipSpace(bytes, at + 1);
    }
    if (bytes[at] !== CLOSE || at === last || key === undefined || !hasValue) return NOT_PLAIN;
    const stated = hasTime ? timeOf(readings.nextTime, time, receivedAt) : time;
    if (stated === undefined) return NOT_PLAIN;
    readings.add(key, stated);
    return at + 1;
  }

  /** The key of an entry without white space, whose value is behind its literal. */
  #compactKeyAt(bytes: Buffer, view: DataView, start: number, last: number): Key | undefined {
    const expected = this.#expectedKey;
    if (expected !== undefined && beforeValue(expected).isAt(view, start, last)) {
      this.#lastKey = expected;
      return expected;
    }
    if (!BEFORE_KEY.isAt(view, start, last)) return undefined;
    const key = this.#keyAt(bytes, start + BEFORE_KEY.length, last);
    return key !== undefined && beforeValue(key).isAt(view, start, last) ? key : undefined;
  }

  /** The key that followed the last one before. */
  get #expectedKey(): Key | undefined {
    return this.#lastKey === undefined ? this.#firstKey : this.#lastKey.next;
  }

  /** The key behind a quotation mark, which most likely is the one that followed the last before. */
  #keyAt(bytes: Buffer, start: number, last: number): Key | undefined {
    const before = this.#lastKey;
    const expected = this.#expectedKey;
    if (expected !== undefined && isKeyAt(expected, bytes, start, last)) {
      this.#lastKey = expected;
      return expected;
    }
    const key = this.#keyTable.find(bytes, start, last, this.#message);
    if (key === undefined) return undefined;
    if (before === undefined) this.#firstKey = key;
    else before.next = key;
    this.#lastKey = key;
    return key;
  }
}
