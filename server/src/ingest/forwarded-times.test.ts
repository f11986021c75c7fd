import { describe, expect, it } from 'vitest';
import { ArrivalTimes } from './arrival-times.ts';
import { ForwardedTimes } from './forwarded-times.ts';

const timesOf = (arrivals: ArrivalTimes, at: number, isFixed = false) =>
  new ForwardedTimes(arrivals, { at, isFixed });

describe('the times of a forwarded message', () => {
  it('are the one that it carries, and a millisecond later for each further reading', () => {
    const arrivals = new ArrivalTimes(0);
    const times = timesOf(arrivals, 10);
    expect([7, 7, 8, 7].map((seriesId) => times.next(seriesId))).toEqual([10, 11, 10, 12]);
    expect(times.reserve()).toBeNull();
    expect([arrivals.next(7, 10), arrivals.next(8, 10)]).toEqual([13, 11]);
  });

  it('are refused for later ones where one may be in use, which no other message gets', () => {
    const arrivals = new ArrivalTimes(0);
    arrivals.reserve(8, 20);
    const times = timesOf(arrivals, 10);
    for (const seriesId of [7, 7, 8]) times.next(seriesId);
    expect(times.reserve()).toBe(21);
    expect([arrivals.next(7, 10), arrivals.next(8, 10)]).toEqual([23, 22]);
    const again = timesOf(arrivals, 21, true);
    expect([7, 7, 8].map((seriesId) => again.next(seriesId))).toEqual([21, 22, 21]);
    expect(again.reserve()).toBeNull();
  });

  it('are refused where this node did not act for the Device then, unless it is sent again', () => {
    const arrivals = new ArrivalTimes(0);
    arrivals.raise(100);
    const [first, again] = [timesOf(arrivals, 10), timesOf(arrivals, 10, true)];
    first.next(7);
    again.next(8);
    expect([first.reserve(), again.reserve()]).toEqual([100, null]);
  });

  it('do not matter to a message whose readings have timestamps', () => {
    const arrivals = new ArrivalTimes(0);
    arrivals.raise(100);
    expect(timesOf(arrivals, 10).reserve()).toBeNull();
  });
});
