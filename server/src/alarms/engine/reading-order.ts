import type { TimedValue, Value } from '../judgement/index.ts';

/** A reading as far as its order is concerned. */
export interface OrderedReading extends TimedValue {
  /** Its Device stated a time that was ahead of the clock when it arrived. */
  readonly isAhead?: boolean;
}

/**
 * How far the readings of a Variable have been judged. `judgedTo` is the time of the newest judgement;
 * `latestAt` is that of the newest reading, which is later where a reading was ahead of the clock.
 */
export interface ReadingMarks {
  judgedTo: number;
  latestAt: number;
  /** Undefined when it is not known. */
  latestValue: Value | undefined;
}

/** A reading ahead of the clock is judged at its arrival, so that it hides nothing that follows. */
export function judgementTime({ at, isAhead }: OrderedReading, arrivedAt: number): number {
  return isAhead ? Math.min(at, arrivedAt) : at;
}

/**
 * Whether a reading that is not in the history is judged: one that is older than the newest judged one
 * is late. Of those ahead of the clock that arrive together, the times that they state decide.
 */
export function isJudged(marks: ReadingMarks, reading: OrderedReading, arrivedAt: number): boolean {
  const { judgedTo, latestAt } = marks;
  const judgedAt = judgementTime(reading, arrivedAt);
  if (judgedAt < judgedTo) return false;
  const isSame = isSameAsLatest(marks, reading);
  if (judgedAt === reading.at) return !(isSame && latestAt > judgedTo);
  return !isSame && (judgedAt > judgedTo || reading.at >= latestAt);
}

function isSameAsLatest(marks: ReadingMarks, { at, value }: OrderedReading): boolean {
  return at === marks.latestAt && value === marks.latestValue;
}

/**
 * Whether it depends on the history if a reading is fresh: a newer one that was ahead of the clock
 * has been judged, so this one either follows it or was judged before it.
 */
export function isAmbiguous(
  marks: ReadingMarks,
  reading: OrderedReading,
  arrivedAt: number,
): boolean {
  const judgedAt = judgementTime(reading, arrivedAt);
  if (judgedAt < marks.judgedTo) return false;
  const isAhead = judgedAt < reading.at;
  return reading.at < marks.latestAt || (isAhead && isSameAsLatest(marks, reading));
}

/**
 * The reading is the newest that was judged. One without a time may be given a time after its arrival,
 * where the clock was set back: it must not hide the readings that state right times.
 */
export function advance(marks: ReadingMarks, reading: OrderedReading, arrivedAt: number): void {
  marks.judgedTo = Math.min(reading.at, arrivedAt);
  if (reading.at < marks.latestAt) return;
  marks.latestAt = reading.at;
  marks.latestValue = reading.value;
}
