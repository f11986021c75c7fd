import type { Key } from './key-table.ts';
import { readNumber } from './number.ts';
import { isAt, NOT_PLAIN } from './scan.ts';
import { TimeReader } from './time-reader.ts';
import { MAX_STRING_LENGTH } from './value.ts';
import type { Sink } from './walk.ts';

const FIRST_ROOM = 64;
const TIME_BYTES = Float64Array.BYTES_PER_ELEMENT;
/** A time, a number and the kind. */
const READING_BYTES = 2 * TIME_BYTES + 1;

const SPACE = 0x20;
const QUOTE = 0x22;
const NINE = 0x39;
const BACKSLASH = 0x5c;
const DELETE = 0x7f;

const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');

const NUMBER = 0;
const BOOLEAN = 1;
const STRING = 2;

const NO_STRINGS: string[] = [];

/** The readings of a plain payload in their order, as columns: nothing is allocated for each. */
export class PlainReadings {
  count = 0;
  #keys: Key[] = [];
  #times: Float64Array;
  #kinds: Uint8Array;
  /** A boolean is 0 or 1; a string is its index among the strings. */
  #numbers: Float64Array;
  #strings = NO_STRINGS;
  readonly #timeReader = new TimeReader();

  constructor(room = FIRST_ROOM) {
    // One piece of memory: three cost more than the decoding of a short payload.
    const memory = new ArrayBuffer(READING_BYTES * room);
    this.#times = new Float64Array(memory, 0, room);
    this.#numbers = new Float64Array(memory, TIME_BYTES * room, room);
    this.#kinds = new Uint8Array(memory, 2 * TIME_BYTES * room, room);
  }

  clear(): void {
    this.count = 0;
    this.#strings = NO_STRINGS;
  }

  /** A copy of these readings alone, which later payloads do not change. */
  copied(): PlainReadings {
    const { count } = this;
    const copy = new PlainReadings(count);
    copy.count = count;
    copy.#keys = this.#keys.slice(0, count);
    copy.#times.set(this.#times.subarray(0, count));
    copy.#kinds.set(this.#kinds.subarray(0, count));
    copy.#numbers.set(this.#numbers.subarray(0, count));
    copy.#strings = this.#strings;
    return copy;
  }

  passOn(lead: string, sink: Sink): void {
    for (let index = 0; index < this.count; index += 1) {
      const { text } = this.#keys[index] as Key;
      const path = lead === '' ? text : lead + text;
      const at = this.#times[index] as number;
      const number = this.#numbers[index] as number;
      const kind = this.#kinds[index];
      if (kind === NUMBER) sink.take(path, number, at);
      else if (kind === BOOLEAN) sink.take(path, number === 1, at);
      else sink.take(path, this.#strings[number] as string, at);
    }
  }

  /** Completes the next reading, whose value was read. */
  add(key: Key, time: number): void {
    const index = this.count;
    this.#keys[index] = key;
    this.#times[index] = time;
    this.count = index + 1;
    if (this.count === this.#times.length) this.#grow(2 * this.count);
  }

  #grow(room: number): void {
    const { count } = this;
    const grown = new PlainReadings(room);
    grown.#times.set(this.#times.subarray(0, count));
    grown.#kinds.set(this.#kinds.subarray(0, count));
    grown.#numbers.set(this.#numbers.subarray(0, count));
    this.#times = grown.#times;
    this.#kinds = grown.#kinds;
    this.#numbers = grown.#numbers;
  }

  /** The time of the next reading, once it was read. */
  get nextTime(): number {
    return this.#times[this.count] as number;
  }

  /** Reads the time of the next reading, and returns the position behind it. The view has the same bytes. */
  readTime(bytes: Buffer, view: DataView, start: number): number {
    return this.#timeReader.read(bytes, view, start, this.#times, this.count);
  }

  /** Reads the value of the next reading, and returns the position behind it. */
  readValue(bytes: Buffer, start: number, end: number): number {
    const byte = bytes[start] as number;
    const index = this.count;
    if (byte <= NINE && byte !== QUOTE) {
      this.#kinds[index] = NUMBER;
      return readNumber(bytes, start, this.#numbers, index);
    }
    if (byte === QUOTE) return this.#readString(bytes, start + 1, end);
    const isTrue = isAt(TRUE, bytes, start, end);
    if (!isTrue && !isAt(FALSE, bytes, start, end)) return NOT_PLAIN;
    this.#kinds[index] = BOOLEAN;
    this.#numbers[index] = isTrue ? 1 : 0;
    return start + (isTrue ? TRUE.length : FALSE.length);
  }

  /** Reads a string of printable ASCII characters without an escape. */
  #readString(bytes: Buffer, start: number, end: number): number {
    let at = start;
    for (; at < end; at += 1) {
      const byte = bytes[at] as number;
      if (byte === QUOTE) break;
      if (byte < SPACE || byte >= DELETE || byte === BACKSLASH) return NOT_PLAIN;
    }
    if (at === end || at - start > MAX_STRING_LENGTH) return NOT_PLAIN;
    if (this.#strings === NO_STRINGS) this.#strings = [];
    this.#kinds[this.count] = STRING;
    this.#numbers[this.count] = this.#strings.push(bytes.toString('latin1', start, at)) - 1;
    return at + 1;
  }
}
