import { beforeEach, describe, expect, it } from 'vitest';
import { type AnswerCache, createAnswerCache } from './answer-cache.ts';

let now: number;
let made: number;
let cache: AnswerCache;

beforeEach(() => {
  now = 0;
  made = 0;
  cache = createAnswerCache({ now: () => now }, { livesMs: 1_000, maxAnswers: 2, maxLength: 10 });
});

const make = async () => {
  made += 1;
  return { status: 200, headers: {}, body: `made ${made}` };
};

const ask = async (key = 'a', organizationId = 'one') =>
  (await cache.answer(organizationId, key, make)).body;

describe('a kept answer', () => {
  it('is given again until its time is over', async () => {
    expect([await ask(), await ask()]).toEqual(['made 1', 'made 1']);
    now = 999;
    expect(await ask()).toBe('made 1');
    now = 1_000;
    expect(await ask()).toBe('made 2');
  });

  it('is gone at once when something changes in its organization, and no other', async () => {
    await ask('a', 'one');
    await ask('b', 'two');
    cache.forget('one');
    expect(await ask('a', 'one')).toBe('made 3');
    expect(await ask('b', 'two')).toBe('made 2');
  });

  it('is not kept when something changed while it was made', async () => {
    await cache.answer('one', 'a', async () => {
      cache.forget('one');
      return make();
    });
    expect(await ask()).toBe('made 2');
  });

  it('is made once for all who ask at the same time', async () => {
    expect(await Promise.all([ask(), ask(), ask()])).toEqual(['made 1', 'made 1', 'made 1']);
  });

  it('gives way to newer ones beyond the limit', async () => {
    for (const key of ['a', 'b', 'c']) await ask(key);
    expect(await ask('c')).toBe('made 3');
    expect(await ask('a')).toBe('made 4');
  });

  it('is not kept when it is long', async () => {
    const long = async () => ({ ...(await make()), body: 'x'.repeat(11) });
    await cache.answer('one', 'a', long);
    expect(await ask()).toBe('made 2');
  });

  it('is not kept when it failed', async () => {
    await expect(
      cache.answer('one', 'a', () => Promise.reject(new Error('away'))),
    ).rejects.toThrow();
    expect(await ask()).toBe('made 1');
  });
});
