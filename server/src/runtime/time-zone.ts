import { BoundedMap } from './bounded-map.ts';

/**
 * The wall clock of a time zone. A wall time is a number of milliseconds as if the clock showed UTC,
 * so that days and hours of the clock are added as plain numbers.
 */
export interface TimeZone {
  wallTimeAt(moment: number): number;
  /**
   * The first moment at which the clock shows this time or a later one: of a time that the clock
   * shows twice it is the first, of a time that it skips the moment of the step. Later wall times
   * never have earlier moments.
   */
  momentOf(wallTime: number): number;
}

const HOUR_MS = 3_600_000;
/** Zones change their offset at full quarters of an hour UTC. */
const BLOCK_MS = 900_000;
/** More than any offset, and less than the time between two changes of one. */
const REACH_MS = 36 * HOUR_MS;

/** Making a format takes longer than using it; names of zones may be written in any case. */
const formats = new BoundedMap<string, Intl.DateTimeFormat>(100);

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(timeZone, format);
  return format;
}

/** It remembers offsets that it was asked for, so it is opened for one piece of work. */
export function openTimeZone(name: string): TimeZone {
  const format = formatOf(name);
  const offsets = new Map<number, number>();

  function offsetOf(block: number): number {
    const known = offsets.get(block);
    if (known !== undefined) return known;
    const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
    for (const { type, value } of format.formatToParts(block * BLOCK_MS)) {
      parts[type] = Number(value);
    }
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    const offset = Date.UTC(year, month - 1, day, hour, minute, second) - block * BLOCK_MS;
    offsets.set(block, offset);
    return offset;
  }

  const offsetAt = (moment: number) => offsetOf(Math.floor(moment / BLOCK_MS));

  /** The first block with another offset than the earlier one has. */
  function changeBetween(earlier: number, later: number): number {
    let low = Math.floor(earlier / BLOCK_MS);
    let high = Math.floor(later / BLOCK_MS);
    const before = offsetOf(low);
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offsetOf(middle) === before) low = middle;
      else high = middle;
    }
    return high * BLOCK_MS;
  }

  return {
    wallTimeAt: (moment) => moment + offsetAt(moment),
    momentOf(wallTime) {
      const before = offsetAt(wallTime - REACH_MS);
      const after = offsetAt(wallTime + REACH_MS);
      if (before === after) return wallTime - before;
      const change = changeBetween(wallTime - REACH_MS, wallTime + REACH_MS);
      const first = wallTime - before;
      return first < change ? first : Math.max(change, wallTime - after);
    },
  };
}
