import { MAX_SHIFT_DAYS } from '@fieldwatch/contract';
import { openTimeZone, weekdayOf } from '../../../runtime/index.ts';
import { type RotaPlan, shiftsOf } from '../shifts.ts';

const DAY_MS = 86_400_000;
const SUMMARY_TIME_MS = 8 * 3_600_000;

export interface MailChoice extends RotaPlan {
  readonly sendsHandoffMail: boolean;
  readonly sendsWeeklySummary: boolean;
}

/** When the next mails of a rota are due; null for those that it does not send. */
export function dueTimesOf(
  rota: MailChoice,
  now: number,
): { readonly handoffDueAt: number | null; readonly summaryDueAt: number | null } {
  return {
    handoffDueAt: rota.sendsHandoffMail ? nextHandoff(rota, now) : null,
    summaryDueAt: rota.sendsWeeklySummary ? nextMonday(rota.timeZone, now) : null,
  };
}

/** A rota without a hand-off within reach is looked at again then. */
function nextHandoff(rota: RotaPlan, now: number): number {
  const until = now + MAX_SHIFT_DAYS * DAY_MS;
  return shiftsOf(rota, now, until)[1]?.from ?? until;
}

function nextMonday(timeZone: string, now: number): number {
  const zone = openTimeZone(timeZone);
  const wallTime = zone.wallTimeAt(now);
  const monday = Math.floor(wallTime / DAY_MS) - weekdayOf(wallTime);
  const thisWeek = zone.momentOf(monday * DAY_MS + SUMMARY_TIME_MS);
  return thisWeek > now ? thisWeek : zone.momentOf((monday + 7) * DAY_MS + SUMMARY_TIME_MS);
}
