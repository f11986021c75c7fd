export const SESSION_LIVES_MS = 30 * 24 * 60 * 60 * 1000;
export const REFRESH_LIVES_MS = 7 * 24 * 60 * 60 * 1000;
export const ACCESS_LIVES_MS = 15 * 60 * 1000;

interface PresentedRefreshToken {
  readonly expiresAt: number;
  readonly usedAt: number | null;
  readonly sessionExpiresAt: number;
}

/**
 * What a presented refresh token is worth. A second use means that two parties hold it, and nobody
 * can tell which one is the thief: the session has to end, however old the token is.
 */
export function judgeRefreshToken(
  token: PresentedRefreshToken,
  now: number,
): 'GOOD' | 'REUSED' | 'EXPIRED' {
  if (token.usedAt !== null) return 'REUSED';
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
