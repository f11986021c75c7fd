import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numberOf, parseReply } from './parse.ts';

const noise = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '.', ',', '!', '"', '-', '#') });
const code = fc.integer({ min: 1000, max: 9999 }).map(String);
const cased = (word: string) =>
  fc
    .array(fc.boolean(), { minLength: word.length, maxLength: word.length })
    .map((upper) => [...word].map((c, at) => (upper[at] ? c.toUpperCase() : c)).join(''));
const word = fc.oneof(
  ...(['', 'ok', 'okay', 'ack', 'up'] as const).map((each) =>
    cased(each).map((text) => ({ text, isUp: each === 'up' })),
  ),
);

describe('a reply by SMS', () => {
  it('is a code and a word, whatever their case, spaces and punctuation', () => {
    const around = fc.array(noise, { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(around, code, word, ([before, between, after], digits, { text, isUp }) => {
        const wants = isUp ? 'ESCALATE' : 'ACKNOWLEDGE';
        const reply = `${before}${digits}${between}${text}${after}`;
        expect(parseReply(reply.slice(0, 200))).toEqual({ code: digits, wants });
      }),
    );
  });

  it('of any other text is none, and no text fails', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => {
        const reply = parseReply(text);
        if (reply) expect(text.normalize('NFKC')).toContain(reply.code);
      }),
    );
  });

  it.each([
    '',
    'ok',
    'up 4711',
    '471',
    '47110',
    '4711 down',
    '4711 up 4712',
    '4711 not ok',
    '٤٧١١',
  ])('of %j is none', (text) => expect(parseReply(text)).toBeNull());

  it('has at most 200 characters', () => {
    expect(parseReply('4711'.padEnd(199))).not.toBeNull();
    expect(parseReply('4711'.padEnd(200))).not.toBeNull();
    expect(parseReply('4711'.padEnd(201))).toBeNull();
  });
});

describe('the sender of a reply', () => {
  it.each([
    ['+4915112345678', '+4915112345678'],
    [' 4915112345678', '+4915112345678'],
    ['004915112345678', '+4915112345678'],
    ['+49 (151) 123-456.78', '+4915112345678'],
    ['015112345678', null],
    ['FIELDWATCH', null],
    ['', null],
    ['123456', null],
    [`+${'1'.repeat(16)}`, null],
  ])('%j is the number %s', (sender, number) => expect(numberOf(sender)).toBe(number));
});
