import { expect, it } from 'vitest';
import { csvLine } from './csv.ts';

it.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', '"\'\r=1"'],
  ['=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
  ['a=1', 'a=1'],
  ['', ''],
])('the text %j is the CSV field %j, which no spreadsheet runs', (value, field) => {
  expect(csvLine([value])).toBe(`${field}\r\n`);
});

it('numbers and booleans are written to CSV unquoted', () => {
  expect(csvLine([-1.5, true])).toBe('-1.5,true\r\n');
});
