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

  totals(zone: number): ZoneTotals {
    const { bases, slopes } = this.#column;
    const count = this.#column.lengthOf(zone);
    const middle = middleOf(bases[zone] as number, slopes?.[zone] ?? 0, count);
    return {
      min: this.#valueAt(middle - (this.#below[zone] as number)),
      max: this.#valueAt(middle + (this.#above[zone] as number)),
      sum: this.#sum(zone, count, middle),
    };
  }

  #sum(zone: number, count: number, middle: number): number {
    const sum = this.#sums[zone] as number;
    if (!this.#isInSteps) return sum;
    const integers = count * (this.#first + this.#step * middle) + this.#step * sum;
    return decodedValue(this.#encoding, integers);
  }

  #valueAt(steps: number): number {
    return decodedValue(this.#encoding, this.#first + this.#step * steps);
  }
}
