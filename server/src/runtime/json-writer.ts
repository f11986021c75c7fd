const ZERO = 0x30;
const MINUS = 0x2d;
const POINT = 0x2e;
/** The most bytes of one number: `-2.2250738585072014e-308` has 24. */
const MAX_NUMBER_BYTES = 32;
const MAX_SAFE = Number.MAX_SAFE_INTEGER;
/** Two decimals of so many digits with the same scale are different doubles. */
const MAX_DECIMAL = 1e15;
const POWERS = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000] as const;
const MAX_SCALE = POWERS.length - 1;
/** Integers below its square are written in two parts, each of which is a 32-bit integer. */
const HALF = 100_000_000;

/**
 * Writes JSON into a buffer, the same bytes as `JSON.stringify`. Digits of integers and of decimals
 * with few places, which most readings are, come from arithmetic on integers instead of text.
 */
export class JsonWriter {
  #bytes: Buffer;
  #at = 0;
  /** The places of the last decimal: the next one of a series usually has as many. */
  #scale = 1;

  constructor(capacity = 1_024) {
    this.#bytes = Buffer.allocUnsafe(Math.max(capacity, MAX_NUMBER_BYTES));
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
    if (Number.isInteger(value) && Math.abs(value) <= MAX_SAFE) this.#integer(value);
    else if (!this.#decimal(value)) this.text(JSON.stringify(value));
  }

  #reserve(count: number): void {
    const needed = this.#at + count;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }

  #integer(value: number): void {
    // JSON has no negative zero.
    if (value < 0) this.#bytes[this.#at++] = MINUS;
    this.#digits(Math.abs(value));
  }

  /** False when the value is no decimal of few places. */
  #decimal(value: number): boolean {
    const isFound = this.#tryScale(value, this.#scale);
    if (isFound) return true;
    for (let scale = 1; scale <= MAX_SCALE; scale += 1) {
      if (!this.#tryScale(value, scale)) continue;
      this.#scale = scale;
      return true;
    }
    return false;
  }

  /**
   * Writes the value as a decimal with so many places, or fewer. A quotient of two such integers is
   * rounded once, as the text of the decimal is when it is parsed; so equal quotients are equal texts.
   */
  #tryScale(value: number, places: number): boolean {
    let scale = places;
    let scaled = Math.round(Math.abs(value) * (POWERS[scale] as number));
    if (scaled >= MAX_DECIMAL || scaled / (POWERS[scale] as number) !== Math.abs(value))
      return false;
    while (scaled % 10 === 0) {
      scaled /= 10;
      scale -= 1;
    }
    const power = POWERS[scale] as number;
    const whole = Math.floor(scaled / power);
    if (value < 0) this.#bytes[this.#at++] = MINUS;
    this.#digits(whole);
    this.#bytes[this.#at++] = POINT;
    this.#padded(scaled - whole * power, scale);
    return true;
  }

  #digits(value: number): void {
    if (value < HALF) {
      this.#padded(value, lengthOf(value));
      return;
    }
    const high = Math.floor(value / HALF);
    this.#digits(high);
    this.#padded(value - high * HALF, 8);
  }

  /** An integer below 2^31 with so many digits. */
  #padded(value: number, digits: number): void {
    const bytes = this.#bytes;
    const first = this.#at;
    let rest = value | 0;
    for (let at = first + digits - 1; at >= first; at -= 1) {
      const next = (rest / 10) | 0;
      bytes[at] = ZERO + rest - next * 10;
      rest = next;
    }
    this.#at = first + digits;
  }
}

/** The number of digits of an integer below 100 000 000. */
function lengthOf(value: number): number {
  if (value < 10_000) {
    if (value < 100) return value < 10 ? 1 : 2;
    return value < 1_000 ? 3 : 4;
  }
  if (value < 1_000_000) return value < 100_000 ? 5 : 6;
  return value < 10_000_000 ? 7 : 8;
}
