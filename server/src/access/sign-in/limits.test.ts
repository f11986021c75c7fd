import { describe, expect, it } from 'vitest';
import { codeOf } from '../../../test/support/access.ts';
import { createSignInLimits } from './limits.ts';

function setUp(failuresPerAccount: number, failuresPerAddress: number) {
  let now = 0;
  const limits = createSignInLimits(
    { now: () => now },
    { failuresPerAccount, failuresPerAddress, windowMs: 60_000 },
  );
  return {
    fail: (account: string, address: string) => limits.guard(account, address, async () => null),
    succeed: (account: string, address: string) =>
      limits.guard(account, address, async () => 'good'),
    limits,
    advance: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

describe('failed sign-ins', () => {
  it('are limited per account, from wherever they come', async () => {
    const { fail, succeed, advance } = setUp(2, 100);
    await fail('a', '1');
    await fail('a', '2');
    expect(await codeOf(succeed('a', '3'))).toBe('TOO_MANY_REQUESTS');
    expect(await succeed('b', '3')).toBe('good');
    advance(60_000);
    expect(await succeed('a', '3')).toBe('good');
  });

  it('are limited per address, whatever the account', async () => {
    const { fail, succeed } = setUp(100, 2);
    await fail('a', '1');
    await fail('b', '1');
    expect(await codeOf(succeed('c', '1'))).toBe('TOO_MANY_REQUESTS');
    expect(await succeed('c', '2')).toBe('good');
  });

  it('are limited also when they are all made at the same moment', async () => {
    const { limits } = setUp(3, 100);
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

  it('of an account are forgotten when it signs in, those of the address are not', async () => {
    const { fail, succeed } = setUp(2, 3);
    await fail('a', '1');
    await succeed('a', '1');
    await fail('a', '1');
    expect(await succeed('a', '1')).toBe('good');
    await fail('b', '1');
    expect(await codeOf(succeed('a', '1'))).toBe('TOO_MANY_REQUESTS');
  });

  it('do not count what good sign-ins and passing faults are', async () => {
    const { limits, succeed } = setUp(1, 1);
    for (let time = 0; time < 5; time += 1) {
      await succeed('a', '1');
      const away = limits.guard('a', '1', () => Promise.reject(new Error('away')));
      await expect(away).rejects.toThrow('away');
    }
    expect(await succeed('a', '1')).toBe('good');
  });

  it('of strangers do not lock out an address that knew the password', async () => {
    const { fail, succeed } = setUp(2, 100);
    await succeed('a', 'home');
    await fail('a', '1');
    await fail('a', '2');
    expect(await codeOf(succeed('a', '3'))).toBe('TOO_MANY_REQUESTS');
    expect(await succeed('a', 'home')).toBe('good');
    await fail('a', 'home');
    await fail('a', 'home');
    expect(await codeOf(succeed('a', 'home'))).toBe('TOO_MANY_REQUESTS');
  });
});
