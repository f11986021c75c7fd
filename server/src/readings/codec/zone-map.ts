import type { ByteReader } from './byte-reader.ts';
import type { CodedColumn } from './coded-column-reader.ts';
import { DamagedChunk } from './damaged-chunk.ts';
import { type DecimalEncoding, decodedValue } from './decimal-encoding.ts';
import { readIntegers } from './integer-reader.ts';
import { SLOPE_BITS } from './zone-models.ts';

/** Within this limit, sums of integers and of their distances are exact. */
export const SUMMED_LIMIT = 2 ** 41;
export const SUMS_IN_STEPS = 0;
export const SUMS_IN_DOUBLES = 1;

/** The step to which a zone's minimum, maximum and sum are relative. */
export function middleOf(base: number, slope: number, count: number): number {
  return base + (Math.imul(slope, count >> 1) >> SLOPE_BITS);
}

/** The minimum, the maximum and the sum of values. */
export interface ZoneTotals {
  readonly min: number;
  readonly max: number;
  readonly sum: number;
}

/** Reads the output of writeZoneMap. */
export class ZoneMap {
  readonly #column: CodedColumn;
  readonly #encoding: DecimalEncoding;
  readonly #first: number;
  readonly #step: number;
  readonly #below: Float64Array;
  readonly #above: Float64Array;
  readonly #sums: Float64Array;
  readonly #isInSteps: boolean;

  constructor(
    reader: ByteReader,
    column: CodedColumn,
    { encoding, first, step }: { encoding: DecimalEncoding; first: number; step: number },
  ) {
    const zones = column.bases.length;
    this.#column = column;
    this.#encoding = encoding;
    this.#first = first;
    this.#step = step;
    this.#below = readIntegers(reader, zones);
    this.#above = readIntegers(reader, zones);
    const form = reader.byte();
    if (form !== SUMS_IN_STEPS && form !== SUMS_IN_DOUBLES) {
      throw new DamagedChunk('its sums have an unknown form');
    }
    this.#isInSteps = form === SUMS_IN_STEPS;
    this.#sums = this.#isInSteps
      ? readIntegers(reader, zones)
      : Float64Array.from({ length: zones }, () => reader.double());
  }

  /** The totals of the zones from `zone` to `end`, exclusive. */
  totals(zone: number, end: number): ZoneTotals {
    const { bases, slopes } = this.#column;
    let [least, greatest, sum] = [Infinity, -Infinity, 0];
    for (let each = zone; each < end; each += 1) {
      const count = this.#column.lengthOf(each);
      const middle = middleOf(bases[each] as number, slopes?.[each] ?? 0, count);
      const low = middle - (this.#below[each] as number);
      const high = middle + (this.#above[each] as number);
      if (low < least) least = low;
      if (high > greatest) greatest = high;
      const own = this.#sums[each] as number;
      sum += this.#isInSteps ? count * (this.#first + this.#step * middle) + this.#step * own : own;
    }
    return {
      min: this.#valueAt(least),
      max: this.#valueAt(greatest),
      sum: this.#isInSteps ? decodedValue(this.#encoding, sum) : sum,
    };
  }

  #valueAt(steps: number): number {
    return decodedValue(this.#encoding, this.#first + this.#step * steps);
  }
}
