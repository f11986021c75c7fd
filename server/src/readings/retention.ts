const DAY_MS = 86_400_000;

/**
 * History that ends before this is deleted. It counts from the clock, and from one day after the
 * newest reading of a Device where that is earlier: a wrong clock then deletes nothing.
 */
export function expiryOf(
  { retentionDays, newestAt }: { readonly retentionDays: number; readonly newestAt: number },
  now: number,
): number {
  return Math.min(now, newestAt + DAY_MS) - retentionDays * DAY_MS;
}
