import { expect, it } from 'vitest';
import { preferredFormat } from './accept.ts';

const PARQUET = 'application/vnd.apache.parquet';

it.each([
  ['text/csv', 'csv'],
  ['Text/CSV; q=0.1', 'csv'],
  ['text/csv, application/json', 'csv'],
  ['application/json;q=0.5, text/csv;q=0.6', 'csv'],
  ['text/csv, */*;q=0.1', 'csv'],
  [`text/csv;q=0.5, ${PARQUET}`, 'parquet'],
  [PARQUET, 'parquet'],
  [undefined, 'json'],
  ['', 'json'],
  ['*/*', 'json'],
  ['text/*', 'json'],
  ['application/json', 'json'],
  ['application/json, text/csv', 'json'],
  ['text/csv;q=0.5, application/json', 'json'],
  ['text/csv;q=0', 'json'],
  ['text/csv;q=nonsense', 'json'],
])('a caller that accepts %j gets %s', (accept, expected) => {
  expect(preferredFormat(accept, ['json', 'csv', 'parquet'])).toBe(expected);
});

it('a format that is not offered is not given', () => {
  expect(preferredFormat(PARQUET, ['json', 'csv'])).toBe('json');
  expect(preferredFormat(`${PARQUET}, text/csv;q=0.1`, ['json', 'csv'])).toBe('csv');
  expect(preferredFormat('text/csv', ['json'])).toBe('json');
});
