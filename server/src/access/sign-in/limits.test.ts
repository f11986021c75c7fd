import { describe, expect, it } from 'vitest';
import { codeOf, failureOf } from '../../../test/support/access.ts';
import { createSignInLimits, type SignInLimitSettings } from './limits.ts';

const MANY: SignInLimitSettings = {
  failuresPerAccountAndAddress: 100,
  failuresPerAccount: 100,
  failuresPerAddress: 100,
  unknownTokensPerAddress: 100,
  windowMs: 60_000,
  maxConcurrentPerAddress: 100,
  maxConcurrent: 100,
};

function setUp(settings: Partial<SignInLimitSettings>) {
  let now = 0;
  const refused: string[] = [];
  const limits = createSignInLimits(
    { now: () => now, elapsed: () => now },
    { ...MANY, ...settings },
    (...refusal) => refused.push(refusal.join(' ')),
  );
  const known = { isKnownAddress: async () => true };
  return {
    fail: (account: string, address: string) => limits.guard(account, address, async () => null),
    succeed: (account: string, address: string) =>
      limits.guard(account, address, async () => 'good'),
    succeedAtHome: (account: string, address: string) =>
      limits.guard(account, address, async () => 'good', known),
    failAtHome: (account: string, address: string) =>
      limits.guard(account, address, async () => null, known),
    limits,
    refused,
    advance: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

describe('failed sign-ins', () => {
  it('are limited per account, from wherever they come', async () => {
    const { fail, succeed, advance } = setUp({ failuresPerAccount: 2 });
    await fail('a', '1');
    await fail('a', '2');
    expect(await codeOf(succeed('a', '3'))).toBe('TOO_MANY_REQUESTS');
    expect(await succeed('b', '3')).toBe('good');
    advance(60_000);
    expect(await succeed('a', '3')).toBe('good');
  });

  it('are limited per address, whatever the account', async () => {
    const { fail, succeed } = setUp({ failuresPerAddress: 2 });
    await fail('a', '1');
    await fail('b', '1');
    expect(await codeOf(succeed('c', '1'))).toBe('TOO_MANY_REQUESTS');
    expect(await succeed('c', '2')).toBe('good');
  });

  it('are limited also when they are all made at the same moment', async () => {
    const { limits } = setUp({ failuresPerAccountAndAddress: 3 });
    let checks = 0;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () =>
        limits.guard('a', '1', async () => {
          checks += 1;
          return null;
        }),
      ),
    );
    expect(checks).toBe(3);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(17);
  });

  it('of an account are reset when it signs in, those of the address are not', async () => {
    const { fail, succeed } = setUp({ failuresPerAccountAndAddress: 2, failuresPerAddress: 3 });
    await fail('a', '1');
    await succeed('a', '1');
    await fail('a', '1');
    expect(await succeed('a', '1')).toBe('good');
    await fail('b', '1');
    expect(await codeOf(succeed('a', '1'))).toBe('TOO_MANY_REQUESTS');
  });

  it('do not count what good sign-ins and passing faults are', async () => {
    const { limits, succeed } = setUp({
      failuresPerAccountAndAddress: 1,
      failuresPerAccount: 1,
      failuresPerAddress: 1,
    });
    for (let time = 0; time < 5; time += 1) {
      await succeed('a', '1');
      const away = limits.guard('a', '1', () => Promise.reject(new Error('away')));
      await expect(away).rejects.toThrow('away');
    }
    expect(await succeed('a', '1')).toBe('good');
  });

  it('from one address lock an account for that address alone', async () => {
    const { fail, succeed, refused } = setUp({ failuresPerAccountAndAddress: 10 });
    for (let failure = 1; failure <= 9; failure += 1) await fail('a', '192.0.2.1');
    expect(await succeed('a', '192.0.2.1')).toBe('good');
    for (let failure = 1; failure <= 10; failure += 1) await fail('a', '192.0.2.1');
    expect(await codeOf(succeed('a', '192.0.2.1'))).toBe('TOO_MANY_REQUESTS');
    expect(await succeed('a', '192.0.2.2')).toBe('good');
    expect(await succeed('b', '192.0.2.1')).toBe('good');
    expect(refused).toHaveLength(20);
    expect(refused.at(-2)).toBe('FAILED a 192.0.2.1');
    expect(refused.at(-1)).toBe('LOCKED_OUT a 192.0.2.1');
  });

  it('of strangers do not lock out an address that the user signed in from before', async () => {
    const { fail, succeed, succeedAtHome, failAtHome } = setUp({
      failuresPerAccountAndAddress: 2,
      failuresPerAccount: 2,
    });
    await fail('a', '1');
    await fail('a', '2');
    expect(await codeOf(succeed('a', '3'))).toBe('TOO_MANY_REQUESTS');
    expect(await succeedAtHome('a', 'home')).toBe('good');
    await failAtHome('a', 'home');
    await failAtHome('a', 'home');
    expect(await codeOf(succeedAtHome('a', 'home'))).toBe('TOO_MANY_REQUESTS');
  });

  it('from one IPv6 network of 64 bits count as from one address', async () => {
    const { fail, succeed } = setUp({ failuresPerAddress: 2 });
    await fail('a', '2001:db8:0:1::1');
    await fail('b', '2001:db8:0:1:ffff::2');
    expect(await codeOf(succeed('c', '2001:db8:0:1::3'))).toBe('TOO_MANY_REQUESTS');
    expect(await succeed('c', '2001:db8:0:2::3')).toBe('good');
  });
});

describe('sign-ins in progress', () => {
  it.each([
    ['of one address', { maxConcurrentPerAddress: 3 }, () => '1', 'TOO_MANY_REQUESTS'],
    ['in all', { maxConcurrent: 3 }, (one: number) => `${one}`, 'OVERLOADED'],
  ])('%s are capped, and the next is checked once one is done', async (_, caps, from, code) => {
    const { limits } = setUp(caps);
    const done: (() => void)[] = [];
    const check = () =>
      new Promise<string>((resolve) => {
        done.push(() => resolve('good'));
      });
    const running = [1, 2, 3].map((one) => limits.admit(from(one), check));
    const refused = await failureOf(limits.admit(from(4), check));
    expect([refused.code, refused.retryAfterSeconds]).toEqual([code, 1]);
    expect(done).toHaveLength(3);
    done[0]?.();
    expect(await running[0]).toBe('good');
    const next = limits.admit(from(4), async () => 'good');
    expect(await next).toBe('good');
    for (const finish of done) finish();
    await Promise.all(running);
  });
});

describe('tokens that were never issued', () => {
  it('are limited per address before they are looked up', async () => {
    const { limits } = setUp({ unknownTokensPerAddress: 2 });
    let lookUps = 0;
    const find = (found: string | null) =>
      limits.guardToken('1', async () => {
        lookUps += 1;
        return found;
      });
    expect(await find('good')).toBe('good');
    expect(await find(null)).toBeNull();
    expect(await find('good')).toBe('good');
    expect(await find(null)).toBeNull();
    expect(await codeOf(find('good'))).toBe('TOO_MANY_REQUESTS');
    expect(lookUps).toBe(4);
  });
});
