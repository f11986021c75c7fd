import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { constantIn } from './constants.ts';
import { QUOTED_CONSTANTS } from './quoted-constants.ts';
import { ROOT } from './tree.ts';

const WORDS = new Map(
  Object.entries({ a: 1, an: 1, one: 1, two: 2, four: 4, five: 5, ten: 10, thirteen: 13 }),
);

/** Every number of a sentence: `2 000`, `16`, `five`; "every second" is one second. */
function numbersIn(quote: string): number[] {
  const digits = quote.match(/\d+(?: \d{3})*/g) ?? [];
  const words = quote.toLowerCase().match(/[a-z]+/g) ?? [];
  return [
    ...digits.map((each) => Number(each.replaceAll(' ', ''))),
    ...words.flatMap((word) => WORDS.get(word) ?? (word === 'every' ? 1 : [])),
  ];
}

describe('a number in the documents', () => {
  it.each(QUOTED_CONSTANTS)('"$quote" in $document is $name of $folder', (row) => {
    const { document, quote, value, unit, folder, name } = row;
    expect(readFileSync(join(ROOT, document), 'utf8')).toContain(quote);
    expect(numbersIn(quote)).toContain(value);
    expect(constantIn(folder, name)).toBe(value * unit);
  });
});
