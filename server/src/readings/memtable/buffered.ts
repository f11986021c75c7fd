import { type Columns, joined, type Kind } from '../columns/index.ts';
import type { Range, TimedValue } from '../reading.ts';
import type { Memtable } from './memtable.ts';

/** A copy of the readings of a series in memory within a range, in order of arrival. */
export function bufferedIn(
  memtables: readonly Memtable[],
  { seriesId, type }: { readonly seriesId: number; readonly type: Kind },
  range: Range,
): Columns {
  const arrived = memtables.flatMap((memtable) => memtable.arrivedWithin(seriesId, range) ?? []);
  const [only] = arrived;
  return only && arrived.length === 1 ? only : joined(type, arrived);
}

/** The newest value of a series in memory; a stored one may be newer. */
export function latestIn(memtables: readonly Memtable[], seriesId: number): TimedValue | undefined {
  let newest: TimedValue | undefined;
  for (const memtable of memtables) {
    const latest = memtable.latest(seriesId);
    if (latest && (!newest || latest.at >= newest.at)) newest = latest;
  }
  return newest;
}
