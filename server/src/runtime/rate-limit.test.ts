import { describe, expect, it } from 'vitest';
import { createRateLimit } from './rate-limit.ts';

function setUp(limit: number, maxKeys = 100) {
  let now = 1_000_000;
  const rateLimit = createRateLimit(
    { now: () => now, elapsed: () => now },
    { limit, windowMs: 60_000, maxKeys },
  );
  return {
    rateLimit,
    advance: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

describe('a rate limit', () => {
  it('allows as many hits as its limit, and reports what remains and for how long', () => {
    const { rateLimit, advance } = setUp(2);
    expect(rateLimit.hit('a')).toEqual({ allowed: true, limit: 2, remaining: 1, resetSeconds: 60 });
    advance(500);
    expect(rateLimit.hit('a')).toEqual({ allowed: true, limit: 2, remaining: 0, resetSeconds: 60 });
    advance(40_000);
    expect(rateLimit.hit('a')).toEqual({
      allowed: false,
      limit: 2,
      remaining: 0,
      resetSeconds: 20,
    });
  });

  it('starts a new window when the last has ended, to the millisecond', () => {
    const { rateLimit, advance } = setUp(1);
    rateLimit.hit('a');
    advance(59_999);
    expect(rateLimit.hit('a').allowed).toBe(false);
    advance(1);
    expect(rateLimit.hit('a').allowed).toBe(true);
  });

  it('starts a new window when the clock steps back', () => {
    const { rateLimit, advance } = setUp(1);
    rateLimit.hit('a');
    advance(-3_600_000);
    expect(rateLimit.hit('a')).toMatchObject({ allowed: true, resetSeconds: 60 });
  });

  it('counts each key by itself', () => {
    const { rateLimit } = setUp(1);
    rateLimit.hit('a');
    expect(rateLimit.hit('b').allowed).toBe(true);
    expect(rateLimit.hit('a').allowed).toBe(false);
  });

  it('counts nothing when it is only looked at', () => {
    const { rateLimit } = setUp(1);
    expect(rateLimit.peek('a').allowed).toBe(true);
    expect(rateLimit.peek('a')).toMatchObject({ allowed: true, remaining: 1 });
    rateLimit.hit('a');
    expect(rateLimit.peek('a')).toMatchObject({ allowed: false, remaining: 0 });
  });

  it('takes a hit back, but never more than there were', () => {
    const { rateLimit } = setUp(2);
    rateLimit.refund('a');
    rateLimit.hit('a');
    rateLimit.refund('a');
    rateLimit.refund('a');
    expect(rateLimit.peek('a').remaining).toBe(2);
  });

  it('resets a key', () => {
    const { rateLimit } = setUp(1);
    rateLimit.hit('a');
    rateLimit.reset('a');
    expect(rateLimit.hit('a').allowed).toBe(true);
  });

  it('remembers no more keys than its limit, and drops the one that began first', () => {
    const { rateLimit } = setUp(1, 2);
    for (const key of ['a', 'b', 'c']) rateLimit.hit(key);
    expect(rateLimit.peek('a').allowed).toBe(true);
    expect(rateLimit.peek('b').allowed).toBe(false);
    expect(rateLimit.peek('c').allowed).toBe(false);
  });
});
