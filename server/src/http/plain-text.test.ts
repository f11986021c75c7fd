import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findUnstorable, mayHoldUnstorable } from './plain-text.ts';

describe('text that cannot be stored', () => {
  it.each([
    [{ name: 'a\u0000b' }, 'name'],
    [{ name: 'a\ud800b' }, 'name'],
    [{ list: ['ok', 'bad\udc00'] }, 'list[1]'],
    [{ a: { b: [{ c: '\u0000' }] } }, 'a.b[0].c'],
  ])('is named where it stands', (document, path) => {
    expect(findUnstorable(document)).toEqual([
      { path, message: 'must not contain NUL or a lone surrogate' },
    ]);
  });

  it('is found in keys too', () => {
    expect(findUnstorable({ a: { 'k\u0000': 1 } })).toEqual([
      { path: 'a', message: 'must not have a key with NUL or a lone surrogate' },
    ]);
  });

  it('is not found in a well-formed document', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (document) => {
        fc.pre(!JSON.stringify(document).includes('\\u0000'));
        expect(findUnstorable(document)).toEqual([]);
      }),
    );
  });

  it('is never found in a document whose JSON has no escape that makes it', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', '\\', 'u', '\n', '😀', '\0', '\ud800', '\udc00'),
    });
    fc.assert(
      fc.property(fc.dictionary(text, text), (document) => {
        const isFound = findUnstorable(document).length > 0;
        expect(isFound && !mayHoldUnstorable(JSON.stringify(document))).toBe(false);
      }),
    );
    expect(mayHoldUnstorable('{"name":"a"}')).toBe(false);
  });

  it('is named a hundred times at most, and never by much of a long key', () => {
    const key = 'k'.repeat(1_000);
    for (const [count, named] of [
      [99, 99],
      [100, 100],
      [101, 100],
    ] as const) {
      const errors = findUnstorable({ [key]: Array.from({ length: count }, () => '\0') });
      expect([errors.length, errors[0]?.path]).toEqual([named, `${'k'.repeat(200)}…[0]`]);
    }
  });

  it('does not mistake a pair of surrogates for a lone one', () => {
    expect(findUnstorable({ name: '😀' })).toEqual([]);
  });

  it.each([
    [64, []],
    [65, ['must not nest deeper than 64 levels']],
    [100_000, ['must not nest deeper than 64 levels']],
  ])('at a depth of %i', (depth, messages) => {
    let document: unknown = 1;
    for (let level = 0; level < depth; level += 1) document = [document];
    expect(findUnstorable(document).map(({ message }) => message)).toEqual(messages);
  });
});
