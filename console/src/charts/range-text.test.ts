import { expect, it } from 'vitest';
import { rangeText } from './range-text.ts';

const range = {
  startMs: new Date(2026, 10, 16, 8).getTime(),
  endMs: new Date(2026, 10, 16, 12).getTime(),
};

it.each([
  [{}, 'Last 24 hours'],
  [{ last: 'hour' }, 'Last hour'],
  [{ last: '6h' }, 'Last 6 hours'],
  [{ last: '15m' }, 'Last 15 minutes'],
  [{ last: '1d' }, 'Last day'],
  [{ last: 'previous-month' }, 'Previous month'],
])('the range %j is called "%s"', (choice, text) => {
  expect(rangeText(choice, range, 'day')).toBe(text);
});

it('a range with a start and an end is called by its times', () => {
  const choice = { from: range.startMs, to: range.endMs };
  expect(rangeText(choice, range, 'day')).toMatch(/2026.*8:00.*12:00/);
});
