/** What a target was sent lately, which decides whether it gets single messages. */
export interface RecentMessages {
  /** Messages within the last minute, those in digests included. */
  readonly recentCount: number;
  readonly hasOpenDigest: boolean;
  readonly lastDigestAt: number | null;
  readonly takesDigests: boolean;
}

export type Form =
  | { readonly form: 'SINGLE' }
  /** Into the digest that is open. */
  | { readonly form: 'JOIN' }
  /** Into a new digest, which gathers until it is due. */
  | { readonly form: 'DIGEST'; readonly dueAt: number };

export const DIGEST_WINDOW_MS = 60_000;
const MAX_SINGLE_MESSAGES = 20;
/** Events of a burst that arrive within this time go into its first digest. */
const GATHER_MS = 5_000;

/** More than twenty messages within a minute become a digest, and while that lasts one a minute. */
export function formOf(recent: RecentMessages, count: number, now: number): Form {
  if (!recent.takesDigests) return { form: 'SINGLE' };
  if (recent.hasOpenDigest) return { form: 'JOIN' };
  const nextDigestAt = recent.lastDigestAt === null ? 0 : recent.lastDigestAt + DIGEST_WINDOW_MS;
  if (recent.recentCount + count <= MAX_SINGLE_MESSAGES) return { form: 'SINGLE' };
  return { form: 'DIGEST', dueAt: Math.max(now + GATHER_MS, nextDigestAt) };
}
