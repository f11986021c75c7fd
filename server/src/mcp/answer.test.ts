import { expect, it } from 'vitest';
import { answerText, MAX_ANSWER_BYTES } from './answer.ts';

const FACTS = { unit: '°C' };
const ITEMS = Array.from({ length: 49 }, () => 'x'.repeat(400));

/** An answer whose whole text has exactly so many bytes. */
function answerOf(bytes: number) {
  const lists = (fill: string) => ({ items: ITEMS, more: [fill, fill === '' ? '' : 'last'] });
  const empty = Buffer.byteLength(JSON.stringify({ ...FACTS, ...lists('') })) + 'last'.length;
  return { facts: FACTS, lists: lists('y'.repeat(bytes - empty)), advice: 'Ask for less.' };
}

it.each([MAX_ANSWER_BYTES - 1, MAX_ANSWER_BYTES])('an answer of %i bytes is whole', (bytes) => {
  const answer = answerOf(bytes);
  const text = answerText(answer);
  expect(Buffer.byteLength(text)).toBe(bytes);
  expect(JSON.parse(text)).toEqual({ ...answer.facts, ...answer.lists });
});

it('an answer of one byte more is cut at its end, within the limit, and says so first', () => {
  const text = answerText(answerOf(MAX_ANSWER_BYTES + 1));
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
  const note = 'Cut to 20 kB: 49 of 49 items, 0 of 2 more are shown. Ask for less.';
  expect(JSON.parse(text)).toEqual({ note, ...FACTS, items: ITEMS, more: [] });
  expect(text.indexOf('"note"')).toBe(1);
});

it('an answer whose first list is too long has nothing of the lists after it', () => {
  const lists = { items: [...ITEMS, ...ITEMS], more: ['short'] };
  const text = answerText({ facts: FACTS, lists, advice: '' });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
  expect(text).toContain('49 of 98 items, 0 of 1 more are shown');
});

it('a text of more than 500 characters is cut, not in the middle of a character', () => {
  const value = (text: string) => JSON.parse(answerText({ facts: { text }, advice: '' })).text;
  expect(value('a'.repeat(500))).toBe('a'.repeat(500));
  expect(value('a'.repeat(501))).toBe(`${'a'.repeat(500)}…`);
  expect(value(`${'a'.repeat(499)}🌡️`)).toBe(`${'a'.repeat(499)}…`);
});
