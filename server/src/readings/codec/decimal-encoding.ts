import { INTEGER_LIMIT } from './integer-writer.ts';

/**
 * A decimal encoding (ALP): most sensors report decimals, which are integers of a smaller unit.
 * value = integer * factor / divisor, rounded to a 32-bit float if `isSingle`. A value that does not
 * come back bit for bit is an exception.
 */
export interface DecimalEncoding {
  readonly code: number;
  readonly scale: number;
  readonly factor: number;
  readonly divisor: number;
  readonly isSingle: boolean;
  /** The estimated bits per value that its decimals cost. */
  readonly bits: number;
}

export interface Fit {
  readonly encoding: DecimalEncoding;
  /** The indexes of the exceptions. */
  readonly exceptions: readonly number[];
}

const MAX_DECIMALS = 6;
const FORMS = 4;
const BITS_PER_DECIMAL = Math.log2(10);
/** The estimated bits of an exception, and of a value in a chunk of raw doubles. */
const EXCEPTION_BITS = 72;
const PLAIN_BITS = 44;
const SAMPLES = 48;

/** Fewest decimals first, then the simplest form. */
const DECIMAL_ENCODINGS: readonly DecimalEncoding[] = Array.from(
  { length: (MAX_DECIMALS + 1) * FORMS },
  (_, code) => decimalEncodingOf(code),
);

export function decimalEncodingWithCode(code: number): DecimalEncoding | undefined {
  return DECIMAL_ENCODINGS[code];
}

/** The forms: `234 / 10`, `234 * 0.1`, and both as devices compute them with 32-bit floats. */
function decimalEncodingOf(code: number): DecimalEncoding {
  const decimals = Math.floor(code / FORMS);
  const isMultiplied = code % 2 === 1;
  const isSingle = code % FORMS >= 2;
  const scale = Number(`1e${decimals}`);
  const unit = isSingle ? Math.fround(1 / scale) : 1 / scale;
  return {
    code,
    scale,
    factor: isMultiplied ? unit : 1,
    divisor: isMultiplied ? 1 : scale,
    isSingle,
    bits: decimals * BITS_PER_DECIMAL,
  };
}

/**
 * Chooses the encoding with the smallest estimated size by a sample, and fills `integers`; an
 * exception repeats the integer before it. Undefined when raw doubles are estimated smaller.
 */
export function fitDecimals(
  values: Float64Array,
  count: number,
  integers: Float64Array,
): Fit | undefined {
  const guess = cheapestEncoding(sampleOf(values, count));
  if (!guess) return undefined;
  const fit = encodeAll(values, count, guess, integers);
  // Many exceptions mean that the sample was not typical, for example after a long standstill.
  if (fit.exceptions.length <= count / SAMPLES) return fit;
  const exceptionValues = Float64Array.from(fit.exceptions, (index) => values[index] as number);
  const finer = cheapestEncoding(sampleOf(exceptionValues, exceptionValues.length));
  if (!finer || finer.bits <= guess.bits) return fit;
  const finerFit = encodeAll(values, count, finer, integers);
  if (bitsOf(finerFit, count) < bitsOf(fit, count)) return finerFit;
  return encodeAll(values, count, guess, integers);
}

function bitsOf({ encoding, exceptions }: Fit, count: number): number {
  return count * encoding.bits + exceptions.length * EXCEPTION_BITS;
}

function sampleOf(values: Float64Array, count: number): Float64Array {
  const samples = new Float64Array(Math.min(SAMPLES, count));
  for (let index = 0; index < samples.length; index += 1) {
    samples[index] = values[Math.floor(((index + 0.5) * count) / samples.length)] as number;
  }
  return samples;
}

function cheapestEncoding(samples: Float64Array): DecimalEncoding | undefined {
  let best: DecimalEncoding | undefined;
  let bestBits = samples.length * PLAIN_BITS;
  for (const encoding of DECIMAL_ENCODINGS) {
    let exceptions = 0;
    for (const sample of samples) if (Number.isNaN(integerOf(sample, encoding))) exceptions += 1;
    const bits = samples.length * encoding.bits + exceptions * EXCEPTION_BITS;
    if (bits < bestBits) {
      best = encoding;
      bestBits = bits;
    }
    if (exceptions === 0) break;
  }
  return best;
}

/** The integer that represents a value exactly; NaN when there is none. */
function integerOf(value: number, encoding: DecimalEncoding): number {
  const integer = Math.round(value * encoding.scale);
  const isExact = decodedValue(encoding, integer) === value && Math.abs(integer) <= INTEGER_LIMIT;
  return isExact && !Object.is(integer, -0) ? integer : Number.NaN;
}

function encodeAll(
  values: Float64Array,
  count: number,
  encoding: DecimalEncoding,
  integers: Float64Array,
): Fit {
  const exceptions: number[] = [];
  let last = 0;
  for (let index = 0; index < count; index += 1) {
    const integer = integerOf(values[index] as number, encoding);
    if (Number.isNaN(integer)) exceptions.push(index);
    else last = integer;
    integers[index] = last;
  }
  return { encoding, exceptions };
}

/** The value that an integer represents. */
export function decodedValue(
  { factor, divisor, isSingle }: DecimalEncoding,
  integer: number,
): number {
  const value = (integer * factor) / divisor;
  return isSingle ? Math.fround(value) : value;
}

/** Replaces integers by the values that they represent. */
export function decodeInPlace(
  encoding: DecimalEncoding,
  values: Float64Array,
  start: number,
  end: number,
): void {
  const { factor, divisor, isSingle } = encoding;
  if (isSingle) {
    for (let index = start; index < end; index += 1) {
      values[index] = Math.fround(((values[index] as number) * factor) / divisor);
    }
  } else {
    for (let index = start; index < end; index += 1) {
      values[index] = ((values[index] as number) * factor) / divisor;
    }
  }
}
