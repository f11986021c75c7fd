import { describe, expect, it } from 'vitest';
import { judgeRefreshToken, tokenExpiries } from './refresh.ts';

describe('a refresh token', () => {
  const token = { expiresAt: 1_000, usedAt: null, sessionExpiresAt: 2_000 };

  it('is good until it or its session ends, to the millisecond', () => {
    expect(judgeRefreshToken(token, 999)).toBe('GOOD');
    expect(judgeRefreshToken(token, 1_000)).toBe('EXPIRED');
    expect(judgeRefreshToken({ ...token, expiresAt: 3_000 }, 2_000)).toBe('EXPIRED');
  });

  it('that was used is a reused one, also when it has expired', () => {
    expect(judgeRefreshToken({ ...token, usedAt: 10 }, 20)).toBe('REUSED');
    expect(judgeRefreshToken({ ...token, usedAt: 10 }, 5_000)).toBe('REUSED');
  });

  it('that was used is a reused one, also for a request that arrived before that use', () => {
    expect(judgeRefreshToken({ ...token, usedAt: 10 }, 9)).toBe('REUSED');
  });

  it('may come again within the grace of a cookie, counted from its first use', () => {
    const used = { ...token, usedAt: 10 };
    const verdictAt = (now: number) => judgeRefreshToken(used, now, 100);
    expect([109, 110, 111].map(verdictAt)).toEqual(['GOOD', 'REUSED', 'REUSED']);
    expect(judgeRefreshToken({ ...used, expiresAt: 50 }, 50, 100)).toBe('EXPIRED');
  });

  it('and an access token never outlive their session', () => {
    expect(tokenExpiries(0, 1_000)).toEqual({ access: 1_000, refresh: 1_000 });
    expect(tokenExpiries(0, Number.MAX_SAFE_INTEGER)).toEqual({
      access: 15 * 60_000,
      refresh: 7 * 24 * 60 * 60_000,
    });
  });
});
