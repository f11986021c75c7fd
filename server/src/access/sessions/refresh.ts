export const SESSION_LIVES_MS = 30 * 24 * 60 * 60 * 1000;
export const REFRESH_LIVES_MS = 7 * 24 * 60 * 60 * 1000;
const ACCESS_LIVES_MS = 15 * 60 * 1000;

/**
 * A browser may send its cookie again before it has the next one: the page was reloaded while the
 * answer was on its way, or two tabs asked at once.
 */
export const COOKIE_GRACE_MS = 10_000;

interface PresentedRefreshToken {
  readonly expiresAt: number;
  readonly usedAt: number | null;
  readonly sessionExpiresAt: number;
}

/**
 * What a presented refresh token is worth. A second use means that two parties hold it, and nobody
 * knows which one is the thief: the session has to end, however old the token is.
 */
export function judgeRefreshToken(
  token: PresentedRefreshToken,
  now: number,
  graceMs = 0,
): 'GOOD' | 'REUSED' | 'EXPIRED' {
  // Of two requests at once, the one that arrived first may be the second to get the token.
  const isLate = token.usedAt !== null && Math.max(0, now - token.usedAt) >= graceMs;
  if (isLate) return 'REUSED';
  return token.expiresAt <= now || token.sessionExpiresAt <= now ? 'EXPIRED' : 'GOOD';
}

/** No token outlives its session. */
export function tokenExpiries(
  now: number,
  sessionExpiresAt: number,
): { access: number; refresh: number } {
  return {
    access: Math.min(now + ACCESS_LIVES_MS, sessionExpiresAt),
    refresh: Math.min(now + REFRESH_LIVES_MS, sessionExpiresAt),
  };
}
