import { isUuid } from '../runtime/index.ts';

const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:[Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** RFC 3339, and a moment that exists: no 30th of February, no leap second. */
export function isDateTime(text: string): boolean {
  const parts = DATE_TIME.exec(text);
  if (!parts) return false;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return (
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= lastDay &&
    hour <= 23 &&
    minute <= 59 &&
    second <= 59 &&
    year >= 1
  );
}

const EMAIL =
  /^[^\s@"(),:;<>[\\\]]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i;

/** The formats that schemas may name, and how a refusal words them. */
export const FORMATS: Readonly<
  Record<string, { readonly validate: (text: string) => boolean; readonly noun: string }>
> = {
  uuid: { validate: isUuid, noun: 'a UUID' },
  'date-time': { validate: isDateTime, noun: 'an ISO 8601 date-time with a zone' },
  email: { validate: (text) => EMAIL.test(text), noun: 'an email address' },
};
