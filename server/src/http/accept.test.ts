import { expect, it } from 'vitest';
import { prefersCsv } from './accept.ts';

it.each([
  ['text/csv', true],
  ['Text/CSV; q=0.1', true],
  ['text/csv, application/json', true],
  ['application/json;q=0.5, text/csv;q=0.6', true],
  ['text/csv, */*;q=0.1', true],
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['text/*', false],
  ['application/json', false],
  ['application/json, text/csv', false],
  ['text/csv;q=0.5, application/json', false],
  ['text/csv;q=0', false],
  ['text/csv;q=nonsense', false],
])('a caller that accepts %j gets CSV: %s', (accept, expected) => {
  expect(prefersCsv(accept)).toBe(expected);
});
