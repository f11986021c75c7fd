import { describe, expect, it } from 'vitest';
import { createInOrder } from './in-order.ts';

describe('answers in order', () => {
  it('wait for those before them, and no longer', async () => {
    const inOrder = createInOrder<string>();
    const ends: ((text: string) => void)[] = [];
    const given: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      inOrder.add(new Promise((resolve) => ends.push(resolve)), (text) => given.push(text));
    }
    ends[1]?.('second');
    await Promise.resolve();
    expect(given).toEqual([]);
    ends[0]?.('first');
    await Promise.resolve();
    expect(given).toEqual(['first', 'second']);
    const answered = inOrder.answered().then(() => given.push('all'));
    ends[2]?.('third');
    await answered;
    expect(given).toEqual(['first', 'second', 'third', 'all']);
  });

  it('are all given at once when nothing is asked', async () => {
    await expect(createInOrder<string>().answered()).resolves.toBeUndefined();
  });
});
