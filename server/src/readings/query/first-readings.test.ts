import { expect, it } from 'vitest';
import { FirstReadings } from './first-readings.ts';

function texts(from: number, ...values: string[]) {
  const times = Float64Array.from(values, (_, index) => from + index);
  return { kind: 'STRING', times, values } as const;
}

it.each([
  [4, 2, 102],
  [5, 3, 103],
  [6, 3, 103],
  [9, 4, 104],
  [10, 5, null],
])('a page with room for %i characters ends with the text that fills it', (length, taken, next) => {
  const page = new FirstReadings(100, length);
  page.add(texts(100, 'aa', 'bb'));
  page.add(texts(102, 'cc', 'ddd', 'e'));
  expect(page.parts.flatMap(({ values }) => [...values])).toEqual(
    ['aa', 'bb', 'cc', 'ddd', 'e'].slice(0, taken),
  );
  expect([page.count, page.nextStartTime]).toEqual([5, next]);
});

it('a page has at least one text, and as many numbers as are asked for', () => {
  const page = new FirstReadings(2, 1);
  page.add(texts(7, 'longer than the room', 'x'));
  expect([page.parts[0]?.values, page.count, page.nextStartTime]).toEqual([
    ['longer than the room'],
    2,
    8,
  ]);
  const numbers = new FirstReadings(2, 0);
  const values = Float64Array.of(1, 2, 3);
  numbers.add({ kind: 'NUMBER', times: values, values });
  expect([numbers.parts[0]?.values.length, numbers.nextStartTime]).toEqual([2, 3]);
});
