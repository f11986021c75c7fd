import { describe, expect, it } from 'vitest';
import { previousRange, withRange } from './range-history.ts';

const day = { last: 'day', from: undefined, to: undefined };
const zoomed = { last: undefined, from: 1, to: 9 };
const closer = { last: undefined, from: 3, to: 4 };

describe('the history of ranges', () => {
  it('leads back step by step', () => {
    const past = withRange(withRange([], day), zoomed);
    const first = previousRange(past, closer);
    expect(first?.range).toEqual(zoomed);
    const second = previousRange(first?.past ?? [], zoomed);
    expect(second?.range).toEqual(day);
    expect(previousRange(second?.past ?? [], day)).toBeNull();
  });

  it('skips the present range, to which the browser may have gone back', () => {
    const past = withRange(withRange([], day), zoomed);
    expect(previousRange(past, zoomed)?.range).toEqual(day);
  });

  it('keeps the last fifty', () => {
    const past = Array.from({ length: 60 }, (_, index) => index).reduce<
      ReturnType<typeof withRange>
    >((ranges, from) => withRange(ranges, { from, to: 99 }), []);
    expect(past).toHaveLength(50);
    expect(past[0]?.from).toBe(10);
  });
});
