import type { StepTotals } from './step-totals.ts';
import { ZONE_SIZE } from './zone-size.ts';

/** Steps of a zone that are totalled together. */
const GROUP_SIZE = 16;
const GROUPS = ZONE_SIZE / GROUP_SIZE;
/** A kept zone: its steps relative to its base, then the least, the greatest and the sum of each group. */
const MINIMA_AT = ZONE_SIZE;
const MAXIMA_AT = MINIMA_AT + GROUPS;
const SUMS_AT = MAXIMA_AT + GROUPS;
const KEPT_LENGTH = SUMS_AT + GROUPS;
/** Within this limit the sum of a group is an integer of 32 bits. */
const MAX_KEPT_STEP = 2 ** 26;
// Scratch space: written before it is read, within one synchronous call.
const room = new Int32Array(KEPT_LENGTH);

/**
 * Decoded zones of a column in memory. A chart asks again for the zones at the borders of its buckets,
 * and their totals come from groups of readings and a few single ones.
 */
export class KeptZones {
  readonly #zones: (Int32Array | undefined)[];
  readonly #bases: Float64Array;
  #count = 0;

  constructor(zones: number) {
    this.#zones = new Array<Int32Array | undefined>(zones).fill(undefined);
    this.#bases = new Float64Array(zones);
  }

  get bytes(): number {
    return this.#count * KEPT_LENGTH * Int32Array.BYTES_PER_ELEMENT;
  }

  find(zone: number): Int32Array | undefined {
    return this.#zones[zone];
  }

  baseOf(zone: number): number {
    return this.#bases[zone] as number;
  }

  /** Keeps a zone, of whose first `count` steps `stepAt` is called in order, unless they are too wide. */
  add(
    zone: number,
    base: number,
    count: number,
    stepAt: (index: number) => number,
  ): Int32Array | undefined {
    for (let index = 0; index < count; index += 1) {
      const step = stepAt(index);
      if (Math.abs(step) > MAX_KEPT_STEP) return undefined;
      room[index] = step;
    }
    for (let group = 0; group * GROUP_SIZE < count; group += 1) {
      const start = group * GROUP_SIZE;
      const steps = room.subarray(start, Math.min(start + GROUP_SIZE, count));
      room[MINIMA_AT + group] = Math.min(...steps);
      room[MAXIMA_AT + group] = Math.max(...steps);
      room[SUMS_AT + group] = steps.reduce((sum, step) => sum + step, 0);
    }
    // Of its own: a part of a pool would keep the rest of that in memory, for as long as a chart is drawn.
    const kept = room.slice();
    this.#bases[zone] = base;
    this.#zones[zone] = kept;
    this.#count += 1;
    return kept;
  }
}

/** Sets the totals of the steps from `start` to `end`, exclusive, of a kept zone. */
export function totalKept(
  kept: Int32Array,
  start: number,
  end: number,
  base: number,
  into: StepTotals,
): void {
  const first = kept[start] as number;
  let [least, greatest, sum] = [first, first, 0];
  for (let index = start; index < end; ) {
    if (index % GROUP_SIZE === 0 && index + GROUP_SIZE <= end) {
      const group = index / GROUP_SIZE;
      least = Math.min(least, kept[MINIMA_AT + group] as number);
      greatest = Math.max(greatest, kept[MAXIMA_AT + group] as number);
      sum += kept[SUMS_AT + group] as number;
      index += GROUP_SIZE;
    } else {
      const step = kept[index] as number;
      least = Math.min(least, step);
      greatest = Math.max(greatest, step);
      sum += step;
      index += 1;
    }
  }
  into.least = base + least;
  into.greatest = base + greatest;
  into.sum = (end - start) * base + sum;
  into.first = base + first;
  into.last = base + (kept[end - 1] as number);
}
