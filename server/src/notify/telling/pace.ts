/** What decides whether a target is told one by one. */
export interface Pace {
  /** Told one by one within the last minute. */
  readonly recentCount: number;
  readonly hasOpenDigest: boolean;
  readonly lastDigestAt: number | null;
}

export type Form =
  | { readonly form: 'ONE_BY_ONE' }
  /** Into the digest that is open. */
  | { readonly form: 'JOIN' }
  /** Into a new digest, which gathers until it is due. */
  | { readonly form: 'DIGEST'; readonly dueAt: number };

export const PACE_WINDOW_MS = 60_000;
const MOST_ONE_BY_ONE = 20;
/** What a burst brings within this goes into its first digest. */
const GATHER_MS = 5_000;

/** More than twenty within a minute become one message; while it goes on, one a minute. */
export function formOf(pace: Pace, count: number, now: number): Form {
  if (pace.hasOpenDigest) return { form: 'JOIN' };
  const nextDigestAt = pace.lastDigestAt === null ? 0 : pace.lastDigestAt + PACE_WINDOW_MS;
  const isStorm = now < nextDigestAt || pace.recentCount + count > MOST_ONE_BY_ONE;
  if (!isStorm) return { form: 'ONE_BY_ONE' };
  return { form: 'DIGEST', dueAt: Math.max(now + GATHER_MS, nextDigestAt) };
}
