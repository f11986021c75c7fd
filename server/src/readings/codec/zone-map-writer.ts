import type { ByteWriter } from './byte-writer.ts';
import type { DecimalEncoding } from './decimal-encoding.ts';
import { writeIntegers } from './integer-writer.ts';
import { middleOf, SUMMED_LIMIT, SUMS_IN_DOUBLES, SUMS_IN_STEPS } from './zone-map.ts';
import type { ZoneModel } from './zone-models.ts';
import { ZONE_SIZE, zonesOf } from './zone-size.ts';

export interface ZoneMapInput {
  readonly count: number;
  readonly model: ZoneModel;
  readonly steps: Float64Array;
  readonly first: number;
  readonly step: number;
  readonly encoding: DecimalEncoding;
  readonly values: Float64Array;
}

/**
 * Writes minimum, maximum and sum of each zone, relative to the middle of its prediction. A 32-bit
 * value is no exact multiple of its decimal unit, so that its sums are written as doubles.
 */
export function writeZoneMap(writer: ByteWriter, input: ZoneMapInput): void {
  const { count, model, steps, first, step, encoding, values } = input;
  const zones = zonesOf(count);
  const below = new Float64Array(zones);
  const above = new Float64Array(zones);
  const sums = new Float64Array(zones);
  let reach = 0;
  for (let zone = 0; zone < zones; zone += 1) {
    const start = zone * ZONE_SIZE;
    const end = Math.min(start + ZONE_SIZE, count);
    const middle = middleOf(model.bases[zone] as number, model.slopes[zone] ?? 0, end - start);
    let [least, greatest, sum] = [Infinity, -Infinity, 0];
    for (let index = start; index < end; index += 1) {
      const each = steps[index] as number;
      if (each < least) least = each;
      if (each > greatest) greatest = each;
      sum += each - middle;
    }
    below[zone] = middle - least;
    above[zone] = greatest - middle;
    sums[zone] = sum;
    reach = Math.max(reach, -least, greatest, Math.abs(middle));
  }
  writeIntegers(writer, below, zones);
  writeIntegers(writer, above, zones);
  if (encoding.isSingle || Math.abs(first) + step * reach > SUMMED_LIMIT) {
    writer.byte(SUMS_IN_DOUBLES);
    for (let start = 0; start < count; start += ZONE_SIZE) {
      writer.double(sumOf(values, start, Math.min(start + ZONE_SIZE, count)));
    }
  } else {
    writer.byte(SUMS_IN_STEPS);
    writeIntegers(writer, sums, zones);
  }
}

function sumOf(values: Float64Array, start: number, end: number): number {
  let sum = 0;
  for (let index = start; index < end; index += 1) sum += values[index] as number;
  return sum;
}
