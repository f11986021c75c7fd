import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasMoreValues, isLargerThan } from './json-size.ts';

const inText = (text: string, maxValues: number) => hasMoreValues(Buffer.from(text), maxValues);

describe('the number of values of a JSON text', () => {
  it.each([
    ['[1,2,3]', 3],
    ['{"a":1,"b":[true,null]}', 4],
    ['{"a":{"b":{"c":1}}}', 3],
    ['{"text":"a,[{\\",[{","b":1}', 2],
    ['["\\\\",1]', 2],
  ])('of %s is %i', (text, values) => {
    expect([inText(text, values - 1), inText(text, values)]).toEqual([true, false]);
  });

  it('counts no more than the brackets beyond what the document holds', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.nat(20), (document, maxValues) => {
        const text = JSON.stringify(document);
        if (isLargerThan(document, maxValues)) expect(inText(text, maxValues)).toBe(true);
      }),
    );
  });

  it.each(['"', '["', '["\\', '{"a":"\\'])('is found also in the broken text %s', (text) => {
    expect(inText(text, 5)).toBe(false);
  });
});

it.each([
  [[1, 2, 3], 3],
  [{ a: 1, b: [true, null] }, 4],
  [{ a: { b: { c: 1 } } }, 3],
])('the document %j has so many values', (document, values) => {
  expect([isLargerThan(document, values - 1), isLargerThan(document, values)]).toEqual([
    true,
    false,
  ]);
});
