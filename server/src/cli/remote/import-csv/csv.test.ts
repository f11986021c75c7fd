import { describe, expect, it } from 'vitest';
import { CsvReader, separatorOf } from './csv.ts';
import { timeOf } from './rows.ts';

function records(pieces: readonly string[], separator = ',') {
  const reader = new CsvReader(separator);
  return [...pieces.flatMap((piece) => [...reader.read(piece)]), ...reader.end()].map(
    ({ line, fields }) => [line, ...fields],
  );
}

describe('records of a CSV file', () => {
  it.each<[string, string, (string | number)[][]]>([
    [
      'line ends of any kind',
      'a,b\r\nc,d\ne,f\n',
      [
        [1, 'a', 'b'],
        [2, 'c', 'd'],
        [3, 'e', 'f'],
      ],
    ],
    [
      'no line end at the end',
      'a\nb',
      [
        [1, 'a'],
        [2, 'b'],
      ],
    ],
    ['quoted separators and quotes', '"a, b","say ""x"""', [[1, 'a, b', 'say "x"']]],
    [
      'line ends within quotes',
      '"a\nb",c\nd,e',
      [
        [1, 'a\nb', 'c'],
        [3, 'd', 'e'],
      ],
    ],
    [
      'empty lines',
      'a\n\n\nb\n',
      [
        [1, 'a'],
        [4, 'b'],
      ],
    ],
    ['empty fields', 'a,,\n', [[1, 'a', '', '']]],
    ['empty quoted fields', '"",a\n', [[1, '', 'a']]],
  ])('with %s, also in pieces of one character', (_, text, expected) => {
    expect(records([text])).toEqual(expected);
    expect(records([...text])).toEqual(expected);
  });

  it('are separated as their header is', () => {
    expect(separatorOf('a;b;c,d')).toBe(';');
    expect(separatorOf('a\tb')).toBe('\t');
    expect(separatorOf('a')).toBe(',');
  });
});

it.each([
  ['2026-01-01T00:00:00Z', 1_767_225_600_000],
  ['2026-01-01 01:00:00+01:00', 1_767_225_600_000],
  ['2026-01-01 00:00:00.5', 1_767_225_600_500],
  ['2026-01-01', 1_767_225_600_000],
  ['1767225600000', 1_767_225_600_000],
  ['1767225600', 1_767_225_600_000],
  ['1767225600.25', 1_767_225_600_250],
  ['01/02/2026', null],
  ['2026-13-01', null],
  ['', null],
])('the time %j of a CSV file is %j', (text, epochMs) => {
  expect(timeOf(text)).toBe(epochMs);
});
