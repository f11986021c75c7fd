import { expect, it } from 'vitest';
import { changed, type DraftHistory, redone, undone } from './draft-history.ts';

const fresh = (): DraftHistory<string> => ({
  content: 'first',
  past: [],
  future: [],
  saved: 'first',
  about: null,
});

it('a change is undone and redone, and undoing further than the first does nothing', () => {
  const edited = changed(fresh(), 'second', null);
  const back = undone(edited);
  expect([edited.content, back.content, undone(back).content]).toEqual([
    'second',
    'first',
    'first',
  ]);
  expect(redone(back).content).toBe('second');
  expect(redone(edited)).toBe(edited);
});

it('letters of one title are undone together', () => {
  const typed = ['s', 'se', 'sec'].reduce(
    (state, title) => changed(state, title, 'a title'),
    fresh(),
  );
  expect(undone(typed).content).toBe('first');
});

it('a change after an undo removes what could be redone', () => {
  const back = undone(changed(fresh(), 'second', null));
  expect(changed(back, 'third', null).future).toEqual([]);
});
