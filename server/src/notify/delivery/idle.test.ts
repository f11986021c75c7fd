import { expect, it } from 'vitest';
import { idleMs } from './idle.ts';

it.each([
  ['a second while no page waits', null, 1_000],
  ['a second until a page that is due much later', 60_000, 1_000],
  ['until the moment of a page that is due within the second, less the delay after it', 700, 650],
  ['not at all when the delay alone lasts until the page is due', 40, 0],
  ['not at all while a page is due that another server has', -300, 0],
])('the delivery worker sleeps %s', (_, dueIn, expected) => {
  const now = 1_800_000_000_000;
  expect(idleMs(dueIn === null ? null : now + dueIn, now, 50)).toBe(expected);
});
