import type { ByteReader } from './byte-reader.ts';
import type { CodedColumn } from './coded-column-reader.ts';
import { DamagedChunk } from './damaged-chunk.ts';
import { type DecimalEncoding, decodedValue } from './decimal-encoding.ts';
import { readIntegersInto } from './integer-reader.ts';
import type { MutableSummary } from './summary.ts';
import { SLOPE_BITS } from './zone-models.ts';
import { MAX_ZONES } from './zone-size.ts';

/** Within this limit, sums of integers and of their distances are exact. */
export const SUMMED_LIMIT = 2 ** 41;
export const SUMS_IN_STEPS = 0;
export const SUMS_IN_DOUBLES = 1;

/** The step to which a zone's minimum, maximum and sum are relative. */
export function middleOf(base: number, slope: number, count: number): number {
  return base + (Math.imul(slope, count >> 1) >> SLOPE_BITS);
}

// Scratch space: written before they are read, within one synchronous call.
const below = new Float64Array(MAX_ZONES);
const above = new Float64Array(MAX_ZONES);
const sums = new Float64Array(MAX_ZONES);
const scratch: ZoneTotals = {
  least: new Float64Array(MAX_ZONES),
  greatest: new Float64Array(MAX_ZONES),
  sums: new Float64Array(MAX_ZONES),
};
let maps = 0;
let loaded = 0;

/** Of each zone: the least and the greatest step, and the sum as `#readTotals` gives it. */
interface ZoneTotals {
  readonly least: Float64Array;
  readonly greatest: Float64Array;
  readonly sums: Float64Array;
}

export interface NumberScale {
  readonly encoding: DecimalEncoding;
  readonly first: number;
  readonly step: number;
}

/** Reads the output of writeZoneMap, when it is needed. */
export class ZoneMap {
  readonly #reader: ByteReader;
  readonly #column: CodedColumn;
  readonly #scale: NumberScale;
  /** Identifies whose numbers are in the scratch space. */
  readonly #id: number;
  #isInSteps = false;
  #last = 0;
  #kept: ZoneTotals | undefined;

  /** The map follows the column. */
  constructor(reader: ByteReader, column: CodedColumn, scale: NumberScale) {
    maps += 1;
    this.#id = maps;
    this.#reader = reader;
    this.#column = column;
    this.#scale = scale;
  }

  #load(): void {
    if (loaded === this.#id) return;
    loaded = 0;
    const reader = this.#reader;
    reader.offset = this.#column.end;
    const zones = this.#column.sizes.length;
    readIntegersInto(reader, zones, below);
    readIntegersInto(reader, zones, above);
    const form = reader.byte();
    if (form !== SUMS_IN_STEPS && form !== SUMS_IN_DOUBLES) {
      throw new DamagedChunk('its sums have an unknown form');
    }
    this.#isInSteps = form === SUMS_IN_STEPS;
    if (this.#isInSteps) readIntegersInto(reader, zones, sums);
    else for (let zone = 0; zone < zones; zone += 1) sums[zone] = reader.double();
    this.#last = reader.signed();
    loaded = this.#id;
  }

  /** The last value of the chunk. */
  get last(): number {
    if (!this.#kept) this.#load();
    return this.#valueAt(this.#last);
  }

  /** Keeps the totals of all zones, which are read for every visit otherwise. */
  keep(): void {
    if (this.#kept) return;
    this.#load();
    const zones = this.#column.sizes.length;
    const kept = {
      least: new Float64Array(zones),
      greatest: new Float64Array(zones),
      sums: new Float64Array(zones),
    };
    this.#readTotals(0, zones, kept);
    this.#kept = kept;
  }

  get keptBytes(): number {
    return this.#kept ? 3 * this.#kept.sums.byteLength : 0;
  }

  /** Sets the totals of the zones from `zone` to `end`, exclusive. */
  total(zone: number, end: number, into: MutableSummary): void {
    const totals = this.#kept ?? scratch;
    if (!this.#kept) {
      this.#load();
      this.#readTotals(zone, end, scratch);
    }
    let [least, greatest, sum] = [Infinity, -Infinity, 0];
    for (let each = zone; each < end; each += 1) {
      const low = totals.least[each] as number;
      const high = totals.greatest[each] as number;
      if (low < least) least = low;
      if (high > greatest) greatest = high;
      sum += totals.sums[each] as number;
    }
    into.min = this.#valueAt(least);
    into.max = this.#valueAt(greatest);
    into.sum = this.#isInSteps ? decodedValue(this.#scale.encoding, sum) : sum;
  }

  /** Converts what was loaded to steps, and sums to integers of the decimal encoding. */
  #readTotals(zone: number, end: number, into: ZoneTotals): void {
    const { bases, slopes } = this.#column.load();
    const { first, step } = this.#scale;
    for (let each = zone; each < end; each += 1) {
      const count = this.#column.lengthOf(each);
      const middle = middleOf(bases[each] as number, slopes[each] as number, count);
      into.least[each] = middle - (below[each] as number);
      into.greatest[each] = middle + (above[each] as number);
      const own = sums[each] as number;
      into.sums[each] = this.#isInSteps ? count * (first + step * middle) + step * own : own;
    }
  }

  #valueAt(steps: number): number {
    const { encoding, first, step } = this.#scale;
    return decodedValue(encoding, first + step * steps);
  }
}
