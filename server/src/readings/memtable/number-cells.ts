import { BLOCK_BITS, type BlockPool, NUMBERS_PER_BLOCK } from './block-pool.ts';

/*
 * Numbers in cells of 32 bits. Nearly all readings are decimals with few places: their cell has an
 * integer, and the exponent of the power of ten that divides it. Any other number is in a list, and its
 * cell has its place there. Invariant: a cell is read back as exactly the number that it was made of.
 */

const EXPONENT_BITS = 3;
/** In place of an exponent: the cell is no decimal. */
export const NOT_DECIMAL = (1 << EXPONENT_BITS) - 1;
const MAX_INTEGER = 2 ** (31 - EXPONENT_BITS) - 1;
const POWERS = Float64Array.of(1, 10, 100, 1_000, 10_000, 100_000, 1_000_000);
/** That of all numbers with up to three places that are not too large. */
const USUAL_EXPONENT = 3;
const USUAL_POWER = 1_000;
const EXPONENTS_OF_LARGER = [2, 1, 0];
const EXPONENTS_OF_MORE_PLACES = [6, 5, 4];

/** The cell of a decimal with few places; `NOT_DECIMAL` for any other number. */
export function decimalCell(value: number): number {
  const integer = Math.round(value * USUAL_POWER);
  if (integer > MAX_INTEGER || integer < -MAX_INTEGER) {
    return firstCell(value, EXPONENTS_OF_LARGER);
  }
  if (integer / USUAL_POWER !== value) return firstCell(value, EXPONENTS_OF_MORE_PLACES);
  return Object.is(value, -0) ? NOT_DECIMAL : (integer << EXPONENT_BITS) | USUAL_EXPONENT;
}

function firstCell(value: number, exponents: readonly number[]): number {
  for (const exponent of exponents) {
    const power = POWERS[exponent] as number;
    const integer = Math.round(value * power);
    const isWithin = integer <= MAX_INTEGER && integer >= -MAX_INTEGER;
    if (isWithin && integer / power === value) return (integer << EXPONENT_BITS) | exponent;
  }
  return NOT_DECIMAL;
}

/** The cell of a number that is at this place in a list. */
export function listedCell(place: number): number {
  return (place << EXPONENT_BITS) | NOT_DECIMAL;
}

/** The number of a cell. */
export function numberOf(cell: number, list: NumberList): number {
  const exponent = cell & NOT_DECIMAL;
  if (exponent === NOT_DECIMAL) return list.at(cell >>> EXPONENT_BITS);
  return (cell >> EXPONENT_BITS) / (POWERS[exponent] as number);
}

/** Numbers by their places, in blocks. */
export class NumberList {
  readonly #blockPool: BlockPool;
  readonly #blocks: Float64Array<ArrayBuffer>[] = [];
  #count = 0;

  constructor(blockPool: BlockPool) {
    this.#blockPool = blockPool;
  }

  get count(): number {
    return this.#count;
  }

  /** Returns the place. */
  add(value: number): number {
    const place = this.#count;
    const index = place & (NUMBERS_PER_BLOCK - 1);
    if (index === 0) this.#blocks.push(new Float64Array(this.#blockPool.take()));
    const block = this.#blocks[place >>> BLOCK_BITS] as Float64Array;
    block[index] = value;
    this.#count += 1;
    return place;
  }

  at(place: number): number {
    const block = this.#blocks[place >>> BLOCK_BITS] as Float64Array;
    return block[place & (NUMBERS_PER_BLOCK - 1)] as number;
  }

  /** Returns the blocks to the pool. Nothing may be read afterwards. */
  release(): void {
    this.#blockPool.give(this.#blocks.map((block) => block.buffer));
  }
}
