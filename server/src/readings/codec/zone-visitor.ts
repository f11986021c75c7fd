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
  for (let zone = firstZone(zonedTimes, from); zone < starts.length; ) {
    if ((starts[zone] as number) > to) break;
    const end = summarizedEnd(zonedTimes, zone, from, to, visitor);
    if (end > zone) {
      addSummary(zonedTimes, numbers, zone, end, count, visitor);
      zone = end;
      continue;
    }
    const length = Math.min(ZONE_SIZE, count - zone * ZONE_SIZE);
    zonedTimes.decode(zone, zones.times, times, 0);
    numbers.decode(zone, zones.values, values, 0);
    addWithin(from, to, length, visitor);
    decoded += length;
    zone += 1;
  }
  return decoded;
}

/** Calls `take` with every zone that visitZones would decode. */
export function listDecodedZones(
  zonedTimes: ZonedTimes,
  from: number,
  to: number,
  visitor: Pick<BlockVisitor, 'summarySuffices'>,
  take: (zone: number) => void,
): void {
  const { starts } = zonedTimes;
  for (let zone = firstZone(zonedTimes, from); zone < starts.length; ) {
    if ((starts[zone] as number) > to) break;
    const end = summarizedEnd(zonedTimes, zone, from, to, visitor);
    if (end === zone) take(zone);
    zone = Math.max(end, zone + 1);
  }
}

/** The first zone that may have a reading at or after a time. */
function firstZone(zonedTimes: ZonedTimes, from: number): number {
  let zone = 0;
  while (zone < zonedTimes.starts.length && zonedTimes.endOf(zone) < from) zone += 1;
  return zone;
}

/**
 * The end of the zones from this one on of which together only the summary is needed; the zone itself
 * when it must be decoded. A summary of zones has no first and last value: the readings before and
 * after them must count to the same range, unless the chunk ends there.
 */
function summarizedEnd(
  zonedTimes: ZonedTimes,
  zone: number,
  from: number,
  to: number,
  visitor: Pick<BlockVisitor, 'summarySuffices'>,
): number {
  const { starts, first, last } = zonedTimes;
  const before = zone === 0 ? first : zonedTimes.beforeZone(zone);
  let end = zone;
  if (before < from) return end;
  for (; end < starts.length; end += 1) {
    const after = starts[end + 1] ?? last;
    if (after > to || !visitor.summarySuffices(before, after)) break;
  }
  return end;
}

function addSummary(
  zonedTimes: ZonedTimes,
  numbers: ZonedNumbers,
  zone: number,
  end: number,
  count: number,
  visitor: BlockVisitor,
): void {
  const { min, max, sum } = numbers.totals(zone, end);
  // Spelled out, since spreading an object takes many times as long.
  visitor.addSummary({
    min,
    max,
    sum,
    count: Math.min(end * ZONE_SIZE, count) - zone * ZONE_SIZE,
    startTime: zonedTimes.starts[zone] as number,
    endTime: zonedTimes.endOf(end - 1),
    first: zone === 0 ? numbers.first : Number.NaN,
    last: end === zonedTimes.starts.length ? numbers.last : Number.NaN,
  });
}

function addWithin(from: number, to: number, count: number, visitor: BlockVisitor): void {
  let first = 0;
  while (first < count && (times[first] as number) < from) first += 1;
  let end = count;
  while (end > first && (times[end - 1] as number) > to) end -= 1;
  if (end > first) visitor.addReadings(times, values, first, end);
}
