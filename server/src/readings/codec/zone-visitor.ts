import type { BlockVisitor } from './block-visitor.ts';
import type { MutableSummary } from './summary.ts';
import type { ZoneBytes } from './zone-bytes.ts';
import { ZONE_SIZE } from './zone-size.ts';
import type { ZonedNumbers } from './zoned-numbers.ts';
import type { ZonedTimes } from './zoned-times.ts';

export interface VisitedZones {
  readonly count: number;
  readonly times: ZonedTimes;
  readonly numbers: ZonedNumbers;
  readonly zones: ZoneBytes;
}

// Scratch space: written before they are read, within one synchronous call.
const times = new Float64Array(ZONE_SIZE);
const values = new Float64Array(ZONE_SIZE);
const summary: MutableSummary = {
  count: 0,
  startTime: 0.5,
  endTime: 0.5,
  min: 0.5,
  max: 0.5,
  sum: 0.5,
  first: 0.5,
  last: 0.5,
};

/** Visits the readings within `[from, to]`, and returns how many it decoded. */
export function visitZones(
  visited: VisitedZones,
  from: number,
  to: number,
  visitor: BlockVisitor,
): number {
  const { times: zonedTimes, count } = visited;
  const { starts } = zonedTimes;
  let decoded = 0;
  for (let zone = firstZone(zonedTimes, from); zone < starts.length; ) {
    if ((starts[zone] as number) > to) break;
    const end = summarizedEnd(zonedTimes, zone, from, to, visitor);
    if (end > zone) {
      addZones(visited, zone, end, visitor);
      zone = end;
      continue;
    }
    addZone(visited, zone, from, to, visitor);
    decoded += Math.min(ZONE_SIZE, count - zone * ZONE_SIZE);
    zone += 1;
  }
  return decoded;
}

/** Calls `take` with every zone that visitZones would decode. */
export function listDecodedZones(
  zonedTimes: ZonedTimes,
  from: number,
  to: number,
  visitor: Pick<BlockVisitor, 'summaryEnd'>,
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
  visitor: Pick<BlockVisitor, 'summaryEnd'>,
): number {
  const { starts, first, last } = zonedTimes;
  const before = zone === 0 ? first : zonedTimes.beforeZone(zone);
  if (before < from) return zone;
  const limit = Math.min(to, visitor.summaryEnd(before));
  let end = zone;
  while (end < starts.length && (starts[end + 1] ?? last) <= limit) end += 1;
  return end;
}

function addZones(
  { times: zonedTimes, numbers, count }: VisitedZones,
  zone: number,
  end: number,
  visitor: BlockVisitor,
): void {
  numbers.totalZones(zone, end, summary);
  summary.count = Math.min(end * ZONE_SIZE, count) - zone * ZONE_SIZE;
  summary.startTime = zonedTimes.starts[zone] as number;
  summary.endTime = zonedTimes.endOf(end - 1);
  summary.first = zone === 0 ? numbers.first : Number.NaN;
  summary.last = end === zonedTimes.starts.length ? numbers.last : Number.NaN;
  visitor.addSummary(summary);
}

/** Adds the readings of a zone within `[from, to]`, those of each bucket as their summary. */
function addZone(
  visited: VisitedZones,
  zone: number,
  from: number,
  to: number,
  visitor: BlockVisitor,
): void {
  const { count, times: zonedTimes, numbers, zones } = visited;
  const start = zone * ZONE_SIZE;
  const stop = Math.min(start + ZONE_SIZE, count);
  zonedTimes.open(zone, zones);
  const begin =
    (zonedTimes.starts[zone] as number) >= from ? start : zonedTimes.indexFrom(from, start, stop);
  const end = zonedTimes.endOf(zone) <= to ? stop : zonedTimes.indexFrom(to + 1, begin, stop);
  if (begin < end) numbers.open(zone, zones);
  for (let first = begin; first < end; ) {
    const startTime = zonedTimes.timeAt(first);
    const limit = visitor.summaryEnd(startTime);
    const next = limit < startTime ? end : zonedTimes.indexFrom(limit + 1, first + 1, end);
    if (limit < startTime || !numbers.total(first, next, summary)) {
      addReadings(visited, zone, first, next, visitor);
    } else {
      summary.count = next - first;
      summary.startTime = startTime;
      summary.endTime = zonedTimes.timeAt(next - 1);
      visitor.addSummary(summary);
    }
    first = next;
  }
}

function addReadings(
  { times: zonedTimes, numbers, zones }: VisitedZones,
  zone: number,
  first: number,
  end: number,
  visitor: BlockVisitor,
): void {
  const start = zone * ZONE_SIZE;
  zonedTimes.decode(zone, zones, times, 0);
  numbers.decode(zone, zones, values, 0);
  visitor.addReadings(times, values, first - start, end - start);
}
