/*
 * Digits of numbers as ASCII, four at a time: a table has the bytes of every number of four digits, and
 * one store writes them. A store may change up to three bytes behind the digits, so a view must have
 * that much room.
 */

const ZERO = 0x30;
export const MINUS = 0x2d;
const POINT = 0x2e;
export const EIGHT_DIGITS = 100_000_000;
/** Two decimals of so many digits with the same scale are different doubles. */
const MAX_DECIMAL = 1e15;
const POWERS = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000] as const;

/** The most decimal places that `putDecimal` writes. */
export const MAX_PLACES = POWERS.length - 1;

/** The digits of 0000 to 9999 as little-endian integers: the first digit is the lowest byte. */
const FOUR_DIGITS = Uint32Array.from({ length: 10_000 }, (_, value) => {
  const digit = (power: number) => ZERO + (Math.floor(value / power) % 10);
  return digit(1_000) + digit(100) * 2 ** 8 + digit(10) * 2 ** 16 + digit(1) * 2 ** 24;
});

/** The most places of decimals that `putPlain` writes. */
export const MAX_PLAIN_PLACES = 3;
/** The most digits of such a fraction, and one more. */
const FRACTIONS = 10 ** MAX_PLAIN_PLACES;

/** Of 0 to 9999, without leading zeros: the digits, and how many they are. */
const wholeWords = new Uint32Array(10_000);
const wholeLengths = new Uint8Array(wholeWords.length);
/** Of a fraction, by its places and its digits: the point and the digits to the last that is not zero. */
const fractionWords = new Uint32Array((MAX_PLAIN_PLACES + 1) * FRACTIONS);
const fractionLengths = new Uint8Array(fractionWords.length);

for (const whole of wholeWords.keys()) {
  const text = `${whole}`;
  wholeWords[whole] = Buffer.from(text.padEnd(4)).readUInt32LE();
  wholeLengths[whole] = text.length;
}
for (let places = 1; places <= MAX_PLAIN_PLACES; places += 1) {
  for (let digits = 1; digits < 10 ** places; digits += 1) {
    const text = `${digits / 10 ** places}`.slice(1);
    const index = places * FRACTIONS + digits;
    fractionWords[index] = Buffer.from(text.padEnd(4)).readUInt32LE();
    fractionLengths[index] = text.length;
  }
}

/** The last so many of the four digits. */
function putLast(view: DataView, at: number, value: number, count: number): number {
  view.setUint32(at, (FOUR_DIGITS[value] as number) >>> (8 * (4 - count)), true);
  return at + count;
}

function putUpTo4(view: DataView, at: number, value: number): number {
  view.setUint32(at, wholeWords[value] as number, true);
  return at + (wholeLengths[value] as number);
}

function putUpTo8(view: DataView, at: number, value: number): number {
  if (value < 10_000) return putUpTo4(view, at, value);
  const high = (value / 10_000) | 0;
  return putLast(view, putUpTo4(view, at, high), value - high * 10_000, 4);
}

/** Writes a safe integer that is not negative. Returns the end of its digits. */
export function putInteger(view: DataView, at: number, value: number): number {
  if (value < EIGHT_DIGITS) return putUpTo8(view, at, value | 0);
  const high = Math.floor(value / EIGHT_DIGITS);
  const low = (value - high * EIGHT_DIGITS) | 0;
  const middle = (low / 10_000) | 0;
  const next = putLast(view, putUpTo8(view, at, high | 0), middle, 4);
  return putLast(view, next, low - middle * 10_000, 4);
}

/** The upper digits of the last long integer: those of the next one in a column are usually the same. */
export interface UpperDigits {
  /** What they stand for; NaN when there are none. */
  value: number;
  low: number;
  high: number;
  length: number;
}

/** The same for an integer of nine digits or more, but not more than sixteen. */
export function putLongInteger(
  view: DataView,
  at: number,
  value: number,
  upper: UpperDigits,
): number {
  const end = putSimilar(view, at, value, upper);
  if (end > 0) return end;
  const high = Math.floor(value / EIGHT_DIGITS);
  upper.length = putUpTo8(view, at, high | 0) - at;
  upper.low = view.getUint32(at, true);
  upper.high = view.getUint32(at + 4, true);
  upper.value = high * EIGHT_DIGITS;
  return putSimilar(view, at, value, upper);
}

/** The same where the upper digits are those of the last long integer; 0 for any other number. */
export function putSimilar(view: DataView, at: number, value: number, upper: UpperDigits): number {
  const rest = value - upper.value;
  const lower = rest | 0;
  if (lower !== rest || lower < 0 || lower >= EIGHT_DIGITS) return 0;
  view.setUint32(at, upper.low, true);
  view.setUint32(at + 4, upper.high, true);
  const middle = (lower / 10_000) | 0;
  const next = at + upper.length;
  view.setUint32(next, FOUR_DIGITS[middle] as number, true);
  view.setUint32(next + 4, FOUR_DIGITS[lower - middle * 10_000] as number, true);
  return next + 8;
}

/**
 * Writes a number of up to eight digits with so many places, or fewer, such as most readings are. Returns
 * the end, or 0 when it is another one.
 */
export function putPlain(view: DataView, at: number, value: number, places: number): number {
  const power = POWERS[places] as number;
  const size = value < 0 ? -value : value;
  const scaled = (size * power + 0.5) | 0;
  if (scaled / power !== size) return 0;
  const whole = (scaled / power) | 0;
  if (whole >= EIGHT_DIGITS) return 0;
  // Kept only before a negative number.
  view.setUint8(at, MINUS);
  const start = value < 0 ? at + 1 : at;
  const point = whole < 10_000 ? putUpTo4(view, start, whole) : putUpTo8(view, start, whole);
  const fraction = places * FRACTIONS + scaled - whole * power;
  view.setUint32(point, fractionWords[fraction] as number, true);
  return point + (fractionLengths[fraction] as number);
}

/**
 * Writes a positive number that is no integer as a decimal with so many places, or fewer. Returns the
 * end, or 0 when it is no such decimal. A quotient of two such integers is rounded once, as the text of
 * the decimal is when it is parsed; so equal quotients are equal texts.
 */
export function putDecimal(view: DataView, at: number, value: number, places: number): number {
  const power = POWERS[places] as number;
  const scaled = Math.round(value * power);
  if (!(scaled < MAX_DECIMAL) || scaled / power !== value) return 0;
  const whole = Math.floor(value);
  let fraction = (scaled - whole * power) | 0;
  let count = places;
  for (let next = (fraction / 10) | 0; next * 10 === fraction; next = (next / 10) | 0) {
    fraction = next;
    count -= 1;
  }
  const point = putInteger(view, at, whole);
  view.setUint8(point, POINT);
  if (count <= 4) return putLast(view, point + 1, fraction, count);
  const high = (fraction / 10_000) | 0;
  return putLast(view, putLast(view, point + 1, high, count - 4), fraction - high * 10_000, 4);
}
