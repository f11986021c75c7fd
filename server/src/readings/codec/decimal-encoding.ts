import { INTEGER_LIMIT } from './integer-writer.ts';

/**
 * Sensors count: nearly every value is an integer in disguise. A lattice tells how it was
 * disguised: value = integer * factor / divisor, at the end rounded to 32 bits if `isSingle`.
 */
export interface Lattice {
  readonly code: number;
  readonly scale: number;
  readonly factor: number;
  readonly divisor: number;
  readonly isSingle: boolean;
  /** What its decimals are expected to add to a value. */
  readonly bits: number;
}

export interface Fit {
  readonly lattice: Lattice;
  /** Where the values are that are not on the lattice. */
  readonly misses: readonly number[];
}

const MAX_DECIMALS = 6;
const FORMS = 4;
const BITS_PER_DECIMAL = Math.log2(10);
/** What is expected of a value that misses its lattice, and of one in a chunk without any. */
const MISS_BITS = 72;
const PLAIN_BITS = 44;
const SAMPLES = 48;

/** Fewest decimals first, and the plainest form first among equals. */
const LATTICES: readonly Lattice[] = Array.from({ length: (MAX_DECIMALS + 1) * FORMS }, (_, code) =>
  latticeOf(code),
);

export function latticeWithCode(code: number): Lattice | undefined {
  return LATTICES[code];
}

/** The forms: `23.4`, `234 * 0.1`, and both as a device that computes with 32 bits has them. */
function latticeOf(code: number): Lattice {
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
 * Finds the lattice that takes the fewest bits, and fills `integers` for it; a miss repeats the
 * integer before it. Undefined when no lattice is worth it.
 */
export function fitLattice(
  values: Float64Array,
  count: number,
  integers: Float64Array,
): Fit | undefined {
  const guess = cheapestLattice(sampleOf(values, count));
  if (!guess) return undefined;
  const fit = placeAll(values, count, guess, integers);
  // Many misses mean untypical samples: a long rest, say, beside the values that matter.
  if (fit.misses.length <= count / SAMPLES) return fit;
  const missed = Float64Array.from(fit.misses, (index) => values[index] as number);
  const finer = cheapestLattice(sampleOf(missed, missed.length));
  if (!finer || finer.bits <= guess.bits) return fit;
  const finerFit = placeAll(values, count, finer, integers);
  if (bitsOf(finerFit, count) < bitsOf(fit, count)) return finerFit;
  return placeAll(values, count, guess, integers);
}

function bitsOf({ lattice, misses }: Fit, count: number): number {
  return count * lattice.bits + misses.length * MISS_BITS;
}

function sampleOf(values: Float64Array, count: number): Float64Array {
  const samples = new Float64Array(Math.min(SAMPLES, count));
  for (let index = 0; index < samples.length; index += 1) {
    samples[index] = values[Math.floor(((index + 0.5) * count) / samples.length)] as number;
  }
  return samples;
}

function cheapestLattice(samples: Float64Array): Lattice | undefined {
  let best: Lattice | undefined;
  let bestBits = samples.length * PLAIN_BITS;
  for (const lattice of LATTICES) {
    let misses = 0;
    for (const sample of samples) if (Number.isNaN(placeOf(sample, lattice))) misses += 1;
    const bits = samples.length * lattice.bits + misses * MISS_BITS;
    if (bits < bestBits) {
      best = lattice;
      bestBits = bits;
    }
    if (misses === 0) break;
  }
  return best;
}

/** The integer that stands for a value; NaN when none gives exactly this value back. */
function placeOf(value: number, lattice: Lattice): number {
  const integer = Math.round(value * lattice.scale);
  const isExact = restored(lattice, integer) === value && Math.abs(integer) <= INTEGER_LIMIT;
  return isExact && !Object.is(integer, -0) ? integer : Number.NaN;
}

function placeAll(
  values: Float64Array,
  count: number,
  lattice: Lattice,
  integers: Float64Array,
): Fit {
  const misses: number[] = [];
  let last = 0;
  for (let index = 0; index < count; index += 1) {
    const integer = placeOf(values[index] as number, lattice);
    if (Number.isNaN(integer)) misses.push(index);
    else last = integer;
    integers[index] = last;
  }
  return { lattice, misses };
}

/** The value that an integer of a lattice stands for. */
export function restored({ factor, divisor, isSingle }: Lattice, integer: number): number {
  const value = (integer * factor) / divisor;
  return isSingle ? Math.fround(value) : value;
}

/** Turns the integers of a lattice back into the values they stand for, in place. */
export function restore(lattice: Lattice, values: Float64Array, start: number, end: number): void {
  const { factor, divisor, isSingle } = lattice;
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
