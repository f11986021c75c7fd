import { describe, expect, it } from 'vitest';
import { Acknowledgements } from './acknowledgements.ts';
import { refused, STORED } from './outcome.ts';

function opened(count: number) {
  const sent: string[] = [];
  const acknowledgements = new Acknowledgements({
    send: ({ messageId }, { kind }) => sent.push(`${messageId} ${kind}`),
    outcomeOf: (error) => refused(String(error)),
  });
  const pending = Array.from({ length: count }, (_, index) => acknowledgements.open(1, index + 1));
  const complete = (...ids: readonly number[]) => {
    for (const id of ids) pending[id - 1]?.complete(STORED);
  };
  return { acknowledgements, pending, complete, sent };
}

describe('acknowledgements', () => {
  it('are sent after those of earlier messages, and no later', () => {
    const { complete, sent } = opened(3);
    complete(2);
    expect(sent).toEqual([]);
    complete(1);
    expect(sent).toEqual(['1 STORED', '2 STORED']);
    complete(3);
    expect(sent).toHaveLength(3);
  });

  it('state the outcome of each message', () => {
    const { pending, sent } = opened(2);
    pending[0]?.failed(new Error('no'));
    pending[1]?.stored({ accepted: 1, stored: 1, rejected: [] });
    expect(sent).toEqual(['1 REFUSED', '2 STORED']);
  });

  it('can be awaited until all are sent', async () => {
    const { acknowledgements, complete, sent } = opened(2);
    const answered = acknowledgements.answered().then(() => sent.push('all'));
    complete(1);
    complete(2);
    await answered;
    expect(sent).toEqual(['1 STORED', '2 STORED', 'all']);
    await expect(acknowledgements.answered()).resolves.toBeUndefined();
  });

  it('stay in order over many messages that complete in any order', () => {
    const { complete, sent } = opened(5_000);
    for (let id = 2; id <= 5_000; id += 2) complete(id);
    for (let id = 1; id <= 5_000; id += 2) complete(id);
    expect(sent).toEqual(Array.from({ length: 5_000 }, (_, index) => `${index + 1} STORED`));
  });
});
