import { NOT_PLAIN } from './scan.ts';

/** So many digits fit into a 32-bit integer. */
const MAX_SHORT_DIGITS = 9;
/** An integer of so many digits is exact, and so is the power of ten of as many decimal places. */
const MAX_EXACT_DIGITS = 15;
const POWERS_OF_TEN = Float64Array.from(
  { length: MAX_EXACT_DIGITS + 1 },
  (_, power) => 10 ** power,
);

const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const CAPITAL_E = 0x45;
const SMALL_E = 0x65;

/**
 * Reads a number as JSON defines it, rounded as JSON.parse does, into an element of an array.
 * Returns the position behind it.
 */
export function readNumber(
  bytes: Buffer,
  start: number,
  into: Float64Array,
  index: number,
): number {
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
  if (whole === 0 || (whole > 1 && bytes[first] === ZERO)) return NOT_PLAIN;
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
    if (fraction === 0) return NOT_PLAIN;
  }
  const length = whole + fraction;
  if (byte === SMALL_E || byte === CAPITAL_E || length > MAX_EXACT_DIGITS) {
    return readLongNumber(bytes, start, at, into, index);
  }
  const exact = length > MAX_SHORT_DIGITS ? longInteger(bytes, first, at) : digits;
  // The quotient of two exact numbers is the number nearest to the decimal.
  const value = fraction === 0 ? exact : exact / (POWERS_OF_TEN[fraction] as number);
  into[index] = isNegative ? -value : value;
  return at;
}

/** Whether a number goes on with this byte. */
export function isNumeric(byte: number): boolean {
  return isDigit(byte) || byte === POINT || byte === SMALL_E || byte === CAPITAL_E;
}

/** The digits up to `end` as an integer, without the point between them. */
function longInteger(bytes: Buffer, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte !== POINT) value = 10 * value + byte - ZERO;
  }
  return value;
}

/** Reads a number with an exponent or many digits, of which all before the exponent are valid. */
function readLongNumber(
  bytes: Buffer,
  start: number,
  digitsEnd: number,
  into: Float64Array,
  index: number,
): number {
  let at = digitsEnd;
  if (bytes[at] === SMALL_E || bytes[at] === CAPITAL_E) {
    at += 1;
    if (bytes[at] === PLUS || bytes[at] === MINUS) at += 1;
    const first = at;
    while (isDigit(bytes[at] as number)) at += 1;
    if (at === first) return NOT_PLAIN;
  }
  const value = Number(bytes.toString('latin1', start, at));
  if (!Number.isFinite(value)) return NOT_PLAIN;
  into[index] = value;
  return at;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}
