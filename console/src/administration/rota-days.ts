const DAYS_PER_WEEK = 7;
export const WEEKS = [0, 1, 2, 3] as const;

/** The midnight of the viewer's zone that begins the day so many days after that of a time. */
function midnightAfter(ms: number, days: number): number {
  const at = new Date(ms);
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() + days).getTime();
}

/** A week from the day of a time on, or one of those after it. */
export function weekAfter(ms: number, weeks: number) {
  return {
    from: midnightAfter(ms, weeks * DAYS_PER_WEEK),
    to: midnightAfter(ms, (weeks + 1) * DAYS_PER_WEEK),
  };
}

/** The days of the first week. */
export function daysFrom(ms: number): readonly number[] {
  return Array.from({ length: DAYS_PER_WEEK }, (_, day) => midnightAfter(ms, day));
}

interface Period {
  readonly fromDateTime: string;
  readonly toDateTime: string;
}

/** The parts of periods within a week, each with its share of the week. */
export function partsIn<T extends Period>(periods: readonly T[], { from, to }: Week) {
  return periods.flatMap((period) => {
    const begin = Math.max(from, Date.parse(period.fromDateTime));
    const share = (Math.min(to, Date.parse(period.toDateTime)) - begin) / (to - from);
    return share > 0 ? [{ ...period, begin, share }] : [];
  });
}

type Week = ReturnType<typeof weekAfter>;
