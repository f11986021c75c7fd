import type { BlockVisitor } from './block-visitor.ts';
import type { ZoneBytes } from './zone-bytes.ts';
import { ZONE_SIZE } from './zone-size.ts';
import type { ZonedNumbers, ZonedTimes } from './zoned-columns.ts';

export interface VisitedZones {
  readonly count: number;
  readonly times: ZonedTimes;
  readonly numbers: ZonedNumbers;
  readonly zones: Pick<ZoneBytes, 'times' | 'values'>;
}

// Scratch space: written before they are read, within one synchronous call.
const times = new Float64Array(ZONE_SIZE);
const values = new Float64Array(ZONE_SIZE);

/** Visits the readings within `[from, to]`, and returns how many it decoded. */
export function visitZones(
  { count, times: zonedTimes, numbers, zones }: VisitedZones,
  from: number,
  to: number,
  visitor: BlockVisitor,
): number {
  const { starts } = zonedTimes;
  let decoded = 0;
  for (let zone = 0; zone < starts.length; zone += 1) {
    const start = starts[zone] as number;
    if (start > to) break;
    if (zonedTimes.endOf(zone) < from) continue;
    const length = Math.min(ZONE_SIZE, count - zone * ZONE_SIZE);
    if (addSummary(zonedTimes, numbers, zone, length, from, to, visitor)) continue;
    zonedTimes.decode(zone, zones.times, times, 0);
    numbers.decode(zone, zones.values, values, 0);
    addWithin(from, to, length, visitor);
    decoded += length;
  }
  return decoded;
}

/**
 * Whether only the summary of a zone is needed. A zone has no first and last value in its summary:
 * the readings before and after it must count to the same range, unless the chunk ends there.
 */
function isSummaryEnough(
  zonedTimes: ZonedTimes,
  zone: number,
  from: number,
  to: number,
  visitor: Pick<BlockVisitor, 'summarySuffices'>,
): boolean {
  const before = zone === 0 ? zonedTimes.first : zonedTimes.beforeZone(zone);
  const after = zonedTimes.starts[zone + 1] ?? zonedTimes.last;
  return before >= from && after <= to && visitor.summarySuffices(before, after);
}

/** Calls `take` with every zone that visitZones would decode. */
export function listDecodedZones(
  zonedTimes: ZonedTimes,
  numbers: ZonedNumbers,
  from: number,
  to: number,
  visitor: Pick<BlockVisitor, 'summarySuffices'>,
  take: (zone: number) => void,
): void {
  const { starts } = zonedTimes;
  for (let zone = 0; zone < starts.length && (starts[zone] as number) <= to; zone += 1) {
    if (zonedTimes.endOf(zone) < from) continue;
    const isEnough =
      isSummaryEnough(zonedTimes, zone, from, to, visitor) &&
      Number.isFinite(numbers.totals(zone).sum);
    if (!isEnough) take(zone);
  }
}

/** Returns whether the summary sufficed. */
function addSummary(
  zonedTimes: ZonedTimes,
  numbers: ZonedNumbers,
  zone: number,
  count: number,
  from: number,
  to: number,
  visitor: BlockVisitor,
): boolean {
  if (!isSummaryEnough(zonedTimes, zone, from, to, visitor)) return false;
  const { min, max, sum } = numbers.totals(zone);
  if (!Number.isFinite(sum)) return false;
  // Spelled out, since spreading an object takes many times as long.
  visitor.addSummary({
    min,
    max,
    sum,
    count,
    startTime: zonedTimes.starts[zone] as number,
    endTime: zonedTimes.endOf(zone),
    first: zone === 0 ? numbers.first : Number.NaN,
    last: zone + 1 === zonedTimes.starts.length ? numbers.last : Number.NaN,
  });
  return true;
}

function addWithin(from: number, to: number, count: number, visitor: BlockVisitor): void {
  let first = 0;
  while (first < count && (times[first] as number) < from) first += 1;
  let end = count;
  while (end > first && (times[end - 1] as number) > to) end -= 1;
  if (end > first) visitor.addReadings(times, values, first, end);
}
