import { type Columns, type Kind, merged } from '../columns/index.ts';
import type { TimedValue } from '../reading.ts';
import type { Memtable } from './memtable.ts';

/** The readings of a series in memory, in time order. */
export function bufferedIn(
  memtables: readonly Memtable[],
  seriesId: number,
  kind: Kind,
): Columns | undefined {
  const [first, second] = memtables.flatMap((memtable) => memtable.sorted(seriesId) ?? []);
  return first && second ? merged(kind, [first, second]) : first;
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
