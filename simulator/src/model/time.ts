export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const WEEK = 7 * DAY;

/** A Monday. Counters such as running hours start here; nothing exists before it. */
export const EPOCH = Date.UTC(2024, 0, 1);
