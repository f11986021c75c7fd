import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cases } from '../../../test/support/soak.ts';
import { labelPattern } from './label-pattern.ts';

const atom = fc.constantFrom(
  'a',
  'b',
  '.',
  '[ab]',
  '[^a]',
  '[a-c]',
  '\\.',
  '\\d',
  '\\w',
  '\\S',
  '-',
);
const pattern = fc.letrec<{ node: string; sequence: string }>((tie) => ({
  sequence: fc.array(tie('node'), { maxLength: 4 }).map((parts) => parts.join('')),
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    atom,
    fc.tuple(atom, fc.constantFrom('*', '+', '?', '*?')).map((parts) => parts.join('')),
    fc.tuple(tie('sequence'), tie('sequence')).map(([one, other]) => `(?:${one}|${other})`),
    fc.tuple(tie('sequence'), fc.constantFrom('*', '+', '?')).map(([one, by]) => `(${one})${by}`),
  ),
})).sequence;
const text = fc.array(fc.constantFrom('a', 'b', 'c', '.', '1', '-', '😀'), { maxLength: 8 });

it('a pattern matches the same texts as a regular expression of JavaScript', () => {
  fc.assert(
    fc.property(pattern, text, (source, chars) => {
      const whole = chars.join('');
      expect(labelPattern(source)(whole)).toBe(new RegExp(`^(?:${source})$`, 'su').test(whole));
    }),
    { numRuns: cases(20_000) },
  );
});

it('a pattern may say itself that it is matched as a whole', () => {
  const matches = labelPattern('^(Genset 1|Pump .+)$');
  expect(['Genset 1', 'Pump 7', 'Pump ', 'x Genset 1'].map(matches)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

it('a pattern that would take others hours is matched in a moment', () => {
  expect(labelPattern('(a*)*(a|aa)+(.*.*)+b')('a'.repeat(1_000))).toBe(false);
});

it.each([
  ['(a', 'a parenthesis is not closed'],
  ['a)', 'a parenthesis is not opened'],
  ['*a', '* follows nothing'],
  ['a$b', '$ is not at an end'],
  ['a{2}', 'counted repetition is not supported'],
  ['(?i)a', 'of groups with ? only (?: is supported'],
  ['\\pL', '\\p is not supported'],
  ['[[:alpha:]]', '[: is not supported'],
  ['[a', 'it ends too early'],
  ['a\\', 'it ends too early'],
])('the pattern %s is refused with a reason', (source, reason) => {
  expect(() => labelPattern(source)).toThrow(reason);
});
