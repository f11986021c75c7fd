import { describe, expect, it } from 'vitest';
import { daysFrom, partsIn, weekAfter } from './rota-days.ts';

const AT = new Date(2026, 10, 18, 14, 30).getTime();
const textOf = (ms: number) => new Date(ms).toString().slice(0, 21);

describe('the weeks of a rota', () => {
  it('begin at the midnight of today and follow each other', () => {
    const [first, second] = [weekAfter(AT, 0), weekAfter(AT, 1)];
    expect(textOf(first.from)).toBe('Wed Nov 18 2026 00:00');
    expect(second.from).toBe(first.to);
    expect(textOf(second.to)).toBe('Wed Dec 02 2026 00:00');
  });

  it('have seven days that begin at midnight, also where a clock is changed', () => {
    const days = daysFrom(new Date(2026, 9, 22, 9).getTime());
    expect(days.map((day) => textOf(day).slice(16))).toEqual(Array(7).fill('00:00'));
  });

  it('have the parts of shifts that are in them, with their share', () => {
    const week = weekAfter(AT, 0);
    const half = (week.from + week.to) / 2;
    const time = (ms: number) => new Date(ms).toISOString();
    const shifts = [
      { name: 'A', fromDateTime: time(week.from - 1000), toDateTime: time(half) },
      { name: 'B', fromDateTime: time(half), toDateTime: time(week.to + 1000) },
      { name: 'C', fromDateTime: time(week.to), toDateTime: time(week.to + 1000) },
    ];
    expect(partsIn(shifts, week)).toMatchObject([
      { name: 'A', begin: week.from, share: 0.5 },
      { name: 'B', begin: half, share: 0.5 },
    ]);
  });
});
