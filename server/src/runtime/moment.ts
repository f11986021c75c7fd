import { invalid } from './failure.ts';

/** Four-digit years are what records, PostgreSQL and JavaScript all agree on. */
export const LAST_MOMENT_MS = 253_402_300_799_999;

/** The moment that an ISO 8601 text of a request names, whatever its offset. */
export function parseMoment(path: string, text: string): number {
  const moment = Date.parse(text.toUpperCase().replace(' ', 'T'));
  if (Number.isNaN(moment) || moment < 0 || moment > LAST_MOMENT_MS) {
    throw invalid({ path, message: 'must be a date and time between 1970 and 9999' });
  }
  return moment;
}

export function parseFutureMoment(path: string, text: string, now: number): number {
  const moment = parseMoment(path, text);
  if (moment <= now) throw invalid({ path, message: 'must be in the future' });
  return moment;
}
