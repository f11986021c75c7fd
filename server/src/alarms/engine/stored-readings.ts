import type { TimedValue } from '../judgement/index.ts';
import { isAmbiguous } from './reading-order.ts';
import type { JudgedReading, WatchedReading } from './variable-watches.ts';

/** Whether the history of a Variable has exactly this reading. */
export type IsStored = (
  variable: JudgedReading['variable'],
  reading: TimedValue,
) => Promise<boolean>;

/**
 * Looks into the history where only that decides whether a reading was judged before. Where there is
 * none, a reading ahead of the clock that follows and one that is delivered again look the same. It
 * counts as delivered again: no event is raised twice.
 */
export async function findStored(
  watchedReadings: readonly WatchedReading[],
  arrivedAt: number,
  isStored: IsStored,
): Promise<void> {
  for (const watchedReading of watchedReadings) {
    const { watches, reading } = watchedReading;
    if (!isAmbiguous(watches, reading, arrivedAt)) continue;
    const { variable, isAhead = false } = reading;
    watchedReading.isStored = variable.isLoggingEnabled
      ? await isStored(variable, reading)
      : isAhead;
  }
}
