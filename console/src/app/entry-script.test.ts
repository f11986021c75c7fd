import { expect, it } from 'vitest';
import { scriptOf } from './entry-script.ts';

it('the entry script of a page is the one of type module', () => {
  const html =
    '<script src="/theme.js"></script><script type="module" crossorigin src="/static/index-1a2b.js">';
  expect(scriptOf(html)).toBe('/static/index-1a2b.js');
});

it('a page without an entry script has none', () => {
  expect(scriptOf('<title>Bad gateway</title>')).toBeNull();
});
