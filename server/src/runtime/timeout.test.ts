import { describe, expect, it } from 'vitest';
import { createDeferred } from './deferred.ts';
import { endsWithin, withTimeout } from './timeout.ts';

const late = (limitMs: number) => new Error(`late after ${limitMs} ms`);
const never = () => createDeferred<void>().promise;

describe('work with a time limit', () => {
  it('has its own outcome when it ends in time', async () => {
    await expect(withTimeout(60_000, Promise.resolve(7), late)).resolves.toBe(7);
    const failed = Promise.reject(new Error('own'));
    await expect(withTimeout(60_000, failed, late)).rejects.toThrow('own');
  });

  it('is rejected with the given error when it takes longer', async () => {
    await expect(withTimeout(1, never(), late)).rejects.toThrow('late after 1 ms');
    await expect(withTimeout(-1, never(), late)).rejects.toThrow('late');
  });

  it('reports whether it ended in time', async () => {
    expect(await endsWithin(60_000, Promise.resolve())).toBe(true);
    expect(await endsWithin(1, never())).toBe(false);
    await expect(endsWithin(60_000, Promise.reject(new Error('own')))).rejects.toThrow('own');
  });
});
