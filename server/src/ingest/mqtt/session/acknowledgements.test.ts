import { describe, expect, it } from 'vitest';
import { Acknowledgements } from './acknowledgements.ts';
import { refused, TAKEN } from './outcome.ts';

function opened(count: number) {
  const given: string[] = [];
  const acknowledgements = new Acknowledgements({
    answer: ({ messageId }, { kind }) => given.push(`${messageId} ${kind}`),
    outcomeOf: (error) => refused(String(error)),
  });
  const slots = Array.from({ length: count }, (_, index) => acknowledgements.open(1, index + 1));
  const settle = (...ids: readonly number[]) => {
    for (const id of ids) slots[id - 1]?.settle(TAKEN);
  };
  return { acknowledgements, slots, settle, given };
}

describe('acknowledgements', () => {
  it('wait for those before them, and no longer', () => {
    const { settle, given } = opened(3);
    settle(2);
    expect(given).toEqual([]);
    settle(1);
    expect(given).toEqual(['1 TAKEN', '2 TAKEN']);
    settle(3);
    expect(given).toHaveLength(3);
  });

  it('say what became of each message', () => {
    const { slots, given } = opened(2);
    slots[0]?.failed(new Error('no'));
    slots[1]?.taken({ accepted: 1, stored: 1, rejected: [] });
    expect(given).toEqual(['1 REFUSED', '2 TAKEN']);
  });

  it('are waited for until all are given', async () => {
    const { acknowledgements, settle, given } = opened(2);
    const answered = acknowledgements.answered().then(() => given.push('all'));
    settle(1);
    settle(2);
    await answered;
    expect(given).toEqual(['1 TAKEN', '2 TAKEN', 'all']);
    await expect(acknowledgements.answered()).resolves.toBeUndefined();
  });

  it('stay in order over many messages, settled in any order', () => {
    const { settle, given } = opened(5_000);
    for (let id = 2; id <= 5_000; id += 2) settle(id);
    for (let id = 1; id <= 5_000; id += 2) settle(id);
    expect(given).toEqual(Array.from({ length: 5_000 }, (_, index) => `${index + 1} TAKEN`));
  });
});
